internal import CMartletEngine
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// An engine's thread: it waits for the sockets of its connections, reads responses, and ends exchanges.
///
/// Each round handles the messages of other threads, the jobs of tasks that prefer this thread, the events of sockets, and deadlines.
final class WireEngine {
    /// The maximum number of bytes of one read, as of streams over libcurl.
    static let readLength = 256 * 1024
    private static let longestSleep = Duration.seconds(3600)
    private static let maxEvents = 256
    private static let maxHorizon = Duration.seconds(120)

    let team: WireTeam
    let index: Int
    let jobs = EngineJobs()
    private let mailbox: Mailbox<WireTeam.Command>
    private let poller: Int32
    private let round = WireRound()
    private var events = [cengine_event](repeating: cengine_event(), count: WireEngine.maxEvents)
    /// Whether there are messages.
    private var hasMail = false
    /// Whether the transport has been released.
    private var isStopping = false
    /// The dials to begin. Not at once: a dial that fails frees its place, which begins the next one.
    var dials: [Dial] = []
    /// Closed connections, whose events may still be in `events`.
    private var retired: [WireConnection] = []
    /// The connections that the poller knows, which keeps them alive.
    private var connections: [ObjectIdentifier: WireConnection] = [:]
    /// The latest deadline so far, until which an engine without deadlines sleeps, so that the next one need not wake it.
    private var horizon = ContinuousClock.now

    init(_ team: WireTeam, index: Int, mailbox: Mailbox<WireTeam.Command>) throws(SystemFailure) {
        self.team = team
        self.index = index
        self.mailbox = mailbox
        poller = cengine_make_poller()
        // Token 0 is the mailbox.
        guard poller >= 0, cengine_poller_watch(poller, mailbox.descriptor, 0, true, false, true) else {
            throw SystemFailure(what: "the sockets can't be polled", code: errno)
        }
    }

    deinit { if poller >= 0 { _ = close(poller) } }

    func run() {
        EngineThread.set(self)
        while true {
            round.begin(takeTurn)
            if hasMail { followCommands() }
            runJobs()
            beginDials()
            if isStopping, hasEnded() { break }
            poll()
            expire()
            forgetRetired()
        }
        EngineThread.set(nil)
        for command in mailbox.close() { if case .run(let job) = command { globalConcurrentExecutor.enqueue(job.job) } }
    }

    // MARK: Waiting

    private func poll() {
        let hasWork = hasMail || !round.turns.isEmpty || !jobs.isEmpty || !dials.isEmpty
        let wait = hasWork ? 0 : untilNextDeadline()
        let count = Int(cengine_poller_take(poller, &events, Int32(events.count), wait))
        for index in 0..<count {
            let event = events[index]
            guard event.token != 0, let address = UnsafeRawPointer(bitPattern: UInt(event.token)) else {
                hasMail = true
                continue
            }
            let connection = Unmanaged<WireConnection>.fromOpaque(address).takeUnretainedValue()
            let outcome = connection.handle(canRead: event.can_read, canWrite: event.can_write, hasEnded: event.has_ended, in: round)
            follow(outcome, connection)
            // The server may have sent before the request. That event does not occur again.
            if case .dialed(_, 0) = outcome, event.can_read {
                follow(connection.handle(canRead: true, canWrite: false, hasEnded: false, in: round), connection)
            }
        }
    }

    /// Returns the time until the next deadline in milliseconds, and records until when the thread sleeps.
    private func untilNextDeadline() -> Int32 {
        let now = ContinuousClock.now
        let end = team.state.withLock { state -> ContinuousClock.Instant in
            if let due = state.timers[index].nextDue { horizon = max(horizon, min(due, now + WireEngine.maxHorizon)) }
            var end = state.timers[index].nextDue ?? (horizon > now ? horizon : now + WireEngine.longestSleep)
            if let due = state.pools[index].nextDue { end = min(end, due) }
            state.asleepUntil[index] = end
            return end
        }
        let milliseconds = ((end - now) / .milliseconds(1)).rounded(.up)
        return Int32(min(max(milliseconds, 0), 3_600_000))
    }

    /// Ends what is due.
    private func expire() {
        let now = ContinuousClock.now
        var due: [any QueuedTimer] = []
        let idle = team.state.withLock { state in
            state.asleepUntil[index] = nil
            if let next = state.timers[index].nextDue, next <= now { due = state.timers[index].removeDue(at: now) }
            return state.pools[index].takeExpired(at: now)
        }
        for connection in idle { team.retire(connection) }
        for timer in due {
            switch timer {
            case let exchange as WireExchange: team.stop(exchange, .timeout(ErrorContext(stage: .exchange)))
            case let dial as Dial: continueDial(dial, at: now)
            case let timer as ContinueTimer: endContinue(timer)
            default: break
            }
        }
    }

