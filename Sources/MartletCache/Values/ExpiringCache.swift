internal import MartletSystem

/// A cache of values in memory, each for a limited time: for calls whose responses change slowly.
///
/// ```swift
/// let cache = ExpiringCache<String, [Pool]>(timeToLive: .seconds(300))
/// let pools = try await cache.value(for: "pools") { try await client.send(.get("pools")) }
/// ```
///
/// Concurrent requests for a missing key load it once. A failed load is not kept. A cancelled caller throws `CancellationError`
/// immediately, and a caller throws `HTTPError.timeout` at the deadline of its task (`withDeadline`). The load continues for the others and
/// has no deadline of a task: its calls end by their own timeouts.
public final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var expires: ContinuousClock.Instant
    }

    private struct State {
        var entries: BoundedMap<Key, Entry>
        /// The number of the running load for each key. Removing a key also removes its load here, so that the result is not kept.
        var loads: [Key: Int] = [:]
        var lastLoad = 0

        /// Returns the number of the running load, or of a new one.
        mutating func load(of key: Key) -> Int {
            if let number = loads[key] { return number }
            lastLoad += 1
            loads[key] = lastLoad
            return lastLoad
        }
    }

    private let state: Locked<State>
    private let loads = SingleFlight<Load, Value>()
    private let timeToLive: Duration
    private let time: any TimeSource

    private struct Load: Hashable {
        let key: Key
        let number: Int
    }

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - timeToLive: How long a value is kept after it was loaded.
    ///   - maxEntries: The maximum number of values. Beyond it, an eighth of them is removed: expired ones, and then the next to expire.
    ///     Default: 1,000.
    ///   - time: The clock. Default: the system's.
    public init(timeToLive: Duration, maxEntries: Int = 1_000, time: any TimeSource = .system) {
        self.timeToLive = timeToLive
        state = Locked(State(entries: BoundedMap(limit: max(1, maxEntries))))
        self.time = time
    }

    /// Returns the value for a key; if it is missing or expired, loads it with `load` and keeps it.
    ///
    /// A value that is kept is also returned after the deadline of the task.
    ///
    /// - Throws: The errors of `load`, `CancellationError`, or `HTTPError.timeout` at the deadline of the task. After the deadline, no load
    ///   begins.
    public func value(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if let kept = value(for: key) { return kept }
        return try await TaskDeadline.bound(time: time) { try await self.loaded(key, load) }
    }

    private func loaded(_ key: Key, _ load: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (kept, number) = state.withLock { state in
            let kept = live(state, key)
            return (kept, kept == nil ? state.load(of: key) : 0)
        }
        if let kept { return kept }
        return try await loads.value(for: Load(key: key, number: number)) { [self] in
            // Another load may have ended after the lookup above.
            if let kept = self.value(for: key) { return kept }
            do {
                let value = try await load()
                end(number, of: key, keeping: value)
                return value
            } catch {
                end(number, of: key, keeping: nil)
                throw error
            }
        }
    }

    /// Returns the value for a key, or nil if it is missing or expired.
    public func value(for key: Key) -> Value? { state.withLock { live($0, key) } }

    /// Removes the value for a key, if there is one. The result of a running load is not kept.
    public func removeValue(for key: Key) {
        state.withLock { state in
            state.entries.removeValue(for: key)
            state.loads[key] = nil
        }
    }

    /// Removes all values. The results of running loads are not kept.
    public func removeAll() {
        state.withLock { state in
            state.entries.removeAll()
            state.loads = [:]
        }
    }

    private func live(_ state: State, _ key: Key) -> Value? {
        guard let entry = state.entries[key], entry.expires > time.instant else { return nil }
        return entry.value
    }

    /// Ends a load. Keeps its value unless the key was removed meanwhile.
    private func end(_ number: Int, of key: Key, keeping value: Value?) {
        let now = time.instant
        state.withLock { state in
            guard state.loads[key] == number else { return }
            state.loads[key] = nil
            guard let value else { return }
            state.entries.insert(Entry(value: value, expires: now + timeToLive), for: key) { entry in
                entry.value.expires > now ? .inOrder(entry.value.expires) : .atOnce
            }
        }
    }
}
