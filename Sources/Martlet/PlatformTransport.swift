#if os(Linux)
internal import MartletCurl
#else
internal import MartletURLSession
#endif

/// The platform's own transport, which all clients without one of their own share: libcurl's on Linux, URLSession's on Apple's platforms.
///
/// For what wraps a transport, so that it need not name one:
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

    /// The transport that all clients without one of their own share. It is created at its first use and lives as long as the process.
    public init() { transport = .shared }

    /// Creates a transport with its own connections and configuration. The code is the same on every platform.
    public init(_ configuration: TransportConfiguration) { transport = .init(configuration) }

    /// That of the platform's: true.
    public var endsByDeadline: Bool { transport.endsByDeadline }

    /// The running calls of all clients over the platform's transport, which every client without a transport of its own uses.
    public var calls: CallGroup? { transport.calls }

    /// Sends `request` and gives its response.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { try await transport.send(request) }
}
