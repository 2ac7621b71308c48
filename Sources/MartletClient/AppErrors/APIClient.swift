public import MartletEssentials

/// A client that throws an app's own error, and only that.
///
/// Made by ``HTTPClientProtocol/mappingErrors(_:)``; it sends whatever the client behind it sends. What flows (downloads, uploads, events,
/// pages, lines) is asked of that client itself, ``client``, and throws `HTTPError`, which ``map(_:)`` maps.
public struct APIClient<Failure: Error>: EndpointClient {
    /// The client behind it.
    public let client: any HTTPClientProtocol
    private let mapped: @Sendable (HTTPError) -> Failure

    /// A client that maps what `client` throws.
    public init<Mapper: ErrorMapper>(_ client: any HTTPClientProtocol, mapper: Mapper) where Mapper.Failure == Failure {
        self.client = client
        mapped = { mapper.map($0) }
    }

    /// The app's error for one of the client's.
    public func map(_ error: HTTPError) -> Failure { mapped(error) }

    /// The base URL of the client behind it.
    public var baseURL: URL? { client.baseURL }

    /// The decoder of the client behind it.
    public var decoder: any BodyDecoder { client.decoder }

    /// The time of the client behind it.
    public var time: any TimeSource { client.time }

    /// The running calls of the wrapped client.
    public var calls: CallGroup? { client.calls }

    /// Sends an endpoint and makes the answer as `decoding` says.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> HTTPResponse<Value> {
        do throws(HTTPError) { return try await client.perform(endpoint, decoding: decoding) } catch { throw map(error) }
    }

    /// Sends an endpoint and gives the response as soon as its head is there. Errors while the body is read are still `HTTPError`.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E) async throws(Failure) -> HTTPResponse<HTTPBody> {
        do throws(HTTPError) { return try await client.stream(endpoint) } catch { throw map(error) }
    }
}

extension HTTPClientProtocol {
    /// A client that throws `mapper`'s error in place of `HTTPError`.
    public func mappingErrors<Mapper: ErrorMapper>(_ mapper: Mapper) -> APIClient<Mapper.Failure> {
        APIClient(self, mapper: mapper)
    }
}
