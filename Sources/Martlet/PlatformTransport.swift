public import MartletEssentials

#if os(Linux)
internal import MartletCurl
#else
internal import MartletURLSession
#endif

/// The platform's transport: libcurl on Linux, URLSession on Apple platforms. Clients without their own transport share one.
///
/// Use it to wrap the transport in another one, with the same code on every platform:
///
/// ```swift
/// let client = HTTPClient(baseURL: base, transport: RecordingTransport(wrapping: PlatformTransport(), to: file))
/// ```
///
/// On Linux, `WireTransport` of the product `MartletWire` sends `http` requests at a lower cost:
///
/// ```swift
/// let client = HTTPClient(baseURL: URL(string: "http://catalog.internal:8080"), transport: PlatformTransport(plainHTTP: WireTransport()))
/// ```
public struct PlatformTransport: CallEndingTransport {
    #if os(Linux)
    let transport: CurlTransport
    #else
    let transport: URLSessionTransport
    #endif
    private var plain: PlainTransport?

    /// Creates a reference to the transport that all clients without their own transport share. It is created at its first use and lives as
    /// long as the process.
    public init() { transport = .shared }

    /// Creates a transport with its own connections and this configuration. The code is the same on every platform.
    public init(_ configuration: TransportConfiguration) { transport = .init(configuration) }

    /// Creates a transport that sends requests to `http` URLs with another transport, and all others, WebSockets included, with the
    /// platform's.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the platform's transport. With any proxy setting except `.none`, and on Linux `.system`,
    ///     that transport sends all requests, and `plainHTTP` is not used.
    ///   - plainHTTP: The transport for `http` requests, which has a configuration of its own. Its `cancelAll()` and `drain(within:)` do
    ///     not affect calls over this transport; use this transport's methods.
    public init(_ configuration: TransportConfiguration = TransportConfiguration(), plainHTTP: any Transport) {
        transport = .init(configuration)
        #if os(Linux)
        let mayUseProxy = configuration.proxy != .none && configuration.proxy != .system
        #else
        let mayUseProxy = configuration.proxy != .none
        #endif
        plain = mayUseProxy ? nil : PlainTransport(plainHTTP)
    }

    /// Whether the transport ends an exchange at its deadline: false only if the transport for `http` requests does not.
    public var endsByDeadline: Bool { transport.endsByDeadline && plain?.transport.endsByDeadline ?? true }

    /// Whether the transport keeps connections for later requests: true for both platforms.
    public var opensConnections: Bool { transport.opensConnections }

    /// Whether the transport opens WebSockets: true for both platforms.
    public var opensWebSockets: Bool { transport.opensWebSockets }

    /// The group of the running calls of all clients over this transport, with which they can be cancelled and drained. For the shared
    /// transport, these are all clients without their own transport.
    public var calls: CallGroup? { transport.calls }

    /// The executor that runs tasks on the threads of the transport's engines, where there are any: `CurlTransport.taskExecutor` on Linux,
    /// and nil, which means no preference, on Apple platforms. Requests that a transport for `http` sends gain nothing from it.
    ///
    /// ```swift
    /// let transport = PlatformTransport()
    /// let client = HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport)
    /// try await withTaskExecutorPreference(transport.taskExecutor) {
    ///     let status: String = try await client.send(.get("status"))
    /// }
    /// ```
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var taskExecutor: (any TaskExecutor)? {
        #if os(Linux)
        transport.taskExecutor
        #else
        nil
        #endif
    }

    /// Sends one request and returns its response, whatever its status; redirects and retries are the client's work.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if let plain, request.isPlain { return try await plain.send(request) }
        return try await transport.send(request)
    }
}

/// The transport for `http` requests.
private struct PlainTransport: Sendable {
    let transport: any Transport
    /// Whether the transport ends an exchange with the call of its request.
    private let endsWithCall: Bool

    init(_ transport: any Transport) {
        self.transport = transport
        endsWithCall = transport is any CallEndingTransport
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard !endsWithCall, let call = request.context.call else { return try await transport.send(request) }
        var request = request
        // The task is the call's work: an engine that the transport uses must not replace it.
        request.context.call = nil
        return try await call.run { [request] () throws(HTTPError) in try await transport.send(request) }.get()
    }
}

