/// Where a token is stored between calls and between launches.
///
/// An implementation may be called by many tasks at once. It throws when it cannot be read or written, or when what it holds is not a
/// token; it never returns part of one. A store that waits for something else (a daemon, a person) needs a time limit of its own.
public protocol TokenStore: Sendable {
    /// Returns the stored token, or nil if there is none.
    ///
    /// It is called for each request, unless ``changeCount`` says that nothing has changed since the last time.
    func load() async throws -> AccessToken?
    /// Stores a token in place of the present one. When this returns, the token is safe.
    func save(_ token: AccessToken) async throws
    /// Removes the token.
    func clear() async throws

    /// A number that differs after each change of the stored token, whoever made it, or nil if the store cannot see every change.
    ///
    /// While it stays the same, a provider uses the token it has in memory and does not call ``load()``. It must have changed before
    /// ``save(_:)`` or ``clear()`` returns, and before a change by anyone else counts as done. It is read for each request and must not
    /// block. Default: nil, which makes the provider load the token for each request.
    var changeCount: Int? { get }
}

extension TokenStore {
    /// Nil: the store is read for each request.
    public var changeCount: Int? { nil }
}

/// A store in memory, lost when the process ends: for tests, and for servers that sign in when they start.
public final class InMemoryTokenStore: TokenStore {
    private let state: Locked<(token: AccessToken?, changes: Int)>

    /// Creates a store that holds `token`, or nothing.
    public init(_ token: AccessToken? = nil) { state = Locked((token, 0)) }

    /// Returns the stored token, or nil.
    public func load() async throws -> AccessToken? { state.withLock { $0.token } }

    /// Stores a token.
    public func save(_ token: AccessToken) async throws { change(to: token) }

    /// Removes the token.
    public func clear() async throws { change(to: nil) }

    /// The number of changes so far.
    public var changeCount: Int? { state.withLock { $0.changes } }

    private func change(to token: AccessToken?) {
        state.withLock { state in
            state.token = token
            state.changes &+= 1
        }
    }
}
