/// Values that are kept for a while: what a service puts in front of calls whose answers change slowly.
///
/// ```swift
/// let cache = ExpiringCache<String, [Pool]>(timeToLive: .seconds(300))
/// let pools = try await cache.value(for: "pools") { try await http.send(.pools) }
/// ```
///
/// Concurrent misses of one key load once. A failed load is not kept. A caller that is cancelled leaves at once with
/// `CancellationError`, and the load goes on for the others.
public final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var expires: ContinuousClock.Instant
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Counts removals, so that a load that began before one is not kept after it.
        var generation = 0
    }

    private let state = Locked(State())
    private let loads = SingleFlight<Load, Value>()
    private let timeToLive: Duration
    private let limit: Int
    private let time: any TimeSource

    private struct Load: Hashable {
        let key: Key
        let generation: Int
    }

    /// A cache.
    ///
    /// - Parameters:
    ///   - timeToLive: how long a value is kept, from when it was loaded.
    ///   - limit: how many values are kept; past it, the one that would expire first goes. Default: 1,000.
    ///   - time: the clock that counts.
    public init(timeToLive: Duration, limit: Int = 1_000, time: any TimeSource = .system) {
        self.timeToLive = timeToLive
        self.limit = max(1, limit)
        self.time = time
    }

    /// The value kept for a key, or what `load` gives, which is then kept. Throws what `load` throws.
    public func value(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (kept, generation) = state.withLock { (live($0, key), $0.generation) }
        if let kept { return kept }
        return try await loads.value(for: Load(key: key, generation: generation)) { [self] in
            // Somebody else's load may have ended between the look above and this flight.
            if let kept = state.withLock({ live($0, key) }) { return kept }
            let value = try await load()
            keep(value, for: key, generation: generation)
            return value
        }
    }

    /// The value kept for a key, or nil when there is none or it has expired.
    public func value(for key: Key) -> Value? { state.withLock { live($0, key) } }

    /// Forgets a key; a load under way is not kept.
    public func removeValue(for key: Key) {
        state.withLock { state in
            state.entries[key] = nil
            state.generation += 1
        }
    }

    /// Forgets everything; loads under way are not kept.
    public func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.generation += 1
        }
    }

    private func live(_ state: State, _ key: Key) -> Value? {
        guard let entry = state.entries[key], entry.expires > time.instant else { return nil }
        return entry.value
    }

    private func keep(_ value: Value, for key: Key, generation: Int) {
        let now = time.instant
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.entries.count >= limit, state.entries[key] == nil {
                state.entries = state.entries.filter { $0.value.expires > now }
                if state.entries.count >= limit, let first = state.entries.min(by: { $0.value.expires < $1.value.expires })?.key {
                    state.entries[first] = nil
                }
            }
            state.entries[key] = Entry(value: value, expires: now + timeToLive)
        }
    }
}
