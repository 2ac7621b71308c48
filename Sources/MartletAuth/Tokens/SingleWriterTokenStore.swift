internal import MartletSystem

/// A token store that wraps a slow one whose token nothing else changes, so that providers need not read it for each request. They keep the
/// token in memory.
///
/// ```swift
/// let store = SingleWriterTokenStore(SecretServiceTokenStore(service: "com.example.app", account: "ada"))
/// let provider = StoredTokenProvider(store: store) { try await refresh($0) }
/// ```
///
/// Use it if reading the token is slow (the Secret Service takes 3 ms) and no other process, app extension, device or store object changes
/// the same token. A change made elsewhere is not noticed until this object saves or clears the token, or until the provider refreshes it:
/// a refresh reads the store itself.
///
/// A save or clear that fails may still have taken effect. The store is then read for each request until a later change succeeds.
///
/// It throws ``TokenStoreError``: that of the store, or ``TokenStoreError/Kind/other`` with the store's own error.
public final class SingleWriterTokenStore: TokenStore {
    private struct State {
        var changes = 0
        /// The number of saves and clears that are running. The stored token is unknown until the last one ends.
        var running = 0
        /// Whether a running change, or one of the last group that ended together, has failed.
        var hasFailed = false
    }

    private let store: any TokenStore
    private let state = Locked(State())

    /// Creates a store that saves its token in `store` and counts its own changes.
    public init(_ store: any TokenStore) { self.store = store }

    /// Returns the stored token, or nil if the store is empty.
    public func load() async throws(TokenStoreError) -> AccessToken? { try await store.loaded() }

    /// Stores a token and replaces the previous one.
    public func save(_ token: AccessToken) async throws(TokenStoreError) { try await change(to: token) }

    /// Removes the token.
    public func clear() async throws(TokenStoreError) { try await change(to: nil) }

    /// The number of changes that this object has made, or nil during a change and after a failed one.
    public var changeCount: Int? { state.withLock { $0.running > 0 || $0.hasFailed ? nil : $0.changes } }

    private func change(to token: AccessToken?) async throws(TokenStoreError) {
        state.withLock { state in
            if state.running == 0 { state.hasFailed = false }
            state.running += 1
        }
        var hasFailed = true
        defer { end(hasFailed: hasFailed) }
        try await store.keep(token)
        hasFailed = false
    }

    private func end(hasFailed: Bool) {
        state.withLock { state in
            state.running -= 1
            state.changes &+= 1
            if hasFailed { state.hasFailed = true }
        }
    }
}

extension SingleWriterTokenStore: CustomReflectable, RedactedReflection {}
