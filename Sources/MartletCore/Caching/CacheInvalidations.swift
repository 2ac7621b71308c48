/// Remembers which targets were invalidated when: what was asked for before that, and comes after it, is old.
final class CacheInvalidations: Sendable {
    private struct State {
        var count = 0
        /// By the targets' hashes, which take little room: two that have the same are taken for invalidated together, which does no harm.
        var last: [Int: Int] = [:]
        /// What was asked for before this is old, whatever its target.
        var floor = 0

        func contains(_ target: Int, since moment: Int) -> Bool { floor > moment || (last[target] ?? 0) > moment }
    }

    private let state = Locked(State())
    /// How many targets are remembered one by one.
    private let limit: Int

    init(limit: Int = 10_000) { self.limit = limit }

    /// A moment.
    var now: Int { state.withLock { $0.count } }

    /// Notes a target.
    ///
    /// - Parameter start: a moment before.
    /// - Returns: the moment from which on what is asked for is not old; and whether nothing else had invalidated it since the start.
    @discardableResult
    func add(_ uri: String, since start: Int = 0) -> (moment: Int, isOnlyOne: Bool) {
        state.withLock { state in
            let isOnlyOne = !state.contains(uri.hashValue, since: start)
            state.count += 1
            if state.last.count >= limit {
                state.last = [:]
                state.floor = state.count
            }
            state.last[uri.hashValue] = state.count
            return (state.count, isOnlyOne)
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
    func contain(_ uri: String, since moment: Int) -> Bool { state.withLock { $0.contains(uri.hashValue, since: moment) } }
}
