internal import MartletCache
internal import MartletSystem

/// The state shared by the calling tasks and the loop that serves them.
final class RedisControl: Sendable {
    enum Event: Sendable {
        case submitted(RedisRequest)
        case expired(RedisRequest)
        case resolved(connection: Int, [SocketAddress])
        case connectExpired(connection: Int)
    }

    let events: Mailbox<Event>
    private let state = Locked(State())

    private struct State {
        var circuit = ServerCircuit()
        var waiting = 0
    }

    init() throws(CacheStoreError) {
        do throws(SystemFailure) { events = try Mailbox() } catch { throw CacheStoreError(.unavailable, "\(error)") }
    }

    /// Admits a call and returns whether it is the probe. Throws if the server failed recently or too many calls wait.
    func admit(at now: ContinuousClock.Instant, limit: Int) throws(CacheStoreError) -> Bool {
        try state.withLock { state throws(CacheStoreError) in
            guard state.waiting < limit else { throw CacheStoreError(.unavailable, "\(limit) calls are already waiting for the server") }
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

    /// Records that a call has ended.
    func leave() { state.withLock { $0.waiting -= 1 } }

    func succeed() { state.withLock { $0.circuit.succeed() } }

    func fail(_ reason: CacheStoreError, until: ContinuousClock.Instant) { state.withLock { $0.circuit.fail(reason, until: until) } }

    func dropProbe(at now: ContinuousClock.Instant) { state.withLock { $0.circuit.dropProbe(at: now) } }
}
