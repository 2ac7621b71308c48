internal import MartletEssentials

/// Decides which cookies a response may set (RFC 6265bis §5.7). It depends only on its arguments.
enum CookieRules {
    /// Returns the cookie of a `Set-Cookie` line of a response to `target`, which may already have expired, or throws why it is rejected.
    static func cookie(
        _ line: [UInt8], from target: CookieTarget, at now: Date, limits: CookieJar.Limits
    ) throws(CookieRejection) -> Cookie {
        let line = try SetCookieLine(line, limits: limits)
        let isHostOnly = try isHostOnly(line.domain, target.host)
        let cookie = Cookie(
            line, domain: isHostOnly ? target.host.text : line.domain, isHostOnly: isHostOnly,
            path: line.path ?? CookiePath.defaultPath(of: target.path), expires: expiry(line, now), now: now)
        if cookie.isSecure, !target.isSecure { throw .insecureConnection }
        if let rejection = rejection(of: cookie, hasRootPath: line.path == "/") { throw rejection }
        return cookie
    }

    /// Returns whether a cookie with this `Domain` belongs to the host alone.
    private static func isHostOnly(_ domain: String, _ host: CookieHost) throws(CookieRejection) -> Bool {
        guard !domain.isEmpty else { return true }
        guard host.matches(domain: domain) else { throw .foreignDomain }
        if host.isAddress { return true }
        guard let site = PublicSuffixes.registrableDomain(of: domain) else {
            if domain != host.text { throw .publicSuffix }
            return true
        }
        // Public suffixes may be below the domain: `s3.amazonaws.com` is one, and `amazonaws.com` is not.
        if site != host.site { throw .publicSuffix }
        return false
    }

    /// Returns the time at which a cookie expires, or nil for a session cookie. `Max-Age` precedes `Expires`.
    private static func expiry(_ line: SetCookieLine, _ now: Date) -> Date? {
        if let maxAge = line.maxAge { return maxAge <= 0 ? .distantPast : now.addingTimeInterval(Double(maxAge)) }
        return line.expires.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Returns the rule on attributes and prefixes that a cookie breaks, or nil.
    ///
    /// - Parameter hasRootPath: Whether the cookie names the path `/` itself.
    static func rejection(of cookie: Cookie, hasRootPath: Bool) -> CookieRejection? {
        if cookie.name.isEmpty, cookie.value.isEmpty { return .empty }
        if cookie.sameSite == .none, !cookie.isSecure { return .sameSiteNoneWithoutSecure }
        if cookie.name.isEmpty, has(securePrefix, cookie.value) || has(hostPrefix, cookie.value) { return .prefix }
        if has(securePrefix, cookie.name), !cookie.isSecure { return .prefix }
        if has(hostPrefix, cookie.name), !cookie.isSecure || !cookie.isHostOnly || !hasRootPath { return .prefix }
        return nil
    }

    private static let securePrefix = "__secure-"
    private static let hostPrefix = "__host-"

    private static func has(_ prefix: String, _ text: String) -> Bool {
        text.utf8.prefix(prefix.utf8.count).map(Token.lowercased).elementsEqual(prefix.utf8)
    }

    /// Returns whether a cookie from a connection that is not secure would replace or hide a `Secure` cookie.
    static func hides(_ cookie: Cookie, _ secure: Cookie) -> Bool {
        guard secure.isSecure, cookie.name.hasSameBytes(as: secure.name) else { return false }
        let isRelated = isWithin(cookie.domain, secure.domain) || isWithin(secure.domain, cookie.domain)
        return isRelated && CookiePath.matches(cookie.path, within: secure.path)
    }

    private static func isWithin(_ domain: String, _ parent: String) -> Bool { domain == parent || domain.hasSuffix("." + parent) }
}
