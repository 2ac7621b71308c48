internal import MartletSystem

/// A type that stores a token between calls and between launches.
///
/// Several tasks may call an implementation at the same time. It throws if it can't read or write, or if the stored data is not a token. It
/// never returns part of a token. Martlet's own stores throw ``TokenStoreError``, which is also suitable for yours. A store that waits for
/// a daemon or a person needs its own time limit.
public protocol TokenStore: Sendable {
    /// Returns the stored token, or nil if the store is empty.
    ///
    /// It is called for each request, unless ``changeCount`` is unchanged since the last call.
    func load() async throws -> AccessToken?
    /// Stores a token and replaces the previous one. When it returns, the token must be stored durably.
    func save(_ token: AccessToken) async throws
    /// Removes the token.
    func clear() async throws

    /// A number that differs after every change of the stored token, or nil if the store cannot detect changes made elsewhere.
    ///
    /// While it is unchanged, a provider uses the token in memory and does not call ``load()``. It must change before ``save(_:)`` or
    /// ``clear()`` returns, and before a change made elsewhere takes effect. It is read for each request and must not block. Default: nil,
    /// which makes the provider load the token for each request.
    var changeCount: Int? { get }
}

extension TokenStore {
    /// The default: nil, so that the store is read for each request.
    public var changeCount: Int? { nil }
}

/// A token store in memory. The token is lost when the process ends. Use it in tests, and in servers that sign in at launch.
///
/// Its functions declare the error of all stores, so that stores are interchangeable. This store never fails.
public final class InMemoryTokenStore: TokenStore {
    private let state: Locked<(token: AccessToken?, changes: Int)>

    /// Creates a store that contains `token`, or an empty one.
    public init(_ token: AccessToken? = nil) { state = Locked((token, 0)) }

    /// Returns the stored token, or nil if the store is empty.
    public func load() async throws(TokenStoreError) -> AccessToken? { state.withLock { $0.token } }

    /// Stores a token and replaces the previous one.
    public func save(_ token: AccessToken) async throws(TokenStoreError) { change(to: token) }

    /// Removes the token.
    public func clear() async throws(TokenStoreError) { change(to: nil) }

    /// The number of saves and clears so far.
    public var changeCount: Int? { state.withLock { $0.changes } }

    private func change(to token: AccessToken?) {
        state.withLock { state in
            state.token = token
            state.changes &+= 1
        }
    }
}

// `dump` and debuggers must not show its tokens.
extension InMemoryTokenStore: CustomReflectable, RedactedReflection {}

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
