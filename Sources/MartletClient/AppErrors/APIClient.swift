public import MartletEssentials

/// A client that throws only the app's own error type.
///
/// Create it with ``EndpointClient/mappingErrors(_:)``. It has every method of the client that it wraps: streams, pages, events, downloads
/// and uploads also throw the app's error.
public struct APIClient<Failure: Error>: EndpointClient {
    /// The wrapped client, which throws `HTTPError`.
    public let httpClient: any HTTPClientProtocol
    private let map: @Sendable (HTTPError) -> Failure

    /// Creates a client that sends with `client` and maps its errors with `mapper`.
    init<Mapper: ErrorMapper>(_ client: any HTTPClientProtocol, mapper: Mapper) where Mapper.Failure == Failure {
        httpClient = client
        map = { mapper.map($0) }
    }

    /// Returns the app's error for an error of the wrapped client.
    public func failure(for error: HTTPError) -> Failure { map(error) }

    /// The base URL of the wrapped client.
    public var baseURL: URL? { httpClient.baseURL }

    /// The encoder of the wrapped client, for values that are sent one by one.
    public var encoder: any BodyEncoder { httpClient.encoder }

    /// The decoder of the wrapped client, for values that arrive one by one.
    public var decoder: any BodyDecoder { httpClient.decoder }

    /// The clock of the wrapped client.
    public var time: any TimeSource { httpClient.time }

    /// The source of random numbers of the wrapped client.
    public var random: any RandomSource { httpClient.random }

    /// The observers of every call.
    public var observers: [any CallObserver] { httpClient.observers }

    /// The group of the wrapped client's running calls, or nil if it has none.
    public var calls: CallGroup? { httpClient.calls }

    /// The configuration of the wrapped client.
    public var configuration: HTTPClient.Configuration { httpClient.configuration }

    /// Sends an endpoint and returns its response with the body decoded by `decoding`; a status that is not accepted is thrown.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> HTTPResponse<Value> {
        do throws(HTTPError) { return try await httpClient.perform(endpoint, options: options, decoding: decoding) } catch {
            throw map(error)
        }
    }

    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives. Reading the body
    /// throws `HTTPError`.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(Failure) -> HTTPResponse<HTTPBody> {
        do throws(HTTPError) { return try await httpClient.stream(endpoint, options: options) } catch { throw map(error) }
    }

    /// Opens a connection with the wrapped client, ahead of the first call.
    @concurrent public func preconnect(to url: URL?) async throws(Failure) {
        do throws(HTTPError) { try await httpClient.preconnect(to: url) } catch { throw map(error) }
    }
}

extension EndpointClient {
    /// Returns a client that throws the error of `mapper` in place of `HTTPError`.
    public func mappingErrors<Mapper: ErrorMapper>(_ mapper: Mapper) -> APIClient<Mapper.Failure> {
        APIClient(httpClient, mapper: mapper)
    }
}
