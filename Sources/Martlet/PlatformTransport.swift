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
public struct PlatformTransport: CallEndingTransport {
    #if os(Linux)
    let transport: CurlTransport
    #else
    let transport: URLSessionTransport
    #endif

    /// Creates a reference to the transport that all clients without their own transport share. It is created at its first use and lives as
    /// long as the process.
    public init() { transport = .shared }

    /// Creates a transport with its own connections and this configuration. The code is the same on every platform.
    public init(_ configuration: TransportConfiguration) { transport = .init(configuration) }

    /// Whether the transport ends an exchange at its deadline: true for both platforms.
    public var endsByDeadline: Bool { transport.endsByDeadline }

    /// Whether the transport keeps connections for later requests: true for both platforms.
    public var opensConnections: Bool { transport.opensConnections }

    /// Whether the transport opens WebSockets: true for both platforms.
    public var opensWebSockets: Bool { transport.opensWebSockets }

    /// The group of the running calls of all clients over this transport, with which they can be cancelled and drained. For the shared
    /// transport, these are all clients without their own transport.
    public var calls: CallGroup? { transport.calls }

    /// The executor that runs tasks on the threads of the transport's engines, where there are any: `CurlTransport.taskExecutor` on Linux,
    /// and nil, which means no preference, on Apple platforms.
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
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { try await transport.send(request) }
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
