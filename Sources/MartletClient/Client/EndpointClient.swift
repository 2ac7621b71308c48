public import MartletEssentials

/// The common interface of clients, with all methods that send endpoints and requests.
///
/// A conforming type implements ``perform(_:options:decoding:)`` and ``stream(_:options:)``, and unless it is an ``HTTPClientProtocol``
/// also ``httpClient`` and ``failure(for:)``. Every other way of sending is provided. A client that wraps another client also forwards its
/// ``baseURL``, ``encoder``, ``decoder``, ``time``, ``random``, ``observers``, ``calls`` and ``preconnect(to:)``. The methods run off the
/// main actor (`@concurrent`), so that nothing is encoded or decoded on it.
public protocol EndpointClient: Sendable {
    /// The type of error that the client throws.
    associatedtype Failure: Error

    /// The URL that paths are relative to, or nil if each endpoint has its own. Default: nil.
    var baseURL: URL? { get }

    /// The encoder for values that are sent one by one: the messages of a WebSocket. Default: `.json`.
    var encoder: any BodyEncoder { get }

    /// The decoder for values that arrive one by one: events, pages, lines of JSON. Default: `.json`.
    var decoder: any BodyDecoder { get }

    /// The clock for waits and transfer rates. Default: the system's.
    var time: any TimeSource { get }

    /// The source of random numbers for the jitter of waits. Default: the system's.
    var random: any RandomSource { get }

    /// The observers of every call. Default: none.
    var observers: [any CallObserver] { get }

    /// The group of the client's running calls, on which ``cancelAll()`` and ``drain(within:)`` act, or nil, which makes both do nothing.
    /// Default: nil.
    var calls: CallGroup? { get }

    /// The time limits, size limits, redirect policy and header fields of the client. Downloads, pages, uploads and GraphQL calls use it,
    /// too.
    ///
    /// A type that wraps another client must return that client's configuration; otherwise the default limits apply. Default:
    /// ``HTTPClient/Configuration`` with its default values.
    var configuration: HTTPClient.Configuration { get }

    /// The client that sends for this one and throws `HTTPError`. An ``HTTPClientProtocol`` returns itself.
    var httpClient: any HTTPClientProtocol { get }

    /// Returns the error that this client throws in place of an `HTTPError`.
    func failure(for error: HTTPError) -> Failure

    /// Sends an endpoint and returns its response with the body decoded by `decoding`; throws for a status that is not accepted. The
    /// options override those of the endpoint.
    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> HTTPResponse<Value>

    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives.
    ///
    /// The options override those of the endpoint. A status that is not accepted throws an error with the start of the body. Dropping the
    /// body unread stops the transfer.
    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(Failure) -> HTTPResponse<HTTPBody>

    /// Opens a connection to the origin of `url`, or of the client's base URL if it is nil, so that the first call does not wait for the
    /// name lookup, TCP and TLS. Default: does nothing.
    ///
    /// An `HTTPClient` sends one `OPTIONS` request for `/` to the origin and ignores the response, because a connection without a request
    /// cannot be kept for later ones. Its header fields contain no credentials and none of the client's fields. Interceptors and observers
    /// do not see it, except `PrivateAddressGuard`: do not pass a URL that you don't trust if an interceptor of your own checks URLs. It
    /// counts as a call of the client, with the same time limits. Over a transport that opens no connections, such as a mock, nothing is
    /// sent.
    ///
    /// The connection stays open for the transport's `maxIdleTime`, unless the server closes it earlier. Calls that are made meanwhile
    /// may open connections of their own.
    ///
    /// - Throws: The error of the connection, such as `.networkError` or `.timeout`; `.invalidURL` without a URL to connect to.
    @concurrent func preconnect(to url: URL?) async throws(Failure)

    // What only Martlet's own clients know. SPI, because no other client has to write them.
    @_spi(ClientKnowledge) func _completed(_ request: HTTPRequest) -> HTTPRequest
    @_spi(ClientKnowledge) func _mayAddCredential(to request: HTTPRequest) -> Bool
}

extension EndpointClient {
    /// The default: nil, no base URL.
    public var baseURL: URL? { nil }
    /// The default, `.json`, which writes JSON with unchanged keys.
    public var encoder: any BodyEncoder { .json }
    /// The default, `.json`, which reads JSON with unchanged keys.
    public var decoder: any BodyDecoder { .json }
    /// The default: the system's clock.
    public var time: any TimeSource { .system }
    /// The default: the system's source of random numbers.
    public var random: any RandomSource { .system }
    /// The default: none.
    public var observers: [any CallObserver] { [] }
    /// The default: nil, with which ``cancelAll()`` and ``drain(within:)`` do nothing.
    public var calls: CallGroup? { nil }
    /// The default: the default limits, and no header fields except `User-Agent`.
    public var configuration: HTTPClient.Configuration { HTTPClient.Configuration() }
    /// The default: does nothing.
    @concurrent public func preconnect(to url: URL?) async throws(Failure) {}
    /// The default: adds what the configuration names.
    public func _completed(_ request: HTTPRequest) -> HTTPRequest {
        let configuration = configuration
        var request = request
        request.context.change {
            $0.baseOrigin = baseURL.flatMap { Origin($0) }
            $0.services = ClientServices(time: time, random: random, decoder: decoder, harmlessFields: configuration.harmlessFields)
        }
        DefaultFields(configuration.headers).add(to: &request)
        return request
    }
    /// The default: true, because a client of an unknown type may add a credential.
    public func _mayAddCredential(to request: HTTPRequest) -> Bool { true }
}

extension EndpointClient {
    /// Opens a connection to the client's base URL ahead of the first call. See ``preconnect(to:)``.
    ///
    /// ```swift
    /// try? await client.preconnect()  // while the launch screen is visible
    /// ```
    @concurrent public func preconnect() async throws(Failure) { try await preconnect(to: nil) }

    /// Cancels the running calls of this client and its copies, each of which throws `HTTPError.cancelled`. It returns immediately, and new
    /// calls work.
    ///
    /// Use it when a user signs out or a view disappears. It affects the calls of this client, of its copies and of clients made from it
    /// (`mappingErrors`, a `GraphQLClient`), but not of other clients over the same transport. `CallGroup.cancelAll()` defines what a
    /// call is and which shared work continues. For a client without ``calls`` it does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Stops the client: refuses new calls, waits for the running ones, and cancels the calls that still run after `limit`.
    ///
    /// ```swift
    /// // On SIGTERM: finish the running calls, then exit.
    /// let summary = await client.drain(within: .seconds(20))
    /// logger.info("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    /// ```
    ///
    /// New calls throw `HTTPError.draining`. The client never accepts calls again: create a new one. See `CallGroup.drain(within:time:)`
    /// for a full example, and for repeated and cancelled drains.
    ///
    /// - Parameter limit: The time for the running calls, on the client's ``time``. With zero or less they are cancelled immediately.
    /// - Returns: The numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }

    /// Returns a request with what the client adds before its interceptors: the fields of its configuration, its origin and its services.
    package func completed(_ request: HTTPRequest) -> HTTPRequest { _completed(request) }

    /// Whether a request may get a field that may identify the user before it is sent. A client or an interceptor of the app's own may add
    /// one, perhaps only while a user is signed in.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { _mayAddCredential(to: request) }
}

/// The interface of clients that throw `HTTPError`. Use it as the type of a dependency, so that tests can pass a double.
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

    /// Returns `error` unchanged, because this client throws `HTTPError`.
    public func failure(for error: HTTPError) -> HTTPError { error }
}
