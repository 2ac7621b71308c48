internal import MartletHTTP
internal import MartletSystem

/// What one round of the engine leaves to be done at its end, with every transfer looked after: readers and callers to be woken.
final class EngineRound: @unchecked Sendable {
    // Proof: only the engine's thread reads or writes it; handles, which other threads set up, merely carry it along.

    /// Where a body's bytes are decoded before they are stored.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// The work that received bytes may still cause in this round.
    var work = RoundBudget()
    /// What may still be read in this round of the bodies with which proxies refuse tunnels.
    var refusals = TunnelRefusalBudget()
    /// Transfers that used up their share of a round, in the order in which they continue.
    private var yielding: [Transfer] = []
    private var awaited: [Transfer] = []
    private var finished: [Transfer] = []
    private var earlyAnswered: [Transfer] = []
    private var sharing: [Transfer] = []

    deinit { scratch.deallocate() }

    /// Starts the next round.
    func begin() {
        refusals = TunnelRefusalBudget()
        work.begin()
    }

    /// Queues a transfer that has used up its share of the round. It continues in a later round.
    func yields(_ transfer: Transfer) {
        transfer.isYielding = true
        yielding.append(transfer)
    }

    /// Whether transfers are queued for the next round.
    var hasYielding: Bool { !yielding.isEmpty }

    /// Continues queued transfers in order, as far as the round's work allows.
    func takeTurns(_ resume: (Transfer) -> Void) {
        guard hasYielding else { return }
        let turns = yielding
        yielding = []
        var next = turns.startIndex
        while next < turns.endIndex, work.left > 0 {
            turns[next].isYielding = false
            resume(turns[next])
            next += 1
        }
        yielding.insert(contentsOf: turns[next...], at: 0)
    }

    /// A reader waits for bytes that have come.
    func awaited(_ transfer: Transfer) { awaited.append(transfer) }

    /// The answer has begun while the request's body has nothing to give.
    func answeredEarly(_ transfer: Transfer) { earlyAnswered.append(transfer) }

    /// The answer came on a connection that carries many.
    func sharesConnection(_ transfer: Transfer) { sharing.append(transfer) }

    /// Those whose connections were found to carry many since it was asked last.
    func takeSharing() -> [Transfer] {
        guard !sharing.isEmpty else { return [] }
        defer { sharing = [] }
        return sharing
    }

    /// Whether there are transfers that only ``nudge(_:)`` can bring to their end.
    var mustNudge: Bool { !earlyAnswered.isEmpty }

    /// Has libcurl look again at uploads that were paused when their answer came: it does not see by itself that such an exchange is
    /// over. Those that are not over are remembered again when they find nothing to send.
    func nudge(_ resume: (Transfer) -> Void) {
        let transfers = earlyAnswered
        earlyAnswered.removeAll(keepingCapacity: true)
        for transfer in transfers where transfer.isSendingPaused { resume(transfer) }
    }

    /// A transfer has its outcome.
    func finished(_ transfer: Transfer) { finished.append(transfer) }

    /// Puts the handles of the finished transfers back, and then wakes whoever waits.
    func end(pool: HandlePool) {
        if !awaited.isEmpty {
            for transfer in awaited { transfer.pipe?.flush() }
            awaited.removeAll(keepingCapacity: true)
        }
        guard !finished.isEmpty else { return }
        pool.put(finished)
        for transfer in finished {
            if let outcome = transfer.outcome.take() { transfer.resume(outcome) }
        }
        finished.removeAll(keepingCapacity: true)
    }
}

/// Easy handles that wait for their next transfer, and the count of all there are.
final class HandlePool: Sendable {
    private struct State {
        var idle: [EasyHandle] = []
        var count = 0
    }

    /// How many are kept when they have nothing to do.
    private let maxIdle = 256
    /// How many are made ahead of their turn.
    private let maxAhead: Int
    private let state = Locked(State())

    init(maxAhead: Int) { self.maxAhead = maxAhead }

    /// Returns an idle handle or a new one. Returns nil at the limit, unless the transfer's turn has come: then it gets one in any case.
    func take(isTurn: Bool, orMake make: () -> EasyHandle?) -> EasyHandle? {
        let (idle, isFull) = state.withLock { state in
            let idle = state.idle.popLast()
            let isFull = !isTurn && state.count >= maxAhead
            if idle == nil, !isFull { state.count += 1 }
            return (idle, isFull)
        }
        return isFull ? idle : idle ?? counted(make())
    }

    /// Takes back the handles of transfers that have ended; those that are too many go.
    func put(_ transfers: [Transfer]) {
        var spare: [EasyHandle] = []
        state.withLock { state in
            for transfer in transfers {
                guard let handle = transfer.takeHandle() else { continue }
                // Of one with a fault nobody knows what is set.
                if state.idle.count < maxIdle, handle.fault == nil {
                    state.idle.append(handle)
                } else {
                    state.count -= 1
                    spare.append(handle)
                }
            }
        }
    }

    func removeAll() {
        let all = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        _ = consume all
    }

    /// A handle that could not be made does not count.
    private func counted(_ handle: EasyHandle?) -> EasyHandle? {
        if handle == nil { state.withLock { $0.count -= 1 } }
        return handle
    }
}
