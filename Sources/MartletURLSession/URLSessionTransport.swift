public import MartletHTTP

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The transport that sends requests with `URLSession`. It is the default transport on Apple platforms.
///
/// `HTTPClient(baseURL:)` uses ``shared`` on Apple platforms when `Martlet` is imported. Create a transport to change its settings:
///
/// ```swift
/// var configuration = TransportConfiguration()
/// try configuration.tls.pinKeys(sha256: [pinnedKey, backupKey])
/// let transport = URLSessionTransport(configuration)
/// let client = HTTPClient(baseURL: url, transport: transport)
/// ```
///
/// The transport is also available on Linux, but `CurlTransport` supports more there and is many times faster.
///
/// ### Behaviour
/// - URLSession's cookies, cache and stored credentials are not used, whatever the configuration contains. The client has its own.
/// - Deadlines are exact to the millisecond. URLSession's timers, which count whole seconds, are not used.
/// - On Linux, each request that has a body or is not idempotent uses a new connection, because FoundationNetworking could otherwise send
///   it twice. Apple's URLSession repeats only idempotent requests.
/// - When the last reference to the transport is released, the transport stops after its running requests. Releasing never waits.
///
/// ### Limitations
/// - A GET with a body fails with `.invalidRequest`.
/// - The order of fields, and the case of some names, is lost. Lines with the same name are joined with a comma, except those of
///   `Set-Cookie`. Trailers are not available.
/// - The connect timeout has no effect. The deadline of the call has.
/// - The address of a connection is not visible. For a `PrivateAddressGuard` the transport looks up the host before the request. It misses
///   changes after that lookup, kept-alive connections, and proxies in Apple's system settings. `CurlTransport` checks them.
/// - Lines with the same name count as one for `ResponseLimits.fieldCount`.
/// - A WebSocket's refusal (a response other than 101) has no body. URLSession compresses no messages.
/// - A method whose case URLSession would change (`get`) fails with `.invalidRequest`.
///
/// ### Limitations on Linux
/// - A slow reader of a stream does not slow down the server (`maxUnreadBytes`), and a streamed request body is stored in a file until it
///   is complete (`maxSpooledBytes`).
/// - TLS and proxy settings fail with `.engineUnavailable`. The proxies of the environment (lower-case names) are used. The HTTP version
///   and timings are unknown.
/// - Requests for an upgrade, such as to WebSocket, fail with `.engineUnavailable`.
/// - Dot segments in a path and IPv6 addresses in URLs fail.
/// - Bodies are decompressed whatever `Accept-Encoding` the request sets. Truncated compressed data in a complete message is not detected.
/// - If field names differ only in case, only one of the fields is kept.
/// - A response with an invalid field line, with bytes outside ASCII, or with a status line without a reason fails with `.invalidResponse`.
/// - A chunked response with trailers (swift-corelibs-foundation #5285), or a head that ends after its status line, ends the process. Do
///   not use this transport on Linux with servers that you do not trust.
public final class URLSessionTransport: CallEndingTransport {
    /// The transport with the default configuration that clients without their own transport share on Apple platforms. It is created at the
    /// first use and never stopped.
    public static let shared = URLSessionTransport()

    /// The group of the running calls of all clients that use this transport, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()

    /// The limits on body data in memory or in a file.
    struct Buffers: Sendable {
        let streamed: Int
        let unread: Int
        let spooled: Int64
    }

    private let pool: Result<SessionPool, HTTPError>
    private let buffers: Buffers

