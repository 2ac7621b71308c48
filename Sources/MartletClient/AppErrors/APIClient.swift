public import MartletEssentials

/// A client that throws an app's own error, and only that.
///
/// ``EndpointClient/mappingErrors(_:)`` creates it. It has every method of the client behind it: streams, pages, events, downloads and
/// uploads throw the app's error too.
public struct APIClient<Failure: Error>: EndpointClient {
    /// The client behind it, which throws `HTTPError`.
    public let httpClient: any HTTPClientProtocol
    private let map: @Sendable (HTTPError) -> Failure

    /// Creates a client that maps what `client` throws.
    public init<Mapper: ErrorMapper>(_ client: any HTTPClientProtocol, mapper: Mapper) where Mapper.Failure == Failure {
        httpClient = client
        map = { mapper.map($0) }
    }

    /// Returns the app's error for one of the client's.
    public func failure(for error: HTTPError) -> Failure { map(error) }

    /// The base URL of the client behind it.
    public var baseURL: URL? { httpClient.baseURL }

    /// The decoder of the client behind it.
    public var decoder: any BodyDecoder { httpClient.decoder }

    /// The clock of the client behind it.
    public var time: any TimeSource { httpClient.time }

    /// The random numbers of the client behind it.
    public var random: any RandomSource { httpClient.random }

    /// The running calls of the client behind it.
    public var calls: CallGroup? { httpClient.calls }

    /// Sends an endpoint and decodes its response with `decoding`.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> HTTPResponse<Value> {
        do throws(HTTPError) { return try await httpClient.perform(endpoint, options: options, decoding: decoding) } catch {
            throw map(error)
        }
    }

    /// Sends an endpoint and returns the response when its head has arrived. Reading its body throws `HTTPError`.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(Failure) -> HTTPResponse<HTTPBody> {
        do throws(HTTPError) { return try await httpClient.stream(endpoint, options: options) } catch { throw map(error) }
    }
}

extension EndpointClient {
    /// Returns a client that throws the error of `mapper` in place of `HTTPError`.
    public func mappingErrors<Mapper: ErrorMapper>(_ mapper: Mapper) -> APIClient<Mapper.Failure> {
        APIClient(httpClient, mapper: mapper)
    }
}
