internal import MartletSystem

/// Remembers when something last happened to a target: an invalidation, or the storing of a response.
///
/// Time is counted in events. A target may be reported as changed although it is not; the opposite never happens.
final class ChangeLog<Target: Hashable & Sendable>: Sendable {
    private struct State {
        var count = 0
        /// By the hashes of the targets, which need little memory. Two targets with the same hash count as one.
        var last: [Int: Int] = [:]
        /// Every target counts as changed at this moment.
        var floor = 0

        func contains(_ target: Int, since moment: Int) -> Bool { floor > moment || (last[target] ?? 0) > moment }
    }

    private let state = Locked(State())
    /// The number of targets that are remembered one by one.
    private let limit: Int

    init(limit: Int = 10_000) { self.limit = limit }

    /// The current moment.
    var now: Int { state.withLock { $0.count } }

    /// Notes that something happened to `target`.
    ///
    /// - Parameter start: an earlier moment.
    /// - Returns: the moment of this event, and whether it is the target's only event since `start`.
    @discardableResult
    func add(_ target: Target, since start: Int = 0) -> (moment: Int, isOnlyOne: Bool) {
        state.withLock { state in
            let isOnlyOne = !state.contains(target.hashValue, since: start)
            state.count += 1
            if state.last.count >= limit {
                state.last = [:]
                state.floor = state.count
            }
            state.last[target.hashValue] = state.count
            return (state.count, isOnlyOne)
        }
    }

    /// Notes that something happened to all targets.
    func addAll() {
        state.withLock { state in
            state.count += 1
            state.floor = state.count
            state.last = [:]
        }
    }

    /// Whether something happened to `target` after `moment`.
    func contains(_ target: Target, since moment: Int) -> Bool { state.withLock { $0.contains(target.hashValue, since: moment) } }
}
