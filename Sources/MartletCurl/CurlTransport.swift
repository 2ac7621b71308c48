internal import MartletEngine
public import MartletHTTP

/// The transport that sends requests with the system's libcurl. It is the default transport on Linux.
///
/// `HTTPClient(baseURL:)` uses ``shared`` on Linux when `Martlet` is imported. Create a transport to change its configuration, for example
/// to trust a private certificate authority, to change the connection limits, or to use HTTP/1.1 only:
///
/// ```swift
/// var configuration = CurlTransport.Configuration()
/// configuration.tls.trust = .file("/etc/my/ca.pem")
/// let client = HTTPClient(baseURL: url, transport: CurlTransport(configuration))
/// ```
///
/// ### libcurl
/// The first request loads libcurl 7.68 or later on a separate thread. Without libcurl every request fails with `.engineUnavailable`, which
/// names the package to install. Building needs only the Swift toolchain.
///
/// ### Requests and responses
/// - HTTP/2 and HTTP/1.1 are supported. Connections are kept alive and shared. Certificates are verified against the system's.
/// - The transport ignores proxies in the environment (`http_proxy` and others), `.netrc`, cookies, and credentials in URLs. The
///   configuration can enable the proxies of the environment.
/// - The transport sends `Accept-Encoding` and decompresses responses, unless the request sets that field or `Range`.
///
/// ### Idle connections
/// - A kept-alive connection of HTTP/1 on which bytes have arrived is closed, because they would become the response to the next request
///   (RFC 9112 §9.2). The request is sent on a new connection. Bytes that arrive while it is in transit can't be told apart from an early
///   response.
///
/// ### Requests that are not idempotent
/// - The transport never sends such a request twice, even if a kept-alive connection breaks.
/// - Such a request does not use a connection that has been idle for so long that the server may be closing it: see
///   `Configuration.maxIdleTimeWhenNotIdempotent`. If a connection breaks for another reason, the request fails with
///   `.connectionLost`, and only the app can decide whether to send it again. With an `Idempotency-Key` the request is idempotent and is
///   retried.
///
/// ### Name lookups and addresses
/// - A name server that does not respond delays only the requests that need it. If libcurl's own lookups could block all transfers (before
///   7.87, unless built with c-ares), Martlet looks names up on separate threads, at most 16 at a time, before libcurl gets the request.
///   Results are used for 5 seconds, and for up to 60 seconds while they are refreshed.
/// - A `PrivateAddressGuard` checks each address before a connection is opened, and the address of a kept-alive connection before it is
///   used.
///
/// ### Upgraded connections
/// - A WebSocket uses a connection of its own, with HTTP/1.1, and through a tunnel if there is a proxy. Lookups, address checks, TLS
///   settings and deadlines are those of other requests. `Configuration.maxUpgradedConnections` is the only limit on connections that
///   counts it.
/// - The transport's threads read and write these connections beside the transfers. A connection that is not read slows its server down.
///
/// ### Threads and processes
/// - Two threads run the requests of a transport on a machine with up to eleven cores; `Configuration.engines` sets their number.
///   When the last reference to the transport is released, the threads end after their running requests. Releasing never waits. A process
///   may exit during transfers.
/// - Child programs do not inherit the transport's file descriptors.
/// - In a forked child, the parent's transports fail with `.engineUnavailable` unless they had sent nothing and run no task on their
///   executor, and so do the bodies of responses received before the fork. A call of an `HTTPClient` created before the fork may also wait
///   forever for a lock that another thread held during the fork: create new clients and transports in the child.
public final class CurlTransport: CallEndingTransport {
    /// The transport with the default configuration that clients without their own transport share on Linux. It is never stopped.
    public static let shared = CurlTransport()

    /// The group of the running calls of all clients that use this transport, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()

    let engine: LazyEngine
    /// Runs tasks on the threads of the engines. Nil on Apple's systems before the first ones with task executors.
    let runner: (any JobRunner)?

    /// Creates a transport with its own connections, threads and configuration.
    ///
    /// The first request loads libcurl. If libcurl is missing or too old, or the configuration is invalid, this initializer succeeds and
    /// each request fails: with `.engineUnavailable` for libcurl, with `.invalidRequest` for the configuration.
    ///
    /// - Parameter configuration: The limits, TLS settings, proxy and other settings of the connections.
    public convenience init(_ configuration: Configuration = .init()) {
        self.init(CurlLibrary.shared, configuration)
    }

    init(
        _ library: @escaping @autoclosure @Sendable () -> Result<CurlLibrary, HTTPError>, _ configuration: Configuration,
        certificates: @escaping @autoclosure @Sendable () -> String? = CertificateBundle.system,
        lookUp: @escaping NameLookups.LookUp = NameLookups.system
    ) {
        let engine = LazyEngine { () throws(HTTPError) in
            try CurlEngine(try library().get(), configuration, certificates: certificates(), lookUp: lookUp)
        }
        self.engine = engine
        if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
            runner = EngineExecutor(engine)
        } else {
            runner = nil
        }
    }

    /// Always `true`: the engine ends a buffered exchange at the request's deadline.
    public var endsByDeadline: Bool { true }

    /// Always `true`: connections are kept for later requests.
    public var opensConnections: Bool { true }

    /// Always `true`. See `TransportConfiguration.maxUpgradedConnections`.
    public var opensWebSockets: Bool { true }

    /// Sends `request` and returns its response, whatever its status.
    ///
    /// A buffered response is returned with its body. A streamed response is returned once its head has arrived.
    ///
    /// - Throws: An `HTTPError` if the exchange fails, and `.cancelled` if the task or the call is cancelled.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let engine = if let made = try engine.made { made } else { try await engine.engine(for: request) }
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        let transfer =
            request.hasEmptyStream ? try await makeTransferOfEmpty(request, engine) : try engine.makeTransfer(request)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                transfer.caller.waiter = waiter
                engine.start(transfer)
                request.context.call?.waits(for: transfer)
            }
        } onCancel: {
            transfer.cancel()
        }
        // The engine's threads end when the engine is released.
        return try withExtendedLifetime(engine) { () throws(HTTPError) in try transfer.takeAnswer() }
    }

    /// Makes the transfer of a request whose body turns out to be empty. Not inlined: its temporaries would be part of the frame of each
    /// waiting call.
    @inline(never)
    nonisolated(nonsending) private func makeTransferOfEmpty(
        _ request: HTTPRequest, _ engine: CurlEngine
    ) async throws(HTTPError) -> CurlTransfer {
        try engine.makeTransfer(try await request.readingEmptyStream())
    }
}
