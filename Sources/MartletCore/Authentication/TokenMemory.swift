/// A token store as a provider reads it: from memory while the store says that nothing has changed, and from the store otherwise.
final class TokenMemory: Sendable {
    private let store: any TokenStore
    private let known = Locked<(count: Int, token: AccessToken?)?>(nil)

    init(_ store: any TokenStore) { self.store = store }

    /// Returns the stored token.
    func load() async throws -> AccessToken? {
        if let count = store.changeCount, let known = known.withLock({ $0 }), known.count == count { return known.token }
        return try await reload()
    }

    /// Returns the stored token, read from the store.
    func reload() async throws -> AccessToken? {
        // Read before the token: a change after this makes the count another, and the next call reads again.
        let count = store.changeCount
        let token = try await store.load()
        known.withLock { $0 = count.map { ($0, token) } }
        return token
    }
}
