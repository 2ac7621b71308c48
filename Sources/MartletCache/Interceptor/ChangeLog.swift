internal import MartletSystem

/// Records when a target was last changed: invalidated, or its response stored.
///
/// Time is counted in events. A target may be reported as changed although it is not, but never the opposite.
final class ChangeLog<Target: Hashable & Sendable>: Sendable {
    private struct State {
        var count = 0
        /// The keys are hashes of the targets, to save memory. Targets with the same hash count as one.
        var last: BoundedMap<Int, Int>
        /// At this moment, every target counts as changed: the last change of a forgotten target.
        var floor = 0

        func contains(_ target: Int, since moment: Int) -> Bool { floor > moment || (last[target] ?? 0) > moment }
    }

    private let state: Locked<State>

    /// - Parameter limit: The maximum number of targets remembered individually. The targets that changed longest ago are forgotten first.
    init(limit: Int = 10_000) { state = Locked(State(last: BoundedMap(limit: limit))) }

    /// The current moment.
    var now: Int { state.withLock { $0.count } }

    /// Records a change of `target`.
    ///
    /// - Parameter start: An earlier moment.
    /// - Returns: The moment of this change, and whether it is the target's only change since `start`.
    @discardableResult
    func add(_ target: Target, since start: Int = 0) -> (moment: Int, isOnlyOne: Bool) {
        state.withLock { state in
            let isOnlyOne = !state.contains(target.hashValue, since: start)
            state.count += 1
            for forgotten in state.last.insert(state.count, for: target.hashValue) { state.floor = max(state.floor, forgotten.value) }
            return (state.count, isOnlyOne)
        }
    }

    /// Records a change of all targets.
    func addAll() {
        state.withLock { state in
            state.count += 1
            state.floor = state.count
            state.last.removeAll()
        }
    }

    /// Whether `target` changed after `moment`.
    func contains(_ target: Target, since moment: Int) -> Bool { state.withLock { $0.contains(target.hashValue, since: moment) } }
}
