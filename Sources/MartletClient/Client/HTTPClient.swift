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
