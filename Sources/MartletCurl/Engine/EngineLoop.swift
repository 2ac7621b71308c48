internal import CMartletCurl
internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// An engine's thread, the only one that uses its multi handle of libcurl.
///
/// A transport has one engine or several (``EngineTeam``). The first one also holds the requests that wait.
///
/// Each round processes the commands, runs the jobs of tasks that prefer this thread, runs libcurl, collects ended transfers and resumes
/// their callers. Then the thread sleeps until a socket, one of libcurl's timers, a deadline or the inbox wakes it.
final class EngineLoop {
    private let functions: UnsafePointer<ccurl_functions>
    private let multi: UnsafeMutableRawPointer
    let index: Int
    let team: EngineTeam
    let inbox: EngineInbox
    private let pool: HandlePool
    private let round: EngineRound
    private var commands: [EngineInbox.Command] = []
    // Proof: accesses to these properties need no check for overlaps. Each is a read, an assignment, or a method of a value that calls
    // nothing outside it, except that the queue of deadlines sets the places of its transfers.
    @exclusivity(unchecked) private var deadlines = TimerQueue()
    private let admission: TeamAdmission
    private let capacity: Int
    private let lookups: NameLookups
    private let openings: FileOpenings
    /// The jobs of the tasks that prefer this thread.
    let jobs = EngineJobs()
    private let makeHandle: () -> EasyHandle?
    /// The upgraded connections; nil before the first one.
    @exclusivity(unchecked) private var upgrades: UpgradedSockets?
    private let version: CurlVersion
    private let maxIdleTime: Duration
    private let maxIdleTimeWhenNotIdempotent: Duration
    @exclusivity(unchecked) private var keepAlive = BoundedMap<String, Duration>(limit: 1_000)
    /// The number of running and waiting transfers.
    @exclusivity(unchecked) private var transferCount = 0
    @exclusivity(unchecked) private var runningCount = 0
    private var isClosing = false
    /// Whether libcurl may have transfers that wait for a connection: from when there are more transfers than connections until there are
    /// none.
    private var isQueueing = false
    @exclusivity(unchecked) private var hasFinished = false
    /// Whether requests that wait at the first engine may run because of a request that ended here.
    private var mustTellFront = false

    init(
        functions: UnsafePointer<ccurl_functions>, multi: UnsafeMutableRawPointer, index: Int, team: EngineTeam, deal: EngineDeal,
        pool: HandlePool, round: EngineRound, configuration: CurlTransport.Configuration, version: CurlVersion,
        lookups: NameLookups,
        makeHandle: @escaping () -> EasyHandle?
    ) {
        self.version = version
        maxIdleTime = configuration.maxIdleTime
        maxIdleTimeWhenNotIdempotent = configuration.maxIdleTimeWhenNotIdempotent
        self.index = index
        self.team = team
        inbox = team.inboxes[index]
        admission = team.admission(deal)
        capacity = deal.shares[index].capacity
        openings = FileOpenings(configuration, inbox: inbox)
        self.lookups = lookups
        self.makeHandle = makeHandle
        self.functions = functions
        self.multi = multi
        self.pool = pool
        self.round = round
    }

    /// The engine whose thread is the calling one; nil on other threads.
    static var current: EngineLoop? { EngineThread.current(EngineLoop.self) }

    func run() {
        EngineThread.set(self)
        while true {
            round.begin()
            round.takeTurns(takeTurn)
            followCommands()
            runJobs()
            if round.mustNudge { round.nudge(resumeSending) }
            var running: Int32 = 0
            _ = functions.pointee.multi_perform(multi, &running)
            collect()
            upgrades?.run(finish)
            expire()
            round.end(pool: pool)
            upgrades?.end()
            // Waiting transfers are set up only now, with the handles of the transfers that have ended.
            if startNext() { continue }
            if isClosing, transferCount == 0, jobs.isEmpty, upgrades?.isEmpty ?? true { break }
            if !mustLookAgain(), jobs.isEmpty, !round.hasYielding, upgrades?.hasWork != true, inbox.mayFallAsleep() { sleep() }
        }
        EngineThread.set(nil)
        pool.removeAll()
        upgrades = nil
        _ = functions.pointee.multi_cleanup(multi)
        // The thread no longer uses the TLS library. A process that exits waits for this.
        inbox.parked()
        ExitHook.forget(inbox)
    }

