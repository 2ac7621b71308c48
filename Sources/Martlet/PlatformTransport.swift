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
