internal import MartletSystem

/// Reads a token store for a provider: returns the token in memory while ``TokenStore/changeCount`` is unchanged, and loads it otherwise.
final class TokenMemory: Sendable {
    private let store: any TokenStore
    private let known = Locked<(count: Int, token: AccessToken?)?>(nil)

    init(_ store: any TokenStore) { self.store = store }

    /// Returns the stored token.
    func load() async throws(TokenStoreError) -> AccessToken? {
        if let count = store.changeCount, let known = known.withLock({ $0 }), known.count == count { return known.token }
        return try await reload()
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
