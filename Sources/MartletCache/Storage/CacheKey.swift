/// How a cache keeps the responses of different users apart.
public struct CacheScope: Sendable {
    private enum Rule: Sendable {
        case credentials
        case everyone
        case named(@Sendable (HTTPRequest) async -> String)
    }

    private let rule: Rule

    /// Separates responses by everything in the request by which the server may recognise the user: credentials, the user in the URL, and
    /// every field that is not known to be harmless. This is the default.
    ///
    /// Harmless are `Accept`, `Accept-…`, `User-Agent`, `Content-…`, `Range`, `If-…`, `Cache-Control`, `Pragma`, `Prefer`, `Origin`,
    /// `Referer`, `Idempotency-Key`, `X-Request-ID`, `X-Correlation-ID`, `Last-Event-ID`, `Tus-…`, `Upload-…`, `traceparent`, `tracestate`,
    /// what Martlet itself adds, and the names of `HTTPClient.Configuration.harmlessFields`. `Host` is part of the target. A name that
    /// indicates a credential (`HTTPFieldName.isAlwaysCredential`) is harmless only if the app declares it.
    ///
    /// Two responses are shared further. One with `public` or `s-maxage`, and without `private` and `Set-Cookie`, is used for all requests
    /// with the same credentials, whatever their other fields. A fresh one to a request without any of these fields is also used for a
    /// request that has only a `Cookie`, unless the response varies by it.
    ///
    /// The cache stores digests (SHA-256) of the fields.
    public static var credentials: CacheScope { CacheScope(rule: .credentials) }

    /// Shares all responses among all users. Use it for a server without users, or in a shared cache (``CacheSettings/isShared``), where
    /// the rules for `Authorization` keep responses apart (RFC 9111 §3.5). Never use it in an app in which users sign in.
    public static var everyone: CacheScope { CacheScope(rule: .everyone) }

    /// Separates responses by a name that the app returns, such as the ID of the signed-in user. A renewed token then finds the responses
    /// of its user.
    ///
    /// The name must differ for each user. It is stored unchanged, or in hexadecimal if it is not ASCII, so that names are equal only if
    /// their bytes are.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) async -> String) -> CacheScope { CacheScope(rule: .named(name)) }

    /// The scopes that the responses for one request may have.
    struct Names: Equatable {
        /// The scope of the request's own responses.
        let own: String
        /// The scope of public responses, or nil if it equals ``own``.
        var shared: String?
        /// The scope of responses to requests that nothing identifies, if they may be used for the request.
        var anonymous: String?
    }

    /// Returns the scopes of a request.
    func names(for request: HTTPRequest, _ settings: CacheSettings) async -> Names {
        let prefix = settings.scopePrefix
        switch rule {
        case .everyone: return Names(own: prefix + "everyone")
        case .named(let name): return Names(own: prefix + "name " + CacheScope.exact(await name(request)))
        case .credentials:
            let identity = RequestIdentity(of: request)
            return Names(
                own: prefix + identity.fields, shared: identity.credentials == identity.fields ? nil : prefix + identity.credentials,
                anonymous: identity.isCookieOnly ? prefix : nil)
        }
    }

    /// Whether a response belongs to whom the request that was sent shows. Always true if the scope does not depend on the request's
    /// fields.
    func isTold(by sent: HTTPRequest, _ settings: CacheSettings, as response: StoredResponse) -> Bool {
        guard case .credentials = rule else { return true }
        let identity = RequestIdentity(of: sent), scope = response.key.scope
        return scope == settings.scopePrefix + identity.fields
            || response.isForAnyone && scope == settings.scopePrefix + identity.credentials
    }

    /// Returns a text that is equal for two names only if their bytes are equal. Equal strings may differ in their bytes.
    private static func exact(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 } && !name.hasPrefix("utf-8 ")
        return isPlain ? name : "utf-8 " + Hex.text(Array(name.utf8))
    }
}

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
