/// The key of stored responses: the target URI and the scope of a user (RFC 9111 §2).
///
/// The key has no method. Only GET and HEAD use stored responses, and they share them.
public struct CacheKey: Hashable, Sendable {
    /// The target URI: scheme and host in lower case, without a default port and without a fragment. A `Host` field that differs from the
    /// URL's authority is placed before it: `http://tenant@a.example/x`.
    public let uri: String

    /// The scope that separates users: a digest of the request's fields that may identify one, or a name from the app.
    ///
    /// It is empty for requests without such fields, unless the cache is shared or the app names its scopes.
    public let scope: String

    /// Creates a key from a target URI in its normal form and the scope of a user.
    ///
    /// - Parameters:
    ///   - uri: The target URI in the form of ``uri``.
    ///   - scope: The scope of the user. Default: empty, for requests without credentials.
    public init(uri: String, scope: String = "") {
        self.uri = uri
        self.scope = scope
    }
}
