internal import MartletCache
internal import MartletSystem

/// What the tasks that call and the loop that serves them share.
final class RedisControl: Sendable {
    enum Event: Sendable {
        case submitted(RedisRequest)
        case expired(RedisRequest)
        case resolved(connection: Int, [SocketAddress])
        case connectExpired(connection: Int)
    }

    let wakeup: Wakeup
    private let state = Locked(State())

    private struct State {
        var events: [Event] = []
        var isSignalled = false
        var isStopping = false
        var circuit = Circuit()
        var waiting = 0
    }

    init() throws(CacheStoreError) {
        do throws(SystemFailure) { wakeup = try Wakeup() } catch { throw CacheStoreError(.unavailable, "\(error)") }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether a call may go on, and whether it is the one to find out. Throws at once when it may not.
    func admit(at now: ContinuousClock.Instant, limit: Int) throws(CacheStoreError) -> Bool {
        try state.withLock { state throws(CacheStoreError) in
            guard state.waiting < limit else { throw CacheStoreError(.unavailable, "\(limit) calls wait for the server already") }
            let isProbe: Bool
            switch state.circuit.admit(at: now) {
            case .refused(let error): throw error
            case .admitted: isProbe = false
            case .probe: isProbe = true
            }
            state.waiting += 1
            return isProbe
        }
    }

    func post(_ event: Event) {
        let mustSignal = state.withLock { state in
            state.events.append(event)
            defer { state.isSignalled = true }
            return !state.isSignalled
        }
        if mustSignal { wakeup.signal() }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    /// The events since the last time.
    func takeEvents() -> [Event] {
        // Before they are taken: what comes in between signals anew.
        wakeup.clear()
        return state.withLock { state in
            defer { (state.events, state.isSignalled) = ([], false) }
            return state.events
        }
    }

    /// A call is over.
    func leave() { state.withLock { $0.waiting -= 1 } }

    func succeed() { state.withLock { $0.circuit.succeed() } }

    func fail(_ reason: CacheStoreError, until: ContinuousClock.Instant) { state.withLock { $0.circuit.fail(reason, until: until) } }

    func dropProbe(at now: ContinuousClock.Instant) { state.withLock { $0.circuit.dropProbe(at: now) } }
}
