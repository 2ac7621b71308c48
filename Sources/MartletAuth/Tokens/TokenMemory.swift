internal import MartletSystem

/// Reads a token store for a provider: returns the token in memory while ``TokenStore/changeCount`` is unchanged, and loads it otherwise.
final class TokenMemory: Sendable {
    private let store: any TokenStore
    private let known = Locked<(count: Int, token: AccessToken?)?>(nil)

    init(_ store: any TokenStore) { self.store = store }

    /// Returns the stored token.
    func load() async throws(TokenStoreError) -> AccessToken? {
        if let cached { return cached }
        return try await reload()
    }

    /// The token in memory (nil within if none is stored), or nil if the store may have changed and must be loaded.
    var cached: AccessToken?? {
        guard let count = store.changeCount, let known = known.withLock({ $0 }), known.count == count else { return nil }
        return .some(known.token)
    }

    /// Loads the token from the store, whether or not it has changed.
    func reload() async throws(TokenStoreError) -> AccessToken? {
        // Read before the token is loaded: a change during the load alters the count, and the next call loads again.
        let count = store.changeCount
        let token = try await store.loaded()
        known.withLock { $0 = count.map { ($0, token) } }
        return token
    }
}
