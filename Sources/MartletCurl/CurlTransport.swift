public import MartletHTTP

/// Sends requests with the system's libcurl: the default transport on Linux.
///
/// ### Choose
/// `HTTPClient(baseURL:)` uses ``shared`` on Linux when `Martlet` is imported. Make one of your own to connect in another way: with
/// certificates of your own, other limits, HTTP/1.1 only.
///
/// ### Use
/// ```swift
/// var configuration = CurlTransport.Configuration()
/// configuration.tls.trust = .file("/etc/my/ca.pem")
/// let client = HTTPClient(baseURL: url, transport: CurlTransport(configuration))
/// ```
///
/// ### What it promises
/// Besides the duties of a `Transport`:
/// - libcurl 7.68 or later is loaded when the first request is sent, on a thread of its own. Without it every request fails with
///   `.engineUnavailable`, which names the package to install. Building needs only the toolchain.
/// - HTTP/2 and HTTP/1.1; connections are kept and shared; certificates are checked against the system's.
/// - Proxies named by the environment (`http_proxy` and the like), `.netrc`, cookies and credentials in URLs are not used.
/// - A request that is not idempotent is never sent twice, not even when a kept connection breaks under it.
/// - Such a request does not use a connection that has been idle for so long that the server may be closing it: see
///   ``Configuration/maxIdleTimeWhenNotIdempotent``. If a connection breaks for another reason, the request fails with
///   `.connectionLost`, and only the app can decide whether to send it again. With an `Idempotency-Key` the request is idempotent and is
///   retried.
/// - `Accept-Encoding` is sent, and answers decompressed, unless the request sets that field or `Range` itself.
/// - A name server that does not respond delays only the requests that need it. If libcurl's own lookups could block all transfers (before
///   7.87, unless built with c-ares), Martlet looks names up on threads of its own, at most 16 at a time, before libcurl gets the request.
///   Results are used for 5 seconds, and for up to 60 seconds while they are refreshed.
/// - For a `PrivateAddressGuard` each address is looked at before it is connected to, and that of a kept connection before it is used.
/// - One thread does the work, whatever the number of requests. It ends after what is in flight when the last reference goes; letting
///   go never waits. A process may exit with transfers under way.
/// - Programs that the process runs do not inherit its descriptors.
/// - In a forked child the parent's transports fail as `.engineUnavailable`, unless they had sent nothing, and so do the bodies of
///   responses received before the fork. A call of an `HTTPClient` created before the fork may also wait forever for a lock that another
///   thread held at that moment: create new clients and transports in the child.
public final class CurlTransport: CallEndingTransport {
    /// The transport shared by clients without a transport of their own, with the default configuration. It is never torn down.
    public static let shared = CurlTransport()

    /// The running calls of the clients over this transport.
    public let calls: CallGroup? = CallGroup()

    private let engine: LazyEngine

    /// Creates a transport with its own connections. libcurl is loaded when the first request is sent.
    ///
    /// Where libcurl is missing or too old this succeeds, and sending throws `.engineUnavailable`.
    public convenience init(_ configuration: Configuration = .init()) {
        self.init(CurlLibrary.shared, configuration)
    }

    init(
        _ library: @escaping @autoclosure @Sendable () -> Result<CurlLibrary, HTTPError>, _ configuration: Configuration,
        certificates: @escaping @autoclosure @Sendable () -> String? = CertificateBundle.system,
        lookUp: @escaping NameLookups.LookUp = NameLookups.system
    ) {
        engine = LazyEngine { () throws(HTTPError) in
            try CurlEngine(try library().get(), configuration, certificates: certificates(), lookUp: lookUp)
        }
    }

    /// True: the engine's thread knows each request's deadline.
    public var endsByDeadline: Bool { true }

    /// Sends `request` and gives its response.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let engine = try await engine.engine(for: request)
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        let request = request.hasEmptyStream ? try await request.readingEmptyStream() : request
        let transfer = try engine.makeTransfer(request)
        let answer = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Transfer.Answer, Never>) in
                transfer.answer = continuation
                engine.start(transfer, body: request.body)
                request.context.call?.onCancel { engine.cancel(transfer) }
            }
        } onCancel: {
            engine.cancel(transfer)
        }
        transfer.markHandOver()
        return try answer.get()
    }
}