    /// Whether the team is closed and nothing runs here.
    private func hasEnded() -> Bool {
        let (isIdle, idle) = team.state.withLock { state in
            (state.admission.running[index] == 0, state.pools[index].takeAll())
        }
        for connection in idle { team.retire(connection) }
        forgetRetired()
        return isIdle && jobs.isEmpty
    }

    // MARK: Messages

    private func followCommands() {
        hasMail = false
        isStopping = mailbox.isStopping
        for command in mailbox.take() {
            switch command {
            case .dial(let dial): dials.append(dial)
            case .found(let dial, let addresses): found(dial, addresses)
            case .stop(let exchange, let error): stop(exchange, error)
            case .resumeReceiving(let exchange): resumeReceiving(exchange)
            case .resumeSending(let exchange): resumeSending(exchange)
            case .retire(let connection): retire(connection)
            case .run(let job): jobs.append(job)
            case .look: break
            }
        }
    }

    private func runJobs() {
        guard jobs.run(while: { team.isOfThisProcess }) else { return }
        // A job has forked the process: this is the child's only thread, and the other jobs and the connections are its parent's.
        if !team.isOfThisProcess { EngineThread.park() }
    }

    private func connection(of exchange: WireExchange) -> WireConnection? {
        team.state.withLock { _ in if case .running(let connection) = exchange.stage { connection } else { nil } }
    }

    private func resumeReceiving(_ exchange: WireExchange) {
        guard let connection = connection(of: exchange) else { return }
        follow(connection.resumeReceiving(exchange, in: round), connection)
    }

    private func takeTurn(_ exchange: WireExchange) {
        guard let connection = connection(of: exchange) else { return }
        follow(connection.takeTurn(exchange, in: round), connection)
    }

    private func resumeSending(_ exchange: WireExchange, permits: Bool = false) {
        guard let connection = connection(of: exchange) else { return }
        follow(connection.resumeSending(exchange, permits: permits, in: round), connection)
    }

    private func endContinue(_ timer: ContinueTimer) {
        let exchange = timer.exchange
        team.state.withLock { _ in exchange.continueTimer = nil }
        resumeSending(exchange, permits: true)
    }

    /// Ends an exchange with an error.
    private func stop(_ exchange: WireExchange, _ error: HTTPError) {
        switch team.state.withLock({ _ in exchange.stage }) {
        case .running(let connection):
            // Otherwise another thread is about to begin it there, and finds that it is stopped, unless it has moved on meanwhile.
            guard connection.abort(exchange, error) else {
                if self.connection(of: exchange) !== connection { stop(exchange, error) }
                return
            }
            retire(connection)
            end(exchange, error)
        case .dialing(let dial):
            end(dial)
            end(exchange, error)
        case .made, .cancelledBeforeStart, .opening, .waiting, .finished: return
        }
    }

    private func end(_ exchange: WireExchange, _ error: HTTPError) {
        var error = error
        if case .cancelled = error, exchange.pipe != nil { error = .cancelled(ErrorContext(stage: .body)) }
        team.finish(exchange, .failure(error), keeping: nil)
    }

    // MARK: Connections

    private func follow(_ outcome: WireConnection.Outcome, _ connection: WireConnection) {
        switch outcome {
        case .nothing: return
        case .dialed(let dial, let code): dialed(dial, connection, code)
        case .progress(let exchange, let isAwaited):
            if exchange.hasEarlyAnswer { exchange.resume() }
            if isAwaited { exchange.pipe?.flush() }
        case .ended(let exchange, let result, let isReusable):
            if !isReusable { retire(connection) }
            team.finish(exchange, result, keeping: isReusable ? connection : nil)
        case .startsAgain(let exchange):
            retire(connection)
            let dial = Dial(exchange)
            team.state.withLock { _ in exchange.stage = .dialing(dial) }
            dials.append(dial)
        case .closed:
            team.state.withLock { $0.pools[index].remove(connection) }
            retire(connection)
        }
    }

    /// Releases a closed connection at the end of the round.
    func retire(_ connection: WireConnection) { retired.append(connection) }

    private func forgetRetired() {
        guard !retired.isEmpty else { return }
        for connection in retired { connections[ObjectIdentifier(connection)] = nil }
        retired.removeAll(keepingCapacity: true)
    }

    // MARK: Opening connections

    private func beginDials() {
        guard !dials.isEmpty else { return }
        let some = dials.prefix(WireEngine.maxEvents)
        dials.removeFirst(some.count)
        for dial in some { begin(dial) }
    }

