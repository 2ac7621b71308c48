internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The senders' interface to the engines of a transport: creates transfers and posts them to an engine's thread.
final class CurlEngine: Sendable {
    private let setup: HandleSetup
    private let routing: Routing
    private let team: EngineTeam
    private let pool: HandlePool
    private let places: UpgradePlaces
    /// The round with which handles are created. The engine that runs a handle replaces it by its own.
    private let round = EngineRound()

    /// - Parameters:
    ///   - certificates: The path of the system's trusted certificates.
    ///   - lookUp: Looks up names for which libcurl's own lookup could block the engine.
    init(
        _ library: CurlLibrary, _ configuration: CurlTransport.Configuration, certificates: String? = CertificateBundle.system,
        lookUp: @escaping NameLookups.LookUp = NameLookups.system
    ) throws(HTTPError) {
        try configuration.check(for: library.version)
        let trust = try TrustSource(configuration.tls.trust, version: library.version, system: certificates)
        ExitHook.install()
        let deal = EngineDeal(configuration)
        guard let team = EngineTeam(deal) else { throw CurlEngine.unavailable("the process has no free file descriptors") }
        let setup = HandleSetup(library: library, configuration: configuration, trust: trust)
        self.setup = setup
        routing = Routing(configuration, environment: ProcessInfo.processInfo.environment)
        self.team = team
        places = UpgradePlaces(engines: deal.engines, limit: configuration.maxUpgradedConnections)
        pool = HandlePool(maxAhead: min(max(configuration.connectionCapacity, 64), 512))
        // If one cannot be started, `deinit` ends the others.
        for index in 0..<deal.engines {
            try CurlEngine.start(index, of: team, deal, setup, pool, index == 0 ? round : EngineRound(), lookUp)
        }
    }

    /// The threads end after their running transfers. Nothing waits for them. No request waits any more, because its sender would hold a
    /// reference: the first engine does not hand over anything to an engine that has ended.
    deinit { team.close() }

    /// Sets up a transfer on the caller's thread, which saves work on the engine's thread. The caller must start it.
    func makeTransfer(_ request: HTTPRequest) throws(HTTPError) -> CurlTransfer {
        if let upgrade = request.context.upgrade { return try makeUpgrade(upgrade, of: request) }
        try team.front.checkProcess()
        let url = try RequestCheck.url(of: request)
        let route = try routing.route(of: request)
        let upload = try Upload(request)
        let transfer = CurlTransfer(
            OutgoingRequest(request, url: url, route: route), lookups: lookups(for: request, over: route),
            handle: pool.take(isTurn: false) { EasyHandle(setup, round: round) }, upload: upload,
            maxContentCodings: setup.configuration.maxContentCodings)
        team.deal(transfer)
        return transfer
    }

    /// Sets up the transfer of a request for an upgrade, which has a handle and a place of its own.
    @inline(never)
    private func makeUpgrade(_ upgrade: ConnectionUpgrade, of request: HTTPRequest) throws(HTTPError) -> CurlTransfer {
        try team.front.checkProcess()
        let url = try RequestCheck.url(of: request)
        let head = try UpgradeRequestHead(request, url: url)
        let route = try routing.route(of: request)
        var request = request
        // Only a connection outlives the transfer. The body of any other response is collected.
        request.context.streamsBody = false
        let place = try places.take(preferring: team.ownIndex)
        guard let handle = EasyHandle(setup, round: round) else {
            throw CurlEngine.unavailable("there is no memory for another handle of libcurl")
        }
        let transfer = CurlTransfer(
            OutgoingRequest(request, url: url, route: route), lookups: lookups(for: request, over: route), handle: handle, upload: nil,
            maxContentCodings: setup.configuration.maxContentCodings, upgrade: PendingUpgrade(upgrade, head: head.bytes, place: place))
        team.deal(transfer, to: place.engine)
        return transfer
    }

    /// The names to look up before libcurl gets a request.
    private func lookups(for request: borrowing HTTPRequest, over route: Route) -> [LookupTarget] {
        let resolver = setup.library.resolver
        guard resolver.canBlock else { return [] }
        return LookupTarget.needed(by: resolver, for: request.url, over: route, usesUnixSocket: setup.configuration.unixSocket != nil)
    }

    func start(_ transfer: CurlTransfer) {
        if case .stream(let pump)? = transfer.sending.upload?.source, let body = transfer.outgoing.request.body {
            pump.start(body) { transfer.inbox?.post(.resumeSending(transfer)) }
        }
        transfer.entrance?.post(.start(transfer))
    }

    /// Runs the job of a task on the thread of an engine.
    func run(_ job: EngineJob) { team.run(job) }

    /// The running requests of each engine; nil for a single engine.
    var running: [Int]? { team.running }

    /// The number of upgraded connections, and of requests for one.
    var upgradedCount: Int { places.taken }

    /// The inboxes of the engines.
    var inboxes: [EngineInbox] { team.inboxes }

    /// Starts one of the engines.
    private static func start(
        _ index: Int, of team: EngineTeam, _ deal: EngineDeal, _ setup: HandleSetup, _ pool: HandlePool, _ round: EngineRound,
        _ lookUp: @escaping NameLookups.LookUp
    ) throws(HTTPError) {
        let library = setup.library, configuration = setup.configuration
        guard let multi = ccurl_make_multi(library.functions) else { throw unavailable("libcurl could not create a multi handle") }
        limit(multi, library, deal.shares[index])
        let inbox = team.inboxes[index]
        let loop = EngineLoop(
            functions: library.functions, multi: multi, index: index, team: team, deal: deal, pool: pool, round: round,
            configuration: configuration, version: library.version,
            lookups: NameLookups(inbox: inbox, version: library.version, timeout: configuration.connectTimeout, lookUp: lookUp)
        ) { pool.take(isTurn: true) { EasyHandle(setup, round: round) } }
        // Before the thread uses the TLS library, because the process may exit at any moment.
        ExitHook.watch(inbox)
        guard startThread(loop) else {
            ExitHook.forget(inbox)
            _ = library.functions.pointee.multi_cleanup(multi)
            throw unavailable("the engine's thread could not be started")
        }
    }

    private static func limit(_ multi: UnsafeMutableRawPointer, _ library: CurlLibrary, _ share: EngineDeal.Share) {
        func set(_ option: some FixedWidthInteger, _ value: Int) {
            // Zero means no limit.
            _ = ccurl_multi_set_long(library.functions, multi, Int32(option), value == .max ? 0 : value)
        }
        set(CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX.code)
        set(CURLMOPT_MAXCONNECTS, share.idle)
        set(CURLMOPT_MAX_HOST_CONNECTIONS, share.perOrigin)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, share.total)
    }

    private static func startThread(_ loop: EngineLoop) -> Bool {
        // Proof: only the new thread uses the loop. `init` makes it, holds its last other reference and does not use it after this call;
        // what the loop shares with other threads is Sendable (team, pool, round) or never changes (libcurl's functions).
        nonisolated(unsafe) let loop = loop
        do throws(SystemFailure) {
            // The blocked signals include SIGPIPE, which a broken TLS connection raises.
            try BackgroundThread.start(name: "martlet.curl") { loop.run() }
            return true
        } catch { return false }
    }

    private static func unavailable(_ what: String) -> HTTPError { .engineUnavailable(Explanation(what)) }
}
