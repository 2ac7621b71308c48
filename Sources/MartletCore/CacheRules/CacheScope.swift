#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Whose answers a cache takes a request's to be, so that one user never gets what is another's.
public struct CacheScope: Sendable {
    private enum Rule: Sendable {
        case credentials(SecretFieldNames)
        case everyone
        case named(@Sendable (HTTPRequest) -> String)
    }

    private let rule: Rule

    /// By the request's credentials: `Authorization`, `Cookie`, API keys, what is marked as one or is called like a secret
    /// (`X-Session-Id`), and the user in the URL. Requests with other credentials, or none, have nothing in common; but that an answer to a request without any may also be for one that has
    /// only a `Cookie`, as long as it is fresh and does not say that it varies by it.
    ///
    /// What is kept of them is a digest (SHA-256).
    public static var credentials: CacheScope { CacheScope(rule: .credentials(SecretFieldNames())) }

    /// Everybody's: for a server whose requests have no user, or in ``CacheMode/shared`` mode where the rules for `Authorization` keep
    /// answers apart (RFC 9111 §3.5). Never for an app in which users sign in.
    public static var everyone: CacheScope { CacheScope(rule: .everyone) }

    /// By a name of the app's, such as the id of the user who is signed in: so that a renewed token finds what its user has stored.
    ///
    /// The name must be another for each user, and is stored as it is; one that is not ASCII in hexadecimal, so that names are the same only
    /// when their bytes are.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) -> String) -> CacheScope { CacheScope(rule: .named(name)) }

    /// What the answers to a request are found by, and whether those to one without credentials will do.
    func names(for request: HTTPRequest) -> (scope: String, mayBeAnonymous: Bool) {
        switch rule {
        case .everyone: ("", false)
        case .named(let name): (CacheScope.exact(name(request)), false)
        case .credentials(let names): CacheScope.digest(of: request, names)
        }
    }

    /// Whether the request that was sent at last has the credentials of the one that the cache has seen; true where others say whose it is.
    func isTold(by sent: HTTPRequest, asIn scope: String) -> Bool {
        guard case .credentials(let names) = rule else { return true }
        return CacheScope.digest(of: sent, names).0 == scope
    }

    /// A name that equals another only when their bytes do: texts are equal too when they look the same.
    private static func exact(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 } && !name.hasPrefix("utf-8 ")
        return isPlain ? name : "utf-8 " + Hex.text(Array(name.utf8))
    }

    private static func digest(of request: HTTPRequest, _ names: SecretFieldNames) -> (String, Bool) {
        var lines: [(name: String, value: [UInt8])] = []
        var hasOthers = false
        let credentials = request.headers.filter { $0.isCredential || names.contain($0.name.rawName) }
        // By bytes: two values may be one text.
        for name in Set(credentials.map(\.name)) {
            lines += request.headers.bytes(for: name).enumerated().map { ("\($0.offset) " + name.canonicalName, $0.element) }
            if name != .cookie { hasOthers = true }
        }
        if let user = request.url.user(percentEncoded: true) {
            lines.append(("url", Array((user + ":" + (request.url.password(percentEncoded: true) ?? "")).utf8)))
            hasOthers = true
        }
        guard !lines.isEmpty else { return ("", false) }
        var hash = SHA2<UInt32>()
        // Lengths first: no two lists of lines have the same bytes.
        for line in lines.sorted(by: { $0.name < $1.name }) {
            for bytes in [Array(line.name.utf8), line.value] {
                hash.update("\(bytes.count):".utf8)
                hash.update(bytes)
            }
        }
        return (Hex.text(hash.finish()), !hasOthers)
    }
}

/// Which fields are called like a secret: looked at once for each name, which takes longer than a hit does.
private final class SecretFieldNames: Sendable {
    private static let limit = 1_000

    private let known = Locked<[String: Bool]>([:])

    func contain(_ name: String) -> Bool {
        if let isSecret = known.withLock({ $0[name] }) { return isSecret }
        let isSecret = Redaction.isSecret(name)
        known.withLock { known in
            if known.count >= SecretFieldNames.limit { known = [:] }
            known[name] = isSecret
        }
        return isSecret
    }
}
