public import MartletEssentials

/// A client that sends requests with a transport and interceptors, and returns typed responses.
///
/// ```swift
/// let client = HTTPClient(baseURL: URL(string: "https://api.example/v1"))
/// let user = try await client.send(Request<User>.get("users/\(id)"))
/// ```
///
/// A client is a value that any number of tasks can share. Keep one for each API. It has no state of its own: connections belong to the
/// transport. Its methods throw only `HTTPError`. ``EndpointClient/mappingErrors(_:)`` maps it to the app's own error type, and
/// ``with(_:)`` returns a copy with other settings.
///
/// `HTTPClient+Journey.swift` contains the steps of a call.
public struct HTTPClient: HTTPClientProtocol {
    let settings: Settings

    /// The settings of a client, shared by its copies.
    final class Settings: Sendable {
        let components: Components
        let base: BaseURL?
        /// The fields of the configuration, which requests to the client's own origin get.
        let defaults: DefaultFields
        let services: ClientServices
        let chain: InterceptorChain
        let calls: CallGroup
        /// Whether the transport itself ends a buffered exchange at the total deadline and when the call is cancelled
        /// (``CallEndingTransport``), and each interceptor ends with it (``Interceptor/endsByDeadline``).
        let callsEndByThemselves: Bool

        init(_ components: Components, calls: CallGroup?) {
            let transport = components.transport, time = components.time
            self.components = components
            base = components.baseURL.map(BaseURL.init)
            defaults = DefaultFields(components.configuration.headers)
            chain = InterceptorChain(components.interceptors, Exchange(transport: transport, time: time))
            let transportCalls = transport.calls
            services = ClientServices(
                time: time, random: components.random, decoder: components.decoder,
                harmlessFields: components.configuration.harmlessFields, transportCalls: transportCalls)
            self.calls = calls ?? transportCalls?.makeMember() ?? CallGroup()
            callsEndByThemselves =
                transport.endsByDeadline && transport is any CallEndingTransport && time is SystemTime
                && components.interceptors.allSatisfy(\.endsByDeadline)
        }
    }

    /// Creates a client over a transport of your choice. `import Martlet` adds an initializer with the platform's own transport.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to: `http` or `https`, optionally with a path and a query. Requests with a path fail
    ///     with `.invalidURL` if the URL can't be a base or is nil, which `URL(string:)` returns for a malformed string.
    ///   - transport: The transport that performs the exchanges.
    ///   - interceptors: The interceptors around each exchange. The first is the outermost. Default: none.
    ///   - observers: The observers of every call. Default: none.
    ///   - encoder: The encoder for bodies, queries and forms. Default: `.json`.
    ///   - decoder: The decoder for responses. Default: `.json`.
    ///   - configuration: The time limits, size limits and default header fields.
    ///   - time: The clock for deadlines. Interceptors, token providers, caches, downloads, event streams and GraphQL clients also use it
    ///     unless they have their own. Tests pass a `ManualTime`. Default: the system's.
    ///   - random: The random numbers for the jitter of waits. Interceptors also use it unless they have their own, except for keys and
    ///     names that must be unique. Default: the system's.
    public init(
        baseURL: URL? = nil, transport: any Transport, interceptors: [any Interceptor] = [], observers: [any CallObserver] = [],
        encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json, configuration: Configuration = Configuration(),
        time: any TimeSource = .system, random: any RandomSource = .system
    ) {
        self.init(
            Components(
                baseURL: baseURL, transport: transport, interceptors: interceptors, observers: observers, encoder: encoder,
                decoder: decoder, configuration: configuration, time: time, random: random), calls: nil)
    }

    init(_ components: Components, calls: CallGroup?) { settings = Settings(components, calls: calls) }

    /// The URL that paths are relative to, or nil if each request has a base URL of its own or a full URL.
    public var baseURL: URL? { settings.components.baseURL }

    /// The encoder for bodies, queries and forms.
    public var encoder: any BodyEncoder { settings.components.encoder }

    /// The decoder for responses.
    public var decoder: any BodyDecoder { settings.components.decoder }

