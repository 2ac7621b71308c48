internal import MartletCache

/// The keys that were looked up recently. Their pages are in memory, so that looking them up again does not wait for the disk.
struct RecentLookups: Sendable {
    /// The maximum number of keys, rounded up to an even number.
    let limit: Int
    /// Two halves by age. The numbers are hashes: two keys with the same hash count as one.
    private var newer: Set<Int> = []
    private var older: Set<Int> = []
    private var newSince: ContinuousClock.Instant?

    private static let halfLife: Duration = .seconds(30)

    init(limit: Int) { self.limit = limit }

    /// Records that a key was looked up.
    mutating func note(_ key: CacheKey, now: ContinuousClock.Instant) {
        guard limit > 0 else { return }
        let age = now - (newSince ?? now)
        if age >= RecentLookups.halfLife { (older, newer) = (age < RecentLookups.halfLife * 2 ? newer : [], []) }
        if newer.count >= (limit + 1) / 2 { (older, newer) = (newer, []) }
        if newer.isEmpty { newSince = now }
        newer.insert(key.hashValue)
    }

    /// Whether a key was looked up recently.
    func contains(_ key: CacheKey, now: ContinuousClock.Instant) -> Bool {
        guard let newSince, now - newSince < RecentLookups.halfLife * 2 else { return false }
        return newer.contains(key.hashValue) || now - newSince < RecentLookups.halfLife && older.contains(key.hashValue)
    }

    /// Removes all keys.
    mutating func removeAll() { (newer, older, newSince) = ([], [], nil) }
}
