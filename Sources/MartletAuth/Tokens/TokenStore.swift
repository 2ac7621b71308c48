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