    private func sleep() {
        var bell = curl_waitfd(fd: inbox.wakeupDescriptor, events: Int16(CURL_WAIT_POLLIN.code), revents: 0)
        // libcurl wakes earlier for its own next timer, for sockets, and for the inbox.
        let code =
            upgrades.map { sleep($0, &bell) } ?? functions.pointee.multi_poll(multi, &bell, 1, untilNextDeadline(atMost: longestSleep), nil)
        if bell.revents != 0 { inbox.clearWakeup() }
        // An error, such as a lack of memory, must not become a busy loop.
        if code != CURLM_OK.code { usleep(1000) }
    }

    /// Sleeps until the sockets of upgraded connections have events too.
    private func sleep(_ upgrades: UpgradedSockets, _ bell: inout curl_waitfd) -> Int32 {
        var descriptors = [bell, curl_waitfd(fd: upgrades.descriptor, events: Int16(CURL_WAIT_POLLIN.code), revents: 0)]
        let code = functions.pointee.multi_poll(multi, &descriptors, 2, untilNextDeadline(atMost: longestSleep), nil)
        bell = descriptors[0]
        upgrades.mayHaveEvents = descriptors[1].revents != 0
        return code
    }

    /// Whether libcurl must work once more before the engine may sleep. When a transfer ends, libcurl (seen with 7.88) takes another from
    /// its queue for connections and may lose the timer that would run it. That transfer would then stall until something else happens.
    private func mustLookAgain() -> Bool {
        isQueueing = runningCount > capacity || isQueueing && runningCount > 0
        defer { hasFinished = false }
        return isQueueing && hasFinished
    }

    private var longestSleep: Int32 { round.mustNudge ? 50 : 3_600_000 }

    private var nextDue: ContinuousClock.Instant? {
        guard let lookup = lookups.nextDue else { return deadlines.nextDue }
        return min(lookup, deadlines.nextDue ?? lookup)
    }

    /// Returns the time until the next deadline in milliseconds, rounded up so that the thread does not wake too early.
    private func untilNextDeadline(atMost longest: Int32) -> Int32 {
        var due = nextDue
        if let other = upgrades?.nextDue { due = min(other, due ?? other) }
        guard let due else { return longest }
        let milliseconds = ((due - .now) / .milliseconds(1)).rounded(.up)
        return Int32(min(max(milliseconds, 0), Double(longest)))
    }

    /// Ends the transfers whose deadline has passed.
    private func expire() {
        guard let due = nextDue else { return }
        let now = ContinuousClock.now
        guard due <= now else { return }
        for case let transfer as CurlTransfer in deadlines.removeDue(at: now) {
            finish(transfer, .failure(.timeout(ErrorContext(stage: .exchange))))
        }
        for transfer in lookups.takeExpired(at: now) {
            finish(transfer, .failure(.timeout(ErrorContext(stage: .connect, detail: "the name was not found in time"))))
        }
    }

