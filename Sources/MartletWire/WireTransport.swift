internal import MartletCodings
internal import MartletEngine
internal import MartletEssentials
internal import MartletSystem

/// A transport that sends plain `http` requests with an HTTP/1.1 engine of its own, without libcurl.
///
/// It suits sidecars, services of a cluster and other servers that are reached without TLS. A call with a small response takes about half
/// the instructions of libcurl. `PlatformTransport` can use it for such requests, and its usual transport for all others:
///
/// ```swift
/// let transport = PlatformTransport(plainHTTP: WireTransport())
/// let client = HTTPClient(baseURL: URL(string: "http://catalog.internal:8080"), transport: transport)
/// ```
///
/// ### Requests and responses
/// - Requests to `https` URLs, requests that would go through a proxy, and WebSockets fail with `.engineUnavailable`.
/// - It behaves like `CurlTransport`: redirects, cookies, credentials and deadlines belong to the client; content codings are decoded; a
///   request that is not idempotent is delivered at most once.
/// - A response below 300 may be complete before its request is sent. The rest of a body in memory or in a file is then sent, and so is
///   that of a stream as far as it has bytes.
/// - Where RFC 9112 demands it, it is stricter: a response of HTTP/1.0 with a transfer coding, and a malformed status line or chunk, fail
///   with `.invalidResponse`.
///
/// ### Configuration
/// - `TransportConfiguration.tls`, `allowsHTTP2` and `maxUpgradedConnections` have no effect. `.none` and `.system` mean no proxy. A
///   request for which another setting selects a proxy fails with `.engineUnavailable`.
/// - A timeout in `Keep-Alive` applies only to the connection that announced it.
///
/// ### Threads and processes
/// - The thread that sends a request writes it to its connection. The engines' threads read the responses: see
///   `TransportConfiguration.engines`. When the last reference to the transport is released, the threads end after their running
///   requests.
/// - In a forked child, the parent's transports fail with `.engineUnavailable` if they were used.
public final class WireTransport: CallEndingTransport {
    /// The group of the running calls of all clients that use this transport, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()

    /// The codings that can be decoded, as the value of `Accept-Encoding`.
    static let acceptEncoding = ContentCoding.accepted

    let engines: LazyTeam

    /// Creates a transport with its own connections, threads and configuration.
    ///
    /// If the configuration is invalid, this initializer succeeds and each request fails with `.invalidRequest`.
    ///
    /// - Parameter configuration: The limits and other settings of the connections.
    public convenience init(_ configuration: TransportConfiguration = .init()) {
        self.init(configuration) { name in (SystemResolver.addresses(of: name) ?? []).filter { !$0.isEmpty } }
    }

    /// Creates a transport that looks names up with a closure.
    ///
    /// - Parameter lookUp: Returns the addresses of a name, or an empty list. May block.
    init(_ configuration: TransportConfiguration, lookUp: @escaping @Sendable (String) -> [String]) {
        engines = LazyTeam(configuration, lookUp)
    }

    /// Always `true`: the engine ends a buffered exchange at the request's deadline.
    public var endsByDeadline: Bool { true }

    /// Always `true`: connections are kept for later requests.
    public var opensConnections: Bool { true }

    /// An executor that runs tasks on the threads of the transport's engines, so that their calls need no switch of threads.
    ///
    /// The code must wait only with `await`: a lock, a semaphore or a blocking read stops the exchanges of its thread. Before the first
    /// request, tasks run in Swift's task pool. The executor keeps the engines' threads running after the transport is released. Requests
    /// that `PlatformTransport` sends with libcurl gain nothing from it. See also `CurlTransport.taskExecutor`.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var taskExecutor: any TaskExecutor {
        EngineExecutor { [engines] job in
            guard let team = engines.made else { return false }
            team.run(job)
            return true
        }
    }

    /// Sends `request` and returns its response, whatever its status.
    ///
    /// A buffered response is returned with its body. A streamed response is returned once its head has arrived.
    ///
    /// - Throws: An `HTTPError` if the exchange fails, `.cancelled` if the task or the call is cancelled, and `.engineUnavailable` for a
    ///   request that needs TLS, a proxy or an upgrade.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let team = try engines.team()
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .exchange)) }
        let exchange =
            request.hasEmptyStream ? try await makeExchangeOfEmpty(request, team) : try WireTransport.makeExchange(request, team)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                exchange.caller.waiter = waiter
                exchange.start()
                request.context.call?.waits(for: exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
        // The engines' threads end when the engines are released.
        return try withExtendedLifetime(engines) { () throws(HTTPError) in try exchange.takeAnswer() }
    }

    private static func makeExchange(_ request: HTTPRequest, _ team: WireTeam) throws(HTTPError) -> WireExchange {
        let url = try RequestCheck.url(of: request)
        let origin = request.checkedOrigin?.text ?? url.originPart
        guard origin.utf8.dropFirst(4).first == UInt8(ascii: ":") else {
            throw .engineUnavailable("WireTransport sends http requests only, without TLS: give it to PlatformTransport(plainHTTP:)")
        }
        guard request.context.upgrade == nil else {
            throw .engineUnavailable("WireTransport opens no WebSockets: give it to PlatformTransport(plainHTTP:)")
        }
        if try team.usesProxy(for: request) {
            throw .engineUnavailable("WireTransport supports no proxies: give it to PlatformTransport(plainHTTP:)")
        }
        return WireExchange(request, url: url, origin: origin, upload: try Upload(request), team: team)
    }

    /// Makes the exchange of a request whose body turns out to be empty. Not inlined: its temporaries would be part of the frame of each
    /// waiting call.
    @inline(never)
    nonisolated(nonsending) private func makeExchangeOfEmpty(
        _ request: HTTPRequest, _ team: WireTeam
    ) async throws(HTTPError) -> WireExchange {
        try WireTransport.makeExchange(try await request.readingEmptyStream(), team)
    }
}