    /// The clock for deadlines.
    public var time: any TimeSource { settings.components.time }

    /// The source of random numbers for the jitter of waits.
    public var random: any RandomSource { settings.components.random }

    /// The group of the running calls of this client and its copies, which are also calls of its transport.
    public var calls: CallGroup? { settings.calls }

    /// The observers of every call.
    public var observers: [any CallObserver] { settings.components.observers }

    /// The interceptors that wrap each exchange.
    var interceptors: [any Interceptor] { settings.components.interceptors }

    /// The client's time limits, size limits, redirect policy and default header fields. To change them, make a copy with ``with(_:)``.
    public var configuration: Configuration { settings.components.configuration }

    /// Adds the fields of the configuration, the origin and the services, which were made with the client.
    @_spi(ClientKnowledge) public func _completed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.context.change {
            $0.baseOrigin = settings.base?.origin
            $0.services = settings.services
        }
        settings.defaults.add(to: &request)
        return request
    }

    /// Whether an interceptor may add a credential to a request.
    @_spi(ClientKnowledge) public func _mayAddCredential(to request: HTTPRequest) -> Bool {
        interceptors.contains { ($0 as? any CredentialAddingInterceptor)?.mayAddCredential(to: request) ?? true }
    }
}

extension HTTPClient {
    /// The parts of a client, which the closure of ``HTTPClient/with(_:)`` can change.
    public struct Components: Sendable {
        /// The URL that paths are relative to.
        public var baseURL: URL?
        /// The transport that performs the exchanges.
        public var transport: any Transport
        /// The interceptors around each exchange. The first is the outermost.
        public var interceptors: [any Interceptor]
        /// The observers of every call. See ``CallObserver``.
        public var observers: [any CallObserver]
        /// The encoder for bodies, queries and forms.
        public var encoder: any BodyEncoder
        /// The decoder for responses.
        public var decoder: any BodyDecoder
        /// The time limits, size limits, redirect policy and default header fields.
        public var configuration: Configuration
        /// The clock for deadlines, and for interceptors without their own.
        public var time: any TimeSource
        /// The source of random numbers for the jitter of waits, and for interceptors without their own.
        public var random: any RandomSource
    }

    /// Returns a copy of the client with the changes that a closure makes to its parts.
    ///
    /// ```swift
    /// let images = client.with {
    ///     $0.baseURL = URL(string: "https://images.example")
    ///     $0.configuration.totalTimeout = .seconds(120)
    /// }
    /// ```
    ///
    /// The calls of the copy belong to the same group, so that `cancelAll()` and `drain(within:)` on either client act on both. A transport
    /// with another group changes that.
    public func with(_ change: (inout Components) -> Void) -> HTTPClient {
        var components = settings.components
        let transportCalls = components.transport.calls
        change(&components)
        return HTTPClient(components, calls: components.transport.calls === transportCalls ? settings.calls : nil)
    }

    /// The time limits, size limits, redirect policy and default header fields of a client. Requests, endpoints and calls can override
    /// them.
    public struct Configuration: Sendable {
        /// The time limit for a whole call with redirects, retries and waits, up to its value, or up to the head of a streamed response.
        /// Nil removes the limit. Default: 60 seconds.
        public var totalTimeout: Duration?
        /// The time limit for the response to one attempt; for a streamed response, for its head. Default: nil, no limit except the total.
        public var attemptTimeout: Duration?
        /// The maximum time without bytes while a streamed body is read, or an upload with progress is sent, before `.timeout` is thrown.
        /// Nil removes the limit. Default: 60 seconds.
        public var idleTimeout: Duration?
        /// The maximum sizes of a response.
        public var limits: ResponseLimits
        /// The policy for redirects. Default: at most 20 are followed.
        public var redirects: RedirectPolicy
        /// The header fields that are added to requests to the client's own origin that do not have a field of the same name. Default: a
        /// `User-Agent` with Martlet's name.
        ///
        /// Requests to another origin than that of the base URL get only the `User-Agent`, such as one with a full URL. If the client has
        /// no base URL, all requests get the fields until a redirect or a link leads to another origin. Use a `HeadersInterceptor` to name
        /// further origins, and an `AuthInterceptor` for credentials.
        public var headers: HTTPFields
        /// The names of header fields that are neither secret nor identify a user, in addition to Martlet's own list. Default: none.
        ///
        /// A redirect or a link takes such a field to another origin. A stored response is used for requests that differ in it, and one
        /// response is shared among them. All fields of unknown names are treated as the user's. A field that was marked with
        /// `markAsCredential(_:)`, `Authorization`, `Proxy-Authorization` and `Cookie` stay credentials. Names that indicate a credential
        /// are still redacted in texts.
        public var harmlessFields: Set<HTTPFieldName>