    private func followCommands() {
        inbox.take(into: &commands)
        for command in commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .resumeReceiving(let transfer): if transfer.reception.readerMadeRoom() { unpause(transfer) }
            case .resumeSending(let transfer): resumeSending(transfer)
            case .run(let job): jobs.append(job)
            case .opened(let transfer, let error): opened(transfer, error)
            case .lookedUp(let name, let addresses): proceed(name, addresses)
            // The round ends with it.
            case .startNext: break
            case .upgraded(let id, let demand): upgrades?.follow(demand, of: id)
            case .close: isClosing = true
            case .park:
                inbox.parked()
                EngineThread.park()
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Runs jobs of tasks, and processes the commands that they have posted, such as requests to start.
    private func runJobs() {
        guard jobs.run(while: { inbox.isOfThisProcess }) else { return }
        // A job has forked the process: this is the child's only thread, and the other jobs and the connections are its parent's.
        if !inbox.isOfThisProcess { EngineThread.park() }
        followCommands()
    }

    private func run(_ transfer: CurlTransfer) {
        guard transfer.upgrade == nil else { return upgrade(transfer) }
        transfer.begin()
        runningCount += 1
        openings.leave(transfer)
        guard let handle = transfer.handle ?? makeHandle() else {
            return finish(transfer, .failure(.engineUnavailable(Explanation("libcurl made no easy handle"))))
        }
        if transfer.handle == nil { transfer.prepare(handle) }
        connect(transfer, handle)
    }

    /// Opens a connection for a transfer that asks for its upgrade.
    private func upgrade(_ transfer: CurlTransfer) {
        transfer.begin()
        upgrades = upgrades ?? UpgradedSockets(functions, version, round: round, inbox: inbox)
        guard let upgrades, let handle = transfer.handle else {
            return finish(transfer, .failure(.engineUnavailable("the process has no free file descriptors")))
        }
        handle.transfer = transfer
        if handle.round !== round { handle.move(to: round) }
        handle.set(addresses: transfer.lookups.lines)
        handle.limitReuse(to: .never)
        if let fault = handle.fault { return finish(transfer, .failure(fault)) }
        do throws(HTTPError) { try upgrades.connect(transfer, handle) } catch { finish(transfer, .failure(error)) }
    }

    /// Writes to an upgraded connection. Called by a job on this thread.
    func write(to id: UInt32) { upgrades?.write(to: id, finish) }

    /// Passes a transfer to libcurl.
    private func connect(_ transfer: CurlTransfer, _ handle: EasyHandle) {
        handle.transfer = transfer
        if handle.round !== round { handle.move(to: round) }
        handle.set(addresses: transfer.lookups.lines)
        let reuse = ConnectionReuse(
            isRepeatable: transfer.sending.isIdempotent, announced: keepAlive[transfer.origin], maxIdleTime: maxIdleTime,
            maxIdleTimeWhenNotIdempotent: maxIdleTimeWhenNotIdempotent)
        handle.limitReuse(to: transfer.sending.isRestarted ? .never : reuse)
        if let fault = handle.fault { return finish(transfer, .failure(fault)) }
        handle.begins()
        let code = functions.pointee.multi_add_handle(multi, handle.curl)
        guard code == CURLM_OK.code else {
            return finish(transfer, .failure(.networkError(NetworkFailure(.other, "libcurl did not accept the transfer (error \(code))"))))
        }
    }

    private func cancel(_ transfer: CurlTransfer) {
        // Handed over. Only the first engine changes `inbox`, and only the first engine gets such a cancellation.
        if let owner = transfer.inbox, owner !== inbox {
            owner.post(.cancel(transfer))
            return
        }
        switch transfer.phase {
        case .made: transfer.phase = .cancelledBeforeStart
        case .waiting, .running: finish(transfer, .failure(transfer.reception.cancellation))
        case .cancelledBeforeStart, .finished: return
        }
    }

    /// Continues a transfer that had used up its share of a round.
    private func takeTurn(_ transfer: CurlTransfer) {
        transfer.reception.beginTurn()
        unpause(transfer)
    }

    private func resumeSending(_ transfer: CurlTransfer) {
        transfer.sending.resume()
        unpause(transfer)
    }

    private func unpause(_ transfer: CurlTransfer) {
        guard transfer.phase == .running, let handle = transfer.handle else { return }
        let paused = (transfer.reception.pause != nil ? CURLPAUSE_RECV.code : 0) | (transfer.sending.isPaused ? CURLPAUSE_SEND.code : 0)
        let code = functions.pointee.easy_pause(handle.curl, Int32(paused))
        // libcurl delivers withheld data within this call and reports a failure only as its result.
        if code != CURLE_OK.code { finish(transfer, transfer.result(handle, Int(code))) }
    }

    private func collect() {
        var left: Int32 = 0
        while let message = functions.pointee.multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE.code, let easy = message.pointee.easy_handle else { continue }
            let code = Int(message.pointee.data.result)
            guard let handle = CurlCallbacks.handle(ccurl_get_pointer(functions, easy, Int32(CURLINFO_PRIVATE.code))),
                let transfer = handle.transfer
            else { continue }
            if transfer.startsAgain(handle, code) {
                _ = functions.pointee.multi_remove_handle(multi, easy)
                handle.ended()
                transfer.prepare(handle)
                connect(transfer, handle)
            } else {
                finish(transfer, transfer.result(handle, code))
            }
        }
    }

    private func finish(_ transfer: CurlTransfer, _ result: Result<Void, HTTPError>) {
        transferCount -= 1
        switch transfer.phase {
        case .running: transfer.upgrade == nil ? stop(transfer) : upgrades?.leave(transfer)
        case .waiting:
            lookups.abandon(transfer)
            openings.leave(transfer)
            if case .queued(let ticket) = transfer.slot { admission.use { $0.abandon(ticket) } }
        case .cancelledBeforeStart: if case .granted = transfer.slot { leave(transfer) }
        case .made, .finished: break
        }
        if transfer.phase != .cancelledBeforeStart, transfer.deadline != nil { deadlines.remove(transfer) }
        hasFinished = true
        transfer.finish(result)
        if transfer.upgrade != nil { transfer.releaseHandle() }
        round.finished(transfer)
    }