    /// Finds the addresses for a dial, and begins the first attempt.
    private func begin(_ dial: Dial) {
        guard !dial.isOver else { return }
        let exchange = dial.exchange, configuration = team.configuration
        exchange.time.began = exchange.time.began ?? .now
        team.state.withLock { state in _ = team.insert(dial, due: dial.began + connectTimeout, engine: index, &state) }
        if let path = configuration.unixSocket {
            dial.addresses = SocketAddress(path: path).map { [$0] } ?? []
            return continueDial(dial, at: .now)
        }
        guard let origin = exchange.request.origin, let port = origin.port else {
            return fail(dial, .invalidURL("the URL has no host and port"))
        }
        let host = String(origin.host.withoutBrackets)
        dial.name = host
        if let configured = team.resolve[host] { return found(dial, configured) }
        if IPAddress(host) != nil {
            dial.addresses = SocketAddress.of(host: host, port: port, isNumeric: true)
            return continueDial(dial, at: .now)
        }
        if let addresses = team.addresses(of: host, for: dial) { found(dial, addresses) }
    }

    private func found(_ dial: Dial, _ addresses: [String]) {
        guard !dial.isOver, let port = dial.exchange.request.origin?.port else { return }
        if team.resolve[dial.name] == nil { dial.exchange.time.lookup = .now - dial.began }
        dial.addresses = addresses.flatMap { SocketAddress.of(host: $0, port: port, isNumeric: true) }
        continueDial(dial, at: .now)
    }

    private var connectTimeout: Duration { max(team.configuration.connectTimeout, .milliseconds(1)) }

    /// Begins the next attempt, or ends the dial if its time is over.
    private func continueDial(_ dial: Dial, at now: ContinuousClock.Instant) {
        guard !dial.isOver else { return }
        let end = dial.began + connectTimeout
        guard now < end else {
            let words = dial.attempts.isEmpty ? "the name was not found in time" : ""
            return fail(dial, .timeout(ErrorContext(stage: .connect, detail: words)))
        }
        while !dial.addresses.isEmpty {
            if attempt(dial, dial.addresses.removeFirst()) { break }
        }
        guard !dial.attempts.isEmpty else { return fail(dial, dial.failure) }
        if dial.attempts.count > Dial.maxAttempts { team.retire(dial.attempts.removeFirst()) }
        // The last attempts have time for a second packet.
        let wait =
            dial.attempts.count < Dial.maxAttempts ? Dial.delay : max(Dial.delay, (end - now) / (dial.addresses.count + 1))
        let due = dial.addresses.isEmpty ? end : min(end, now + wait)
        team.state.withLock { state in
            state.timers[index].remove(dial)
            _ = team.insert(dial, due: due, engine: index, &state)
        }
    }

    /// Begins to connect to an address. Returns false if that failed.
    private func attempt(_ dial: Dial, _ address: SocketAddress) -> Bool {
        let text = address.numericHost
        if let policy = dial.exchange.request.context.addressPolicy {
            let isUnix = team.configuration.unixSocket != nil
            let refusal = isUnix ? "the connection has no IP address that the address policy could check" : policy.refusal(ofAddress: text)
            if let refusal {
                dial.refusal = refusal
                return false
            }
        }
        do throws(SystemFailure) {
            let socket = try StreamSocket(connectingTo: address)
            // Urgent data would hide the bytes after it from an edge-triggered reader.
            socket.set(SOL_SOCKET, SO_OOBINLINE, 1)
            let connection = WireConnection(
                socket, to: dial.exchange.origin, address: team.configuration.unixSocket == nil ? text : "", dial: dial, poller: poller)
            let token = UInt64(UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque()))
            connections[ObjectIdentifier(connection)] = connection
            guard cengine_poller_watch(poller, socket.descriptor, token, true, true, true) else {
                dial.code = errno
                connection.shut()
                connections[ObjectIdentifier(connection)] = nil
                return false
            }
            dial.attempts.append(connection)
            return true
        } catch {
            dial.code = error.code
            return false
        }
    }

    /// Uses a connection that is open, or tries the next address.
    private func dialed(_ dial: Dial, _ connection: WireConnection, _ code: Int32) {
        guard !dial.isOver else { return }
        guard code == 0 else {
            dial.code = code
            dial.attempts.removeAll { $0 === connection }
            team.retire(connection)
            return continueDial(dial, at: .now)
        }
        let exchange = dial.exchange
        dial.attempts.removeAll { $0 === connection }
        end(dial)
        connection.connected()
        exchange.time.connect = .now - dial.began - (exchange.time.lookup ?? .zero)
        team.state.withLock { _ in exchange.stage = .running(connection) }
        team.begin(exchange, on: connection)
    }

    private func fail(_ dial: Dial, _ error: HTTPError) {
        end(dial)
        team.finish(dial.exchange, .failure(error), keeping: nil)
    }

    /// Ends a dial and its other attempts.
    private func end(_ dial: Dial) {
        guard !dial.isOver else { return }
        dial.isOver = true
        team.state.withLock { state in
            state.timers[index].remove(dial)
            if !dial.name.isEmpty { state.lookups.abandon(dial, of: dial.name) }
        }
        for connection in dial.attempts { team.retire(connection) }
        dial.attempts = []
    }
}
