internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The engines of a transport, and what they share: the places among the connections, idle connections, deadlines and name lookups.
final class WireTeam: Sendable {
    /// A message to an engine's thread.
    enum Command {
        case dial(Dial)
        case found(Dial, [String])
        /// End an exchange with an error.
        case stop(WireExchange, HTTPError)
        case resumeReceiving(WireExchange)
        case resumeSending(WireExchange)
        /// A connection was closed on another thread. Its object must outlive the events that the engine has taken.
        case retire(WireConnection)
        case run(EngineJob)
        /// Deadlines have changed.
        case look
    }

    /// What the team's lock protects.
    struct State {
        let admission: Admission
        /// Limits the number of files that are opened ahead, per origin and in total, as the connections are.
        let openings: Admission
        var pools: [IdlePool]
        var timers: [TimerQueue]
        /// Until when each engine sleeps; nil while it is awake.
        var asleepUntil: [ContinuousClock.Instant?]
        var lookups = LookupTable<Dial>(maxRunning: 16)
    }

    let configuration: TransportConfiguration
    let bodies: BodyPool
    private let environment: [String: String]
    /// The configured addresses of names in lower case.
    let resolve: [String: [String]]
    private let deal: EngineDeal
    private let mailboxes: [Mailbox<Command>]
    private let owner = OwnerProcess()
    private let lookUp: @Sendable (String) -> [String]
    let state: Locked<State>
    private let jobs: JobDeal

