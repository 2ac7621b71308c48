/// Remembers which targets were invalidated when: what was asked for before that, and comes after it, is old.
final class CacheInvalidations: Sendable {
    private struct State {
        var count = 0
        var last: [String: Int] = [:]
        /// What was asked for before this is old, whatever its target.
        var floor = 0
    }

    private let state = Locked(State())
    /// How many targets are remembered one by one.
    private let limit: Int

    init(limit: Int = 10_000) { self.limit = limit }

    /// A moment.
    var now: Int { state.withLock { $0.count } }

    func add(_ uri: String) {
        state.withLock { state in
            state.count += 1
            if state.last.count >= limit {
                state.last = [:]
                state.floor = state.count
            }
            state.last[uri] = state.count
        }
    }

    /// Everything.
    func addAll() {
        state.withLock { state in
            state.count += 1
            state.floor = state.count
            state.last = [:]
        }
    }

    /// Whether a target was invalidated since a moment.
    func contain(_ uri: String, since moment: Int) -> Bool { state.withLock { $0.floor > moment || ($0.last[uri] ?? 0) > moment } }
}
