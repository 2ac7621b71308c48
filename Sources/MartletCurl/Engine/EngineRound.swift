internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The work that callbacks leave for the end of one round of the engine: readers and callers to resume.
final class EngineRound: @unchecked Sendable {
    // Proof: only the engine's thread accesses it. Handles, which other threads set up, only hold a reference.

    /// The buffer in which a body's bytes are decoded before they are stored.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// The work that received bytes may still cause in this round.
    var work = RoundBudget()
    /// The number of bytes of proxies' refusals of tunnels that may still be read in this round.
    var refusals = TunnelRefusalBudget()
    /// The connections that their servers have retired.
    var retired = RetiredConnections()
    /// The sockets of the kept-alive connections.
    var kept = KeptConnections()
    /// Transfers that used up their share of a round.
    let turns = TurnQueue<CurlTransfer>()
    private var awaited: [CurlTransfer] = []
    private var finished: [CurlTransfer] = []
    private var earlyAnswered: [CurlTransfer] = []
    private var sharing: [CurlTransfer] = []

    deinit { scratch.deallocate() }

    /// Starts the next round.
    func begin() {
        refusals = TunnelRefusalBudget()
        work.begin()
    }

    /// Whether transfers are queued for the next round.
    var hasYielding: Bool { !turns.isEmpty }

    /// Continues queued transfers in order, as far as the round's work allows.
    func takeTurns(_ resume: (CurlTransfer) -> Void) { turns.take(while: { work.left > 0 }, resume) }

    /// Records that a reader waits for bytes that have arrived.
    func noteAwaited(_ transfer: CurlTransfer) { awaited.append(transfer) }

    /// Records that the response has begun while the request's body has no bytes available.
    func answeredEarly(_ transfer: CurlTransfer) { earlyAnswered.append(transfer) }

    /// Records that the response arrived on a multiplexed connection.
    func sharesConnection(_ transfer: CurlTransfer) { sharing.append(transfer) }

    /// Returns the transfers whose connections turned out to be multiplexed since the last call.
    func takeSharing() -> [CurlTransfer] {
        guard !sharing.isEmpty else { return [] }
        defer { sharing = [] }
        return sharing
    }

    /// Whether there are transfers that end only with ``nudge(_:)``.
    var mustNudge: Bool { !earlyAnswered.isEmpty }

    /// Makes libcurl check the uploads that were paused when their response arrived, because it does not notice by itself that such an
    /// exchange is complete. The others are recorded again when they find no bytes to send.
    func nudge(_ resume: (CurlTransfer) -> Void) {
        let transfers = earlyAnswered
        earlyAnswered.removeAll(keepingCapacity: true)
        for transfer in transfers where transfer.sending.isPaused { resume(transfer) }
    }

    /// Records that a transfer has ended.
    func finished(_ transfer: CurlTransfer) { finished.append(transfer) }

    /// Returns the handles of the finished transfers to the pool, and then resumes the readers and callers.
    func end(pool: HandlePool) {
        if !awaited.isEmpty {
            for transfer in awaited { transfer.pipe?.flush() }
            awaited.removeAll(keepingCapacity: true)
        }
        guard !finished.isEmpty else { return }
        pool.put(finished)
        for transfer in finished { transfer.resume() }
        finished.removeAll(keepingCapacity: true)
    }
}

/// The idle easy handles, and the number of all handles.
final class HandlePool: Sendable {
    private struct State {
        var idle: [EasyHandle] = []
        var count = 0
    }

    /// The maximum number of idle handles.
    private let maxIdle = 256
    /// The maximum number of handles that are set up before their transfer's turn.
    private let maxAhead: Int
    private let state = Locked(State())

    init(maxAhead: Int) { self.maxAhead = maxAhead }

    /// Returns an idle handle or a new one. Returns nil at the limit, unless the transfer's turn has come (`isTurn`): it then gets one
    /// anyway.
    func take(isTurn: Bool, orMake make: () -> EasyHandle?) -> EasyHandle? {
        let (idle, isFull) = state.withLock { state in
            let idle = state.idle.popLast()
            let isFull = !isTurn && state.count >= maxAhead
            if idle == nil, !isFull { state.count += 1 }
            return (idle, isFull)
        }
        return isFull ? idle : idle ?? counted(make())
    }

    /// Takes back the handles of transfers that have ended, and frees surplus ones.
    func put(_ transfers: [CurlTransfer]) {
        var spare: [EasyHandle] = []
        state.withLock { state in
            for transfer in transfers {
                guard let handle = transfer.takeHandle() else { continue }
                // A handle with a fault is freed, because its settings are unknown.
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

    /// Corrects the count if no handle could be created.
    private func counted(_ handle: EasyHandle?) -> EasyHandle? {
        if handle == nil { state.withLock { $0.count -= 1 } }
        return handle
    }
}

/// The limit on the bytes of proxies' refusals of tunnels that the engine reads in one round.
///
/// libcurl reads such a body byte by byte until none is left. Without the limit, a proxy that sends fast enough would block the engine.
struct TunnelRefusalBudget: Hashable {
    /// The maximum for all transfers together in one round: 64 KiB, about 50 ms of work.
    static let bytesPerRound = 64 * 1024

    private var count = 0

    /// Takes one byte from the round's budget. Returns false if it is used up.
    mutating func take() -> Bool {
        count += 1
        return count <= TunnelRefusalBudget.bytesPerRound
    }
}
