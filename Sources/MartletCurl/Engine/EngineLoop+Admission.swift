internal import MartletHTTP
internal import MartletSystem

// The way of a transfer from the inbox to a connection, and of its place to the next transfer.
extension EngineLoop {
    /// Accepts a new transfer, which runs or waits.
    func start(_ transfer: CurlTransfer) {
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
    func proceed(_ name: String, _ addresses: [String]) {
        for (transfer, error) in lookups.complete(name, addresses) {
            if let error {
                finish(transfer, .failure(error))
            } else if !lookups.holds(transfer) {
                enter(transfer)
            }
        }
    }

    /// Starts the transfers that may run now. Returns false if none of them runs on this engine.
    func startNext() -> Bool {
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
        while let (transfer, engine) = admission.use({ $0.next() }) {
            transfer.slot = .none
            if engine == index { hasStarted = true }
            pass(transfer, to: engine)
        }
        return hasStarted
    }

    /// Continues a transfer whose file was opened or could not be opened. The transfer may have ended meanwhile.
    func opened(_ transfer: CurlTransfer, _ error: HTTPError?) {
        guard transfer.phase == .waiting else { return }
        if let error { return finish(transfer, .failure(error)) }
        enter(transfer)
    }

    /// Frees a transfer's place among the connections.
    func leave(_ transfer: CurlTransfer, isMultiplexed: Bool? = nil) {
        let mayStart = admission.use { [index] admission in
            if let isMultiplexed { admission.learn(transfer.origin, isMultiplexed: isMultiplexed) }
            admission.leave(transfer.origin, on: index)
            return admission.hasTurns
        }
        if mayStart { mustTellFront = true }
    }
}
