/// How a cache keeps the responses of different users apart.
public struct CacheScope: Sendable {
    private enum Rule: Sendable {
        case credentials
        case everyone
        case named(@Sendable (HTTPRequest) async -> String)
    }

    private let rule: Rule

    /// Separates responses by the request's credentials: fields that are marked as credentials or named like one
    /// (`HTTPFieldName.isAlwaysCredential`), and the user in the URL. Requests with different credentials never share a response. A fresh
    /// response to a request without credentials may also be used for a request whose only credential is a `Cookie`, unless the response
    /// varies by it.
    ///
    /// The cache stores a digest (SHA-256) of the credentials.
    public static var credentials: CacheScope { CacheScope(rule: .credentials) }

    /// Shares all responses among all users. Use it for a server without users, or in ``CacheSettings/Mode/shared`` mode, where the rules
    /// for `Authorization` keep responses apart (RFC 9111 §3.5). Never use it in an app in which users sign in.
    public static var everyone: CacheScope { CacheScope(rule: .everyone) }

    /// Separates responses by a name that the app returns, such as the ID of the signed-in user. A renewed token then finds the responses
    /// of its user.
    ///
    /// The name must differ for each user. It is stored unchanged, or in hexadecimal if it is not ASCII, so that names are equal only if
    /// their bytes are.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) async -> String) -> CacheScope { CacheScope(rule: .named(name)) }

    /// Returns the scope of a request, and whether responses to requests without credentials may be used for it.
    func names(for request: HTTPRequest) async -> (scope: String, mayBeAnonymous: Bool) {
        switch rule {
        case .everyone: return ("everyone", false)
        case .named(let name): return ("name " + CacheScope.exact(await name(request)), false)
        case .credentials:
            let digest = CredentialDigest(of: request)
            return (digest.text, digest.isCookieOnly)
        }
    }

    /// Whether the request that was sent has the credentials that the cache has seen. Always true if the scope does not depend on
    /// credentials.
    func isTold(by sent: HTTPRequest, _ mode: CacheSettings.Mode, asIn scope: String) -> Bool {
        guard case .credentials = rule else { return true }
        return mode.scopePrefix + CredentialDigest(of: sent).text == scope
    }

    /// Returns a text that is equal for two names only if their bytes are equal. Equal strings may differ in their bytes.
    private static func exact(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 } && !name.hasPrefix("utf-8 ")
        return isPlain ? name : "utf-8 " + Hex.text(Array(name.utf8))
    }
}
