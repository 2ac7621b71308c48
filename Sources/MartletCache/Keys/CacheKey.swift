/// What a stored response is found by: the target, and whose it is (RFC 9111 §2).
///
/// Of the requests that may be answered from a cache the method is always GET or HEAD, which share what is stored.
public struct CacheKey: Hashable, Sendable {
    /// The target URI: scheme and host in lower case, without a default port and without a fragment. A `Host` field that differs from the
    /// URL's authority is placed before it: `http://tenant@a.example/x`.
    public let uri: String

    /// Whose answers they are: a digest of the request's credentials, or what the app says; empty for answers to requests without any.
    public let scope: String

    /// A key.
    ///
    /// - Parameters:
    ///   - uri: the target, as ``uri`` says.
    ///   - scope: whose answers they are.
    public init(uri: String, scope: String = "") {
        self.uri = uri
        self.scope = scope
    }
}
