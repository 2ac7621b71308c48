public import MartletHTTP

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests with `URLSession`: the default transport on Apple's platforms. On Linux it can be chosen, where `CurlTransport` does
/// more and is many times faster.
///
/// ### Choose
/// `HTTPClient(baseURL:)` uses ``shared`` on Apple's platforms when `Martlet` is imported. Make one of your own for other settings:
///
/// ```swift
/// var configuration = TransportConfiguration()
/// configuration.tls.pinnedKeys = [try PinnedKeys(sha256: [current, backup])]
/// let transport = URLSessionTransport(configuration)
/// let client = HTTPClient(baseURL: url, transport: transport)
/// ```
///
/// ### What it promises
/// Besides the duties of a `Transport`:
/// - No cookies, cache or stored credentials of URLSession's are used, whatever the configuration says; the client's own are.
/// - Deadlines hold to the millisecond: URLSession's timers, of whole seconds, are not used.
/// - A request that is not idempotent and one that has a body are not sent twice by FoundationNetworking: on Linux each has a
///   connection of its own. Apple's URLSession resends only what is idempotent.
/// - It stops after what is in flight when the last reference goes; letting go never waits.
///
/// ### What URLSession can't do
/// - A GET with a body is `.invalidRequest`.
/// - The order of fields and, for some, the case of their names is lost; lines of the same name come joined with a comma, those of
///   `Set-Cookie` taken apart again. Trailers are not given.
/// - The time until a connection stands can't be limited by itself; the deadline of the call can.
/// - The address that is connected to can't be seen: for a `PrivateAddressGuard` the host's name is looked up beforehand, and what it
///   means a moment later, a kept connection, and a proxy of Apple's system settings, are not seen. `CurlTransport` sees them.
/// - Lines of one name count as one for `ResponseLimits.fieldCount`.
/// - A method that URLSession would write otherwise (`get`) is `.invalidRequest`.
///
/// On Linux, besides:
/// - a reader of a stream can't slow the sender down (``Buffers/unread``), and a streamed request body is kept in a file until it is
///   complete (``Buffers/spooled``);
/// - settings of TLS and of proxies are `.engineUnavailable`; the environment's proxies, in lower case, are used; the version of HTTP
///   and timings are unknown;
/// - dot segments of a path are resolved, IPv6 addresses in URLs are refused, and bodies are decompressed whatever `Accept-Encoding` the
///   request brings; compressed data that is cut off while its message is whole is given as far as it goes;
/// - of lines whose names differ in case only, one is picked by chance;
/// - an answer with a field that is not `Name: value`, with bytes that are not ASCII, or with a status line without a reason, is
///   `.invalidResponse`;
/// - one in chunks with trailers (swift-corelibs-foundation #5285), and one whose head breaks off after its status line, ends the process.
///   Don't use it with servers that you do not trust.
public final class URLSessionTransport: CallEndingTransport {
    /// How much is kept in memory or in a file for somebody to take.
    public struct Buffers: Sendable, Hashable {
        /// How many bytes of a streamed answer wait for their reader before the sender is told to wait, after decompression.
        /// Default: 256 KiB (262,144). On Linux the sender can't be told: see ``unread``.
        public var streamed: Int
        /// On Linux, how many bytes of a streamed answer may wait for their reader. Default: 100 MB (100,000,000). Past it the body ends with
        /// `.responseTooLarge`.
        public var unread: Int
        /// On Linux, how many bytes a streamed request body may have, which is kept in a file of the temporary folder until it is complete
        /// and then sent. Default: 1 GB (1,000,000,000). Past it: `.invalidRequest`.
        public var spooled: Int64

        /// The sizes, each with its default.
        public init(streamed: Int = 256 * 1024, unread: Int = 100_000_000, spooled: Int64 = 1_000_000_000) {
            self.streamed = streamed
            self.unread = unread
            self.spooled = spooled
        }
    }

    /// The process's one, with the default settings. It is made at its first use and never torn down.
    public static let shared = URLSessionTransport()

    /// The running calls of the clients over this transport.
    public let calls: CallGroup? = CallGroup()

    private let pool: Result<SessionPool, HTTPError>
    private let buffers: Buffers

    /// Creates a transport with its own connections.
    ///
    /// Settings that URLSession cannot follow (`resolve`, `unixSocket` and `versions`; on Linux also those of TLS and proxies), and certificates
    /// that can't be read, make every request throw `.engineUnavailable` or `.invalidRequest`, and nothing is sent.
    ///
    /// - Parameters:
    ///   - configuration: TLS, proxy, connections and protocol.
    ///   - sessionConfiguration: everything else: services, cellular access, header fields for all requests. Its cookies, cache, credentials,
    ///     timeouts and number of connections are not used. Default: nil, an ephemeral configuration.
    ///   - buffers: the maximum sizes of what is kept in memory or in a file.
    public init(
        _ configuration: TransportConfiguration = TransportConfiguration(), sessionConfiguration: URLSessionConfiguration? = nil,
        buffers: Buffers = .init()
    ) {
        self.buffers = buffers
        do throws(HTTPError) {
            try URLSessionTransport.check(configuration)
            let trust = try TrustPolicy(configuration.tls)
            let route = try ProxyRoute(configuration.proxy)
            let session = URLSessionTransport.prepared(sessionConfiguration, configuration)
            trust.configure(session)
            pool = .success(SessionPool(session, trust: trust, route: route))
        } catch { pool = .failure(error) }
    }

    /// Throws if the configuration has what URLSession cannot do.
    private static func check(_ configuration: TransportConfiguration) throws(HTTPError) {
        let defaults = TransportConfiguration()
        if configuration.resolve != defaults.resolve {
            throw .engineUnavailable("URLSession can't be given addresses for names: use CurlTransport")
        }
        if configuration.unixSocket != nil { throw .engineUnavailable("URLSession can't use Unix domain sockets: use CurlTransport") }
        if configuration.versions != defaults.versions {
            throw .engineUnavailable("URLSession can't be limited to a version of HTTP: use CurlTransport")
        }
    }

    /// True: each buffered exchange has a timer.
    public var endsByDeadline: Bool { true }

    /// Sends `request` and gives its response.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let pool = try pool.get()
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        try await pool.checkAddress(of: request)
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