    /// Starts the engines. Throws `.engineUnavailable` if the process has no free descriptors or threads.
    init(_ configuration: TransportConfiguration, lookUp: @escaping @Sendable (String) -> [String]) throws(HTTPError) {
        try configuration.checkAddresses()
        self.configuration = configuration
        self.lookUp = lookUp
        environment = configuration.proxy == .environment ? ProcessInfo.processInfo.environment : [:]
        resolve = Dictionary(configuration.resolve.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        bodies = BodyPool(limit: configuration.maxRecycledBodyBytes)
        let deal = EngineDeal(configuration)
        self.deal = deal
        jobs = JobDeal(engines: deal.engines)
        state = Locked(
            State(
                admission: Admission(deal),
                openings: Admission(
                    EngineDeal(engines: 1, perOrigin: configuration.maxConnectionsPerOrigin, total: configuration.maxConnections)),
                pools: deal.shares.map {
                    IdlePool(limit: $0.idle, maxIdleTime: configuration.maxIdleTime, maxAge: configuration.maxConnectionAge)
                },
                timers: deal.shares.map { _ in TimerQueue() }, asleepUntil: deal.shares.map { _ in nil }))
        do throws(SystemFailure) {
            var mailboxes: [Mailbox<Command>] = []
            for _ in deal.shares { mailboxes.append(try Mailbox()) }
            self.mailboxes = mailboxes
        } catch { throw .engineUnavailable(Explanation("\(error)")) }
        do throws(SystemFailure) {
            for index in deal.shares.indices { try startEngine(index) }
        } catch {
            // Ends the engines that have been started.
            close()
            throw .engineUnavailable(Explanation("\(error)"))
        }
    }

    private func startEngine(_ index: Int) throws(SystemFailure) {
        // Proof: only the new thread uses the engine.
        nonisolated(unsafe) let engine = try WireEngine(self, index: index, mailbox: mailboxes[index])
        try BackgroundThread.start(name: "martlet.wire") { engine.run() }
    }

    /// Ends the threads after their running exchanges. Nothing waits for them.
    func close() {
        guard owner.isCurrent else { return }
        // The threads are woken.
        state.withLock { $0.asleepUntil = $0.asleepUntil.map { _ in nil } }
        for mailbox in mailboxes { mailbox.stop() }
    }

    /// Whether the calling process started the threads.
    var isOfThisProcess: Bool { owner.isCurrent }

    /// Posts a message to an engine's thread. Does nothing in a forked child, where the signal would wake the parent's thread.
    func post(_ command: Command, to engine: Int) {
        guard owner.isCurrent else { return }
        let isTaken = mailboxes[engine].post(command)
        if !isTaken, case .run(let job) = command { globalConcurrentExecutor.enqueue(job.job) }
    }

    /// The engine of this team that has the calling thread.
    private var here: WireEngine? { EngineThread.current(WireEngine.self).flatMap { $0.team === self ? $0 : nil } }

    /// The engine that runs an exchange.
    func engine(of exchange: WireExchange) -> Int { state.withLock { _ in exchange.engine } }

    /// Whether a request would go through a proxy.
    func usesProxy(for request: borrowing HTTPRequest) throws(HTTPError) -> Bool {
        if configuration.proxy == .none || configuration.proxy == .system { return false }
        guard let origin = request.origin else { return false }
        return try configuration.proxy.proxy(for: origin, environment: environment) != nil
    }

    // MARK: The way of an exchange to its connection

    /// Opens the file of an exchange, before the exchange takes up a connection: a file system that hangs delays only such requests.
    func startOpening(_ exchange: WireExchange) {
        let (mayOpen, mustWake) = state.withLock { state -> (Bool?, Bool) in
            if case .cancelledBeforeStart = exchange.stage { return (nil, false) }
            var mayOpen = true
            switch state.openings.enter(exchange.origin, exchange) {
            case .admitted:
                exchange.stage = .opening(nil)
                exchange.hasOpening = true
            case .waiting(let ticket):
                exchange.stage = .opening(ticket)
                mayOpen = false
            }
            guard let deadline = exchange.deadline else { return (mayOpen, false) }
            return (mayOpen, insert(exchange, due: deadline, engine: 0, &state))
        }
        guard let mayOpen else { return start(exchange) }
        if mustWake { post(.look, to: 0) }
        if mayOpen { exchange.openFile() }
    }

    /// Continues an exchange whose file is open, or could not be opened. It may have ended meanwhile.
    func opened(_ exchange: WireExchange, _ error: HTTPError?) {
        let isWaiting = state.withLock { _ in if case .opening = exchange.stage { true } else { false } }
        guard isWaiting else { return }
        if let error { stop(exchange, error) } else { start(exchange) }
    }

    /// Frees the place of an exchange among the opened files. Returns the exchanges whose files may be opened now.
    private func leaveOpening(_ exchange: WireExchange, _ state: inout State) -> [WireExchange] {
        guard exchange.hasOpening else { return [] }
        exchange.hasOpening = false
        state.openings.leave(exchange.origin, on: 0)
        var next: [WireExchange] = []
        while let (item, _) = state.openings.next() {
            let waiting = unsafeDowncast(item, to: WireExchange.self)
            waiting.stage = .opening(nil)
            waiting.hasOpening = true
            next.append(waiting)
        }
        return next
    }

    /// Begins an exchange on a connection, or lets it wait.
    func start(_ exchange: WireExchange) {
        let preferred = here?.index
        let (step, files, mustWake) = state.withLock { state -> (Step, [WireExchange], Bool) in
            var hasTimer = false
            switch exchange.stage {
            case .cancelledBeforeStart:
                exchange.stage = .finished
                return (.fail, [], false)
            case .finished: return (.wait, [], false)
            case .opening: hasTimer = exchange.deadline != nil
            default: break
            }
            var step = Step.wait, files: [WireExchange] = []
            switch state.admission.enter(exchange.origin, exchange, preferring: preferred) {
            case .admitted(let engine):
                exchange.engine = engine
                step = connection(for: exchange, &state)
                files = leaveOpening(exchange, &state)
            case .waiting(let ticket): exchange.stage = .waiting(ticket)
            }
            guard let deadline = exchange.deadline, !hasTimer else { return (step, files, false) }
            exchange.timerEngine = exchange.engine
            return (step, files, insert(exchange, due: deadline, engine: exchange.engine, &state))
        }
        for other in files { other.openFile() }
        if mustWake { post(.look, to: exchange.timerEngine) }
        perform(step, exchange)
    }

    /// The next step of an exchange.
    private enum Step {
        case use(WireConnection, surplus: [WireConnection])
        case dial(Dial, surplus: [WireConnection])
        case wait
        case fail
    }

    /// Returns the idle connection for an admitted exchange, or an attempt to open one.
    private func connection(for exchange: WireExchange, _ state: inout State) -> Step {
        let engine = exchange.engine, policy = exchange.request.context.addressPolicy
        let now = ContinuousClock.now
        var (idle, surplus) = state.pools[engine].take(exchange.origin, at: now) { connection in
            guard case .idle(let seconds) = exchange.reuse(connection.announcedTimeout), now - connection.idleSince <= .seconds(seconds)
            else { return false }
            guard let policy else { return true }
            return connection.address.map { policy.refusal(of: $0) == nil } ?? false
        }
        if let idle {
            exchange.stage = .running(idle)
            return .use(idle, surplus: surplus)
        }
        // Idle connections count among all connections.
        if state.admission.running[engine] + state.pools[engine].count > deal.shares[engine].total,
            let oldest = state.pools[engine].takeOldest()
        {
            surplus.append(oldest)
        }
        let dial = Dial(exchange)
        exchange.stage = .dialing(dial)
        return .dial(dial, surplus: surplus)
    }

    private func perform(_ step: Step, _ exchange: WireExchange) {
        switch step {
        case .wait: return
        case .fail:
            exchange.settle(.failure(.cancelled(ErrorContext(stage: .exchange))))
            exchange.resume()
        case .dial(let dial, let surplus):
            for connection in surplus { retire(connection) }
            if let here, here.index == exchange.engine { here.dials.append(dial) } else { post(.dial(dial), to: exchange.engine) }
        case .use(let connection, let surplus):
            for connection in surplus { retire(connection) }
            begin(exchange, on: connection)
        }
    }

    /// Sends the request of an exchange on a connection, or on another one if this one was closed meanwhile.
    func begin(_ exchange: WireExchange, on connection: WireConnection) {
        if exchange.time.began == nil { exchange.time.began = .now }
        let expects = exchange.sending.expectsContinue
        switch connection.begin(exchange) {
        case .begun: if expects { awaitPermission(exchange) }
        case .unfinished:
            post(.resumeSending(exchange), to: connection.engine)
            if expects { awaitPermission(exchange) }
        case .stopped(let error):
            retire(connection)
            finish(exchange, .failure(error), keeping: nil)
        case .unusable:
            retire(connection)
            perform(state.withLock { self.connection(for: exchange, &$0) }, exchange)
            // The engine may have wanted to stop it on the connection before.
            if let error = connection.takeStop(of: exchange) { post(.stop(exchange, error), to: connection.engine) }
        }
    }

    /// Sends the body of a request after a time, if the server neither asks for it nor responds.
    private func awaitPermission(_ exchange: WireExchange) {
        let due = ContinuousClock.now + (exchange.request.context.expectContinue ?? .seconds(1))
        let mustWake = state.withLock { state -> Bool in
            guard case .running = exchange.stage, exchange.continueTimer == nil else { return false }
            let timer = ContinueTimer(exchange)
            exchange.continueTimer = timer
            return insert(timer, due: due, engine: exchange.engine, &state)
        }
        if mustWake { post(.look, to: exchange.engine) }
    }

    /// Closes a connection that carries no exchange.
    func retire(_ connection: WireConnection) {
        connection.shut()
        if let here, here.index == connection.engine { here.retire(connection) } else { post(.retire(connection), to: connection.engine) }
    }

    /// Adds a timer. Returns whether the engine must be woken for it.
    func insert(_ timer: any QueuedTimer, due: ContinuousClock.Instant, engine: Int, _ state: inout State) -> Bool {
        state.timers[engine].insert(timer, due: due)
        return state.asleepUntil[engine].map { due < $0 } ?? false
    }

    // MARK: The end of an exchange

    /// Cancels an exchange, from any thread.
    func cancel(_ exchange: WireExchange) {
        guard owner.isCurrent else { return }
        stop(exchange, .cancelled(ErrorContext(stage: .exchange)))
    }

    /// Ends an exchange with an error: now if it waits, otherwise on the thread of its engine.
    func stop(_ exchange: WireExchange, _ error: HTTPError) {
        let (isWaiting, engine, files) = state.withLock { state -> (Bool, Int?, [WireExchange]) in
            switch exchange.stage {
            case .made:
                exchange.stage = .cancelledBeforeStart
                return (false, nil, [])
            case .opening(let ticket): if let ticket { state.openings.abandon(ticket) }
            case .waiting(let ticket): state.admission.abandon(ticket)
            case .dialing, .running: return (false, exchange.engine, [])
            case .cancelledBeforeStart, .finished: return (false, nil, [])
            }
            if exchange.deadline != nil { state.timers[exchange.timerEngine].remove(exchange) }
            exchange.stage = .finished
            return (true, nil, leaveOpening(exchange, &state))
        }
        for other in files { other.openFile() }
        if let engine { post(.stop(exchange, error), to: engine) }
        guard isWaiting else { return }
        exchange.settle(.failure(error))
        exchange.resume()
    }

    /// Frees the place of an exchange that has left its connection, begins the exchanges that waited for it, and resumes the caller.
    func finish(_ exchange: WireExchange, _ result: Result<Void, HTTPError>, keeping connection: WireConnection?) {
        var files: [WireExchange] = []
        let (next, surplus) = state.withLock { state -> ([(WireExchange, Step)], WireConnection?) in
            exchange.stage = .finished
            if exchange.deadline != nil { state.timers[exchange.timerEngine].remove(exchange) }
            if let timer = exchange.continueTimer.take() { state.timers[exchange.engine].remove(timer) }
            state.admission.leave(exchange.origin, on: exchange.engine)
            let surplus = connection.flatMap { state.pools[exchange.engine].put($0, at: .now) }
            guard state.admission.hasTurns else { return ([], surplus) }
            var next: [(WireExchange, Step)] = []
            while let (item, engine) = state.admission.next() {
                let waiting = unsafeDowncast(item, to: WireExchange.self)
                waiting.engine = engine
                next.append((waiting, self.connection(for: waiting, &state)))
                files += leaveOpening(waiting, &state)
            }
            return (next, surplus)
        }
        if let surplus { retire(surplus) }
        for other in files { other.openFile() }
        for (waiting, step) in next { perform(step, waiting) }
        exchange.settle(result)
        exchange.resume()
    }

    // MARK: Names

    /// Looks up the host of a dial. Returns its addresses, or nil if they are found later.
    func addresses(of name: String, for dial: Dial) -> [String]? {
        let (finding, names) = state.withLock { state in
            (state.lookups.ask(name, for: dial, at: .now), WireTeam.startLookups(&state))
        }
        begin(lookups: names)
        if case .known(let addresses) = finding { return addresses }
        return nil
    }

    private static func startLookups(_ state: inout State) -> [String] {
        var names: [String] = []
        while let name = state.lookups.startNext() { names.append(name) }
        return names
    }

    private func begin(lookups names: [String]) {
        for name in names {
            do throws(SystemFailure) {
                try BackgroundThread.start(name: "martlet.lookup") { [self] in complete(name, lookUp(name)) }
            } catch { complete(name, []) }
        }
    }

    private func complete(_ name: String, _ found: [String]) {
        let (dials, addresses, names) = state.withLock { state in
            let (dials, addresses) = state.lookups.complete(name, found, at: .now)
            return (dials, addresses, WireTeam.startLookups(&state))
        }
        for dial in dials { post(.found(dial, addresses), to: dial.exchange.engine) }
        begin(lookups: names)
    }

    // MARK: Jobs

    /// Queues the job of a task on one of the engines.
    func run(_ job: EngineJob) {
        if let next = jobs.engine(for: job, from: here.map { ($0.jobs, $0.index) }) { post(.run(job), to: next) }
    }
}
