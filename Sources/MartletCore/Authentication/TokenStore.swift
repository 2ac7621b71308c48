/// Where a token rests between calls and between launches.
///
/// An implementation may be called by many tasks at once. It throws when it can't be read or written, or when what it holds is no
/// token: never a token that is only part of one. `nil` means that there is none: nobody is signed in. One that waits for somebody else
/// (a daemon, a person) has a time limit of its own: its functions are called for each request.
public protocol TokenStore: Sendable {
    /// The token that is kept, or nil. Called for each request: a slow store should remember what it read.
    func load() async throws -> AccessToken?
    /// Keeps a token in place of the one there was. When this returns, the token is safe.
    func save(_ token: AccessToken) async throws
    /// Forgets the token.
    func clear() async throws
}

/// A store in memory, gone with the process: for tests, and for servers that sign in anew when they start.
public final class InMemoryTokenStore: TokenStore {
    private let token: Locked<AccessToken?>

    /// A store that holds `token`, or nothing.
    public init(_ token: AccessToken? = nil) { self.token = Locked(token) }

    /// The token that is kept, or nil.
    public func load() async throws -> AccessToken? { token.withLock { $0 } }

    /// Keeps a token.
    public func save(_ token: AccessToken) async throws { self.token.withLock { $0 = token } }

    /// Forgets the token.
    public func clear() async throws { token.withLock { $0 = nil } }
}