extension HTTPRequest {
    /// Whether the request is sent without TLS, and does not ask for an upgrade of its connection.
    fileprivate var isPlain: Bool {
        (checkedOrigin.map { !$0.isSecure } ?? urlText.lowercased().hasPrefix("http:")) && context.upgrade == nil
    }
}

extension HTTPClient {
    /// Creates a client over the platform's transport: libcurl on Linux, URLSession on Apple platforms. All such clients of a process share
    /// it.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to: `http` or `https`, optionally with a path and a query. Requests with a path fail
    ///     with `.invalidURL` if the URL can't be a base or is nil, which `URL(string:)` returns for a malformed string.
    ///   - interceptors: The interceptors around each exchange. The first is the outermost. Default: none.
    ///   - observers: The observers of every call. Default: none.
    ///   - encoder: The encoder for bodies, queries and forms. Default: `.json`.
    ///   - decoder: The decoder for responses. Default: `.json`.
    ///   - configuration: The time limits, size limits and default header fields.
    ///   - time: The clock for deadlines. Interceptors, token providers, caches, downloads, event streams and GraphQL clients also use it
    ///     unless they have their own. Default: the system's.
    ///   - random: The random numbers for the jitter of waits. Interceptors also use it unless they have their own, except for keys and
    ///     names that must be unique. Default: the system's.
    public init(
        baseURL: URL? = nil, interceptors: [any Interceptor] = [], observers: [any CallObserver] = [],
        encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json, configuration: Configuration = Configuration(),
        time: any TimeSource = .system, random: any RandomSource = .system
    ) {
        self.init(
            baseURL: baseURL, transport: PlatformTransport().transport, interceptors: interceptors, observers: observers,
            encoder: encoder, decoder: decoder, configuration: configuration, time: time, random: random)
    }
}

extension OTLPExporter {
    /// Creates an exporter over a platform transport of its own, so that `cancelAll()` and `drain(within:)` of other clients do not affect
    /// it.
    ///
    /// ```swift
    /// let exporter = OTLPExporter(url: URL(string: "http://localhost:4318/v1/traces")!, service: "shop")
    /// let tracing = TracingObserver(SpanTracer(exporter))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the collector's endpoint for traces, usually one that ends with `/v1/traces`.
    ///   - service: The name of this service, the attribute `service.name` of the resource.
    ///   - resource: Other attributes of the resource, such as `service.version`.
    ///   - headers: Fields of each request, such as the collector's credential.
    ///   - maxQueuedSpans: The maximum number of spans that wait. Numbers below 1 count as 1, and negative times as zero, here and below.
    ///     Default: 2,048.
    ///   - maxBatchSpans: The maximum number of spans in a request. Default: 512.
    ///   - batchDelay: The longest time that a span waits for others before it is sent. Default: 5 seconds.
    ///   - maxAttempts: The maximum number of attempts to send a batch. Default: 5.
    ///   - attemptTimeout: The time limit for one attempt. Default: 10 seconds.
    ///   - maxServerWait: The maximum wait that the exporter accepts from a server. Default: 60 seconds.
    public convenience init(
        url: URL, service: String, resource: [String: SpanValue] = [:], headers: HTTPFields = [:], maxQueuedSpans: Int = 2_048,
        maxBatchSpans: Int = 512, batchDelay: Duration = .seconds(5), maxAttempts: Int = 5, attemptTimeout: Duration = .seconds(10),
        maxServerWait: Duration = .seconds(60)
    ) {
        self.init(
            url: url, service: service, resource: resource, headers: headers, maxQueuedSpans: maxQueuedSpans, maxBatchSpans: maxBatchSpans,
            batchDelay: batchDelay, maxAttempts: maxAttempts, attemptTimeout: attemptTimeout, maxServerWait: maxServerWait,
            transport: PlatformTransport(TransportConfiguration()))
    }
}
