public import MartletEssentials

/// Sends endpoints and requests: what `HTTPClient`, `APIClient` and their doubles have in common.
///
/// An implementation writes two functions, ``perform(_:options:decoding:)`` and ``stream(_:options:)``; every other way of sending comes with them. A
/// client that wraps another one also forwards its ``baseURL``, ``decoder``, ``time``, ``random`` and ``calls``.
/// They run off the main actor (`@concurrent`), so that nothing is encoded or decoded on it.
public protocol EndpointClient: Sendable {
    /// What the client throws.
    associatedtype Failure: Error

    /// What paths are below; nil when each endpoint says it. Default: nil.
    var baseURL: URL? { get }

    /// What values are decoded with that come one by one: events, pages, lines of JSON. Default: `.json`.
    var decoder: any BodyDecoder { get }

    /// What its waits and rates are measured with. Default: the system's.
    var time: any TimeSource { get }

    /// The random numbers for the jitter of its waits. Default: the system's.
    var random: any RandomSource { get }

    /// The client's running calls, on which ``cancelAll()`` and ``drain(within:)`` act. Default: nil, which makes both do nothing.
    var calls: CallGroup? { get }

    /// The client that sends for this one and throws `HTTPError`. For an ``HTTPClientProtocol`` it is the client itself.
    var httpClient: any HTTPClientProtocol { get }

    /// Returns the error that this client throws in place of an `HTTPError`.
    func failure(for error: HTTPError) -> Failure

    /// Sends an endpoint and decodes its response with `decoding`. The options override those of the endpoint.
    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> HTTPResponse<Value>

    /// Sends an endpoint and returns the response when its head has arrived; the body arrives while it is read. The options override those of
    /// the endpoint.
    ///
    /// A status that is not accepted throws, with the start of the body. Leaving the body unread stops the transfer.
    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(Failure) -> HTTPResponse<HTTPBody>
}

extension EndpointClient {
    /// None.
    public var baseURL: URL? { nil }
    /// JSON, with keys as they are.
    public var decoder: any BodyDecoder { .json }
    /// The system's.
    public var time: any TimeSource { .system }
    /// The system's.
    public var random: any RandomSource { .system }
    /// No group: ``cancelAll()`` and ``drain(within:)`` do nothing.
    public var calls: CallGroup? { nil }
}

/// A client whose errors are `HTTPError`: what services and repositories take, so that tests can hand them a double.
///
/// ```swift
/// struct UserRepository {
///     let http: any HTTPClientProtocol
///     func user(_ id: Int) async throws(HTTPError) -> User { try await http.send(GetUser(id: id)) }
/// }
/// ```
public protocol HTTPClientProtocol: EndpointClient where Failure == HTTPError {}

extension HTTPClientProtocol {
    /// The client itself.
    public var httpClient: any HTTPClientProtocol { self }

    /// The error itself.
    public func failure(for error: HTTPError) -> HTTPError { error }
}
