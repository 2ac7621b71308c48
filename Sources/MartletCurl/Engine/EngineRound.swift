internal import MartletCore

/// What one round of the engine leaves to be done at its end, with every transfer looked after: readers and callers to be woken.
final class EngineRound: @unchecked Sendable {
    // Proof: only the engine's thread reads or writes it; handles, which other threads set up, merely carry it along.

    private var awaited: [Transfer] = []
    private var finished: [Transfer] = []
    private var earlyAnswered: [Transfer] = []

    /// A reader waits for bytes that have come.
    func awaited(_ transfer: Transfer) { awaited.append(transfer) }

    /// The answer has begun while the request's body has nothing to give.
    func answeredEarly(_ transfer: Transfer) { earlyAnswered.append(transfer) }

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

/// Easy handles that wait for their next transfer.
final class HandlePool: Sendable {
    private let limit = 256
    private let handles = Locked<[EasyHandle]>([])

    func take() -> EasyHandle? { handles.withLock { $0.popLast() } }

    func put(_ handle: EasyHandle) { handles.withLock { if $0.count < limit { $0.append(handle) } } }

    /// Takes back the handles of transfers that have ended; those that are too many go.
    func put(_ transfers: [Transfer]) {
        handles.withLock { handles in
            for transfer in transfers where handles.count < limit {
                if let handle = transfer.handle.take() { handles.append(handle) }
            }
        }
        for transfer in transfers { transfer.handle = nil }
    }

    func removeAll() {
        let all = handles.withLock { handles in
            defer { handles = [] }
            return handles
        }
        _ = consume all
    }
}
