#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Whose answers a cache takes a request's to be, so that one user never gets what is another's.
public struct CacheScope: Sendable {
    private enum Rule: Sendable {
        case credentials
        case everyone
        case named(@Sendable (HTTPRequest) -> String)
    }

    private let rule: Rule

    /// By the request's credentials: `Authorization`, `Cookie`, API keys, what is marked as one, and the user in the URL. Requests with
    /// other credentials, or none, have nothing in common; but that an answer to a request without any may also be for one that has
    /// only a `Cookie`, as long as it is fresh and does not say that it varies by it.
    ///
    /// What is kept of them is a digest (SHA-256).
    public static var credentials: CacheScope { CacheScope(rule: .credentials) }

    /// Everybody's: for a server whose requests have no user, or in ``CacheMode/shared`` mode where the rules for `Authorization` keep
    /// answers apart (RFC 9111 §3.5). Never for an app in which users sign in.
    public static var everyone: CacheScope { CacheScope(rule: .everyone) }

    /// By a name of the app's, such as the id of the user who is signed in: so that a renewed token finds what its user has stored.
    ///
    /// The name must be another for each user, and is stored as it is.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) -> String) -> CacheScope { CacheScope(rule: .named(name)) }

    /// What the answers to a request are found by, and whether those to one without credentials will do.
    func names(for request: HTTPRequest) -> (scope: String, mayBeAnonymous: Bool) {
        switch rule {
        case .everyone: ("", false)
        case .named(let name): (name(request), false)
        case .credentials: CacheScope.digest(of: request)
        }
    }

    private static func digest(of request: HTTPRequest) -> (String, Bool) {
        var lines: [(name: String, value: [UInt8])] = []
        var hasOthers = false
        // By bytes: two values may be one text.
        for name in Set(request.headers.filter(\.isCredential).map(\.name)) {
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