        /// The default of ``headers``: a `User-Agent` with Martlet's name. A `HeadersInterceptor` with a `User-Agent` replaces it.
        public static let defaultHeaders: HTTPFields = [.userAgent: DefaultFields.agent]

        /// Creates the configuration of a client. A setting that is left out has its default.
        public init(
            totalTimeout: Duration? = .seconds(60), attemptTimeout: Duration? = nil, idleTimeout: Duration? = .seconds(60),
            limits: ResponseLimits = .init(), redirects: RedirectPolicy = .follow(),
            headers: HTTPFields = Configuration.defaultHeaders, harmlessFields: Set<HTTPFieldName> = []
        ) {
            self.totalTimeout = totalTimeout
            self.attemptTimeout = attemptTimeout
            self.idleTimeout = idleTimeout
            self.limits = limits
            self.redirects = redirects
            self.headers = headers
            self.harmlessFields = harmlessFields
        }
    }
}

/// What a client provides to interceptors and errors.
///
/// It is separate from the client's settings because recorded requests keep it. Otherwise a transport that records requests would keep
/// itself alive.
package final class ClientServices: RequestServices {
    package let time: any TimeSource
    package let random: any RandomSource
    /// The client's decoder.
    let decoder: any BodyDecoder
    package let harmlessFields: Set<HTTPFieldName>
    private let transportCalls: ObjectIdentifier?

    /// Identifies the transport while it exists, or the client if the transport has no group of calls. Requests of clients with different
    /// transports may have different credentials, such as client certificates.
    package var transportID: ObjectIdentifier { transportCalls ?? ObjectIdentifier(self) }

    package init(
        time: any TimeSource, random: any RandomSource = .system, decoder: any BodyDecoder = .json,
        harmlessFields: Set<HTTPFieldName> = [], transportCalls: CallGroup? = nil
    ) {
        self.time = time
        self.random = random
        self.decoder = decoder
        self.harmlessFields = harmlessFields
        self.transportCalls = transportCalls.map { ObjectIdentifier($0) }
    }
}

extension HTTPClient {
    /// Opens a connection to the origin of `url`, or of the client's base URL, ahead of the first call. See
    /// ``EndpointClient/preconnect(to:)``.
    @concurrent public func preconnect(to url: URL?) async throws(HTTPError) {
        guard settings.components.transport.opensConnections else { return }
        guard let origin = url.map(Origin.init) ?? settings.base?.origin, let root = URL(string: "\(origin)/") else {
            let target = url.map { "the URL has no host: \(Redaction.url($0))" }
            throw .invalidURL(Explanation(target ?? "the client has no base URL to connect to"))
        }
        do throws(HTTPError) {
            _ = try await connecting.response(
                for: Request<EmptyResponse>.options(url: root).validating(.none),
                options: CallOptions(limits: ResponseLimits(bodyBytes: 64 * 1024), redirects: .none))
        } catch {
            // The server has responded, so it can be reached. Only its connection can't be used again.
            if case .responseTooLarge = error { return }
            throw error
        }
    }

    /// The client that opens connections: without observers, and with only those interceptors that decide which addresses may be reached.
    private var connecting: HTTPClient {
        with {
            $0.interceptors = $0.interceptors.filter { $0 is any ConnectionGuard }
            $0.observers = []
            $0.configuration.headers = [:]
        }
    }
}