    /// Removes a running transfer from libcurl and frees its place.
    private func stop(_ transfer: CurlTransfer) {
        runningCount -= 1
        if let timeout = transfer.reception.keepAliveTimeout { keepAlive.insert(timeout, for: transfer.origin) }
        if let handle = transfer.handle, handle.transfer === transfer {
            _ = functions.pointee.multi_remove_handle(multi, handle.curl)
            handle.ended()
            handle.transfer = nil
            // A response that began and ended in this round has not been counted as multiplexed yet.
            if handle.head.isComplete { return leave(transfer, isMultiplexed: handle.head.version == .http2) }
        }
        leave(transfer)
    }

    // MARK: The way of a transfer from the inbox to a connection, and of its place to the next transfer

    /// Accepts a new transfer, which runs or waits.
    private func start(_ transfer: CurlTransfer) {
        transferCount += 1
        guard transfer.phase == .made else { return finish(transfer, .failure(.cancelled(ErrorContext(stage: .exchange)))) }
        transfer.phase = .waiting
        if let deadline = transfer.deadline { deadlines.insert(transfer, due: deadline) }
        if case .granted = transfer.slot {
            run(transfer)
        } else if !lookups.holds(transfer) {
            enter(transfer)
        }
    }

    /// Opens a transfer's file if there is one, and then runs the transfer or queues it for a connection.
    private func enter(_ transfer: CurlTransfer) {
        if let upgrade = transfer.upgrade { return pass(transfer, to: upgrade.place.engine) }
        guard !openings.holds(transfer) else { return }
        switch admission.use({ $0.enter(transfer.origin, transfer) }) {
        case .admitted(let engine): pass(transfer, to: engine)
        case .waiting(let ticket): transfer.slot = .queued(ticket)
        }
    }

    /// Runs an admitted transfer, or hands it over to the engine that runs it. This engine does not touch it afterwards, except to forward
    /// its cancellation.
    private func pass(_ transfer: CurlTransfer, to engine: Int) {
        guard engine != index else { return run(transfer) }
        transferCount -= 1
        if transfer.deadline != nil { deadlines.remove(transfer) }
        openings.leave(transfer)
        transfer.phase = .made
        transfer.slot = .granted
        let next = team.inboxes[engine]
        transfer.inbox = next
        next.post(.start(transfer))
    }

    /// Continues the transfers that waited for a name.
    private func proceed(_ name: String, _ addresses: [String]) {
        for (transfer, error) in lookups.complete(name, addresses) {
            if let error {
                finish(transfer, .failure(error))
            } else if !lookups.holds(transfer) {
                enter(transfer)
            }
        }
    }

    /// Starts the transfers that may run now. Returns false if none of them runs on this engine.
    private func startNext() -> Bool {
        for transfer in round.takeSharing() where transfer.phase == .running {
            let mayStart = admission.use { admission in
                admission.learn(transfer.origin, isMultiplexed: true)
                return admission.hasTurns
            }
            if mayStart { mustTellFront = true }
        }
        defer { mustTellFront = false }
        guard index == 0 else {
            if mustTellFront { team.front.post(.startNext) }
            return false
        }
        var hasStarted = false
        while let (item, engine) = admission.use({ $0.next() }) {
            let transfer = unsafeDowncast(item, to: CurlTransfer.self)
            transfer.slot = .none
            if engine == index { hasStarted = true }
            pass(transfer, to: engine)
        }
        return hasStarted
    }

    /// Continues a transfer whose file was opened or could not be opened. The transfer may have ended meanwhile.
    private func opened(_ transfer: CurlTransfer, _ error: HTTPError?) {
        guard transfer.phase == .waiting else { return }
        if let error { return finish(transfer, .failure(error)) }
        enter(transfer)
    }

    /// Frees a transfer's place among the connections.
    private func leave(_ transfer: CurlTransfer, isMultiplexed: Bool? = nil) {
        guard transfer.upgrade == nil else { return }
        let mayStart = admission.use { [index] admission in
            if let isMultiplexed { admission.learn(transfer.origin, isMultiplexed: isMultiplexed) }
            admission.leave(transfer.origin, on: index)
            return admission.hasTurns
        }
        if mayStart { mustTellFront = true }
    }
}