    /// Creates a transport with its own connections and configuration.
    ///
    /// If URLSession does not support a setting (`resolve`, `unixSocket` and `allowsHTTP2 = false`; on Linux also TLS and proxy settings),
    /// or certificates cannot be read, every request throws `.engineUnavailable` or `.invalidRequest`, and nothing is sent.
    ///
    /// - Parameters:
    ///   - configuration: The settings of TLS, proxies and connections.
    ///   - sessionConfiguration: The other settings of URLSession, such as cellular access and header fields for all requests. Its cookies,
    ///     cache, credentials, timeouts and number of connections are not used. Default: nil, an ephemeral configuration.
    ///   - streamBufferSize: The number of decompressed bytes of a streamed response that wait for their reader before the server is slowed
    ///     down. Default: 256 KiB (262,144). On Linux the server cannot be slowed down: see `maxUnreadBytes`.
    ///   - maxUnreadBytes: The maximum number of bytes of a streamed response that wait for their reader on Linux. If more arrive, the body
    ///     ends with `.responseTooLarge`. Default: 100 MB (100,000,000).
    ///   - maxSpooledBytes: The maximum length of a streamed request body on Linux, which is stored in a temporary file until it is
    ///     complete, and then sent. A longer one fails with `.invalidRequest`. Default: 1 GB (1,000,000,000).
    public init(
        _ configuration: TransportConfiguration = TransportConfiguration(), sessionConfiguration: URLSessionConfiguration? = nil,
        streamBufferSize: Int = 256 * 1024, maxUnreadBytes: Int = 100_000_000, maxSpooledBytes: Int64 = 1_000_000_000
    ) {
        buffers = Buffers(streamed: streamBufferSize, unread: maxUnreadBytes, spooled: maxSpooledBytes)
        do throws(HTTPError) {
            try URLSessionTransport.check(configuration)
            let trust = try TrustPolicy(configuration.tls)
            let route = try ProxyRoute(configuration.proxy)
            let session = URLSessionTransport.prepared(sessionConfiguration, configuration)
            trust.configure(session)
            pool = .success(SessionPool(session, trust: trust, route: route))
        } catch { pool = .failure(error) }
    }

    /// Throws if URLSession does not support a setting.
    private static func check(_ configuration: TransportConfiguration) throws(HTTPError) {
        let defaults = TransportConfiguration()
        if configuration.resolve != defaults.resolve {
            throw .engineUnavailable("URLSession does not support configured addresses for host names: use CurlTransport")
        }
        if configuration.unixSocket != nil {
            throw .engineUnavailable("URLSession does not support Unix domain sockets: use CurlTransport")
        }
        if configuration.allowsHTTP2 != defaults.allowsHTTP2 {
            throw .engineUnavailable("URLSession does not support choosing the version of HTTP: use CurlTransport")
        }
    }

    /// Always `true`: each buffered exchange has a timer.
    public var endsByDeadline: Bool { true }

    /// Always `true`: connections are kept for later requests.
    public var opensConnections: Bool { true }

    #if canImport(FoundationNetworking)
    /// False on Linux, where URLSession has no WebSockets.
    public var opensWebSockets: Bool { false }
    #else
    /// True on Apple's platforms.
    public var opensWebSockets: Bool { true }
    #endif

    /// Sends `request` and returns its response, whatever its status.
    ///
    /// A buffered response is returned with its body. A streamed response is returned once its head has arrived.
    ///
    /// - Throws: An `HTTPError` if there is no response, and `.cancelled` if the task or the call is cancelled.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let pool = try pool.get()
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        try await pool.checkAddress(of: request)
        if request.context.upgrade != nil { return try await URLSessionTransport.upgrade(request, in: pool) }
        let request = request.hasEmptyStream ? try await request.readingEmptyStream() : request
        let prepared = try PreparedRequest(request)
        let exchange = SessionExchange(request, buffers: buffers)
        return try await withTaskCancellationHandler {
            prepared.start(exchange, in: pool, buffers: buffers)
            request.context.call?.onCancel { exchange.stop(.cancelled(ErrorContext(stage: .exchange))) }
            return await exchange.value()
        } onCancel: {
            exchange.stop(.cancelled(ErrorContext(stage: .exchange)))
        }.get()
    }

    private static func prepared(
        _ given: URLSessionConfiguration?, _ wanted: TransportConfiguration
    ) -> URLSessionConfiguration {
        let configuration = given?.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.httpMaximumConnectionsPerHost = wanted.maxConnectionsPerOrigin > 0 ? wanted.maxConnectionsPerOrigin : Int(Int16.max)
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = SessionTimeouts.never
        configuration.timeoutIntervalForResource = SessionTimeouts.never
        return configuration
    }
}
