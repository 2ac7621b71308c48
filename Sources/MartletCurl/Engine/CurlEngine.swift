internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The senders' interface to an engine: creates transfers and posts them to the engine's thread.
final class CurlEngine: Sendable {
    private let setup: HandleSetup
    private let routing: Routing
    private let inbox: EngineInbox
    private let pool: HandlePool
    private let round = EngineRound()
    private let demand: @Sendable (Transfer, BodyPipe.Demand) -> Void

    /// - Parameters:
    ///   - certificates: the path of the system's trusted certificates.
    ///   - lookUp: looks up names for which libcurl's own lookup could block the engine.
    init(
        _ library: CurlLibrary, _ configuration: CurlTransport.Configuration, certificates: String? = CertificateBundle.system,
        lookUp: @escaping NameLookups.LookUp = NameLookups.system
    ) throws(HTTPError) {
        try configuration.check(for: library.version)
        let trust = try TrustSource(configuration.tls.trust, version: library.version, system: certificates)
        ExitHook.install()
        guard let inbox = EngineInbox() else { throw CurlEngine.unavailable("the process has no free file descriptors") }
        guard let multi = ccurl_make_multi(library.functions) else {
            throw CurlEngine.unavailable("libcurl could not create a multi handle")
        }
        let setup = HandleSetup(library: library, configuration: configuration, trust: trust)
        self.setup = setup
        routing = Routing(configuration, environment: ProcessInfo.processInfo.environment)
        self.inbox = inbox
        pool = HandlePool(maxAhead: min(max(configuration.connectionCapacity, 64), 512))
        demand = { transfer, wanted in
            switch wanted {
            case .resume: inbox.post(.resumeReceiving(transfer))
            case .cancel: inbox.post(.cancel(transfer))
            }
        }
        CurlEngine.limit(multi, library, configuration)
        let loop = EngineLoop(
            functions: library.functions, multi: multi, inbox: inbox, pool: pool, round: round, configuration: configuration,
            lookups: NameLookups(inbox: inbox, version: library.version, timeout: configuration.connectTimeout, lookUp: lookUp)
        ) { [pool, round] in pool.take(isTurn: true) { EasyHandle(setup, round: round) } }
        // Before the thread uses the TLS library, because the process may exit at any moment.
        ExitHook.watch(inbox)
        guard CurlEngine.startThread(loop) else {
            ExitHook.forget(inbox)
            _ = library.functions.pointee.multi_cleanup(multi)
            throw CurlEngine.unavailable("the engine's thread could not be started")
        }
    }

    /// The thread ends after its running transfers. Nothing waits for it.
    deinit { inbox.post(.close) }

    /// Sets up a transfer on the caller's thread, which saves work on the engine's thread.
    func makeTransfer(_ request: HTTPRequest) throws(HTTPError) -> Transfer {
        try inbox.checkProcess()
        let url = try RequestCheck.url(of: request)
        let route = try routing.route(of: request)
        let upload = try Upload(request)
        let lookups = LookupTarget.needed(
            by: setup.library.resolver, for: request.url, over: route, usesUnixSocket: setup.configuration.unixSocket != nil)
        return Transfer(
            request, url: url, route: route, lookups: lookups, handle: pool.take(isTurn: false) { EasyHandle(setup, round: round) },
            upload: upload,
            configuration: setup.configuration, demand: demand)
    }

    func start(_ transfer: Transfer, body: HTTPBody?) {
        if case .stream(let pump)? = transfer.upload?.source, let body {
            pump.start(body) { [inbox] in inbox.post(.resumeSending(transfer)) }
        }
        inbox.post(.start(transfer))
    }

    func cancel(_ transfer: Transfer) { inbox.post(.cancel(transfer)) }

    private static func limit(_ multi: UnsafeMutableRawPointer, _ library: CurlLibrary, _ configuration: CurlTransport.Configuration) {
        func set(_ option: some FixedWidthInteger, _ value: Int) {
            _ = ccurl_multi_set_long(library.functions, multi, Int32(option), max(0, value))
        }
        set(CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX.code)
        set(CURLMOPT_MAXCONNECTS, max(1, configuration.maxIdleConnections))
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerOrigin)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maxConnections)
    }

    private static func startThread(_ loop: EngineLoop) -> Bool {
        // Proof: only the new thread uses the loop. `init` makes it, holds its last other reference and does not use it after this call;
        // what the loop shares with other threads is Sendable (inbox, pool, round) or never changes (libcurl's functions).
        nonisolated(unsafe) let loop = loop
        do throws(SystemFailure) {
            // The blocked signals include SIGPIPE, which a broken TLS connection raises.
            try BackgroundThread.start(name: "martlet.curl") { loop.run() }
            return true
        } catch { return false }
    }

    private static func unavailable(_ what: String) -> HTTPError { .engineUnavailable(Explanation(what)) }
}
