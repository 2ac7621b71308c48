#if canImport(Darwin)
public import MartletEssentials

extension CookieStore {
    /// Stores the cookies of Foundation's storage, such as `HTTPCookieStorage.shared`, and returns the number of rejected ones.
    ///
    /// - Parameters:
    ///   - storage: The storage to read. It stays unchanged.
    ///   - now: The current time. Default: that of the system.
    @discardableResult
    public func insertCookies(of storage: HTTPCookieStorage, at now: Date = Date()) async throws(StateStoreError) -> Int {
        let all = storage.cookies ?? [], valid = all.compactMap { try? Cookie($0, created: now) }
        try await set(valid, at: now)
        return all.count - valid.count
    }

    /// Adds the cookies that have not expired to Foundation's storage, for example for a web view or a `URLSession` of the app.
    ///
    /// - Parameters:
    ///   - storage: The storage to change. It replaces cookies with the same name, domain and path.
    ///   - now: The current time. Default: that of the system.
    public func copyCookies(to storage: HTTPCookieStorage, at now: Date = Date()) async throws(StateStoreError) {
        for cookie in try await cookies(at: now) {
            if let cookie = HTTPCookie(cookie) { storage.setCookie(cookie) }
        }
    }
}

extension Cookie {
    /// Creates a cookie from one of Foundation. A domain that begins with a dot includes the names below it.
    ///
    /// - Parameters:
    ///   - cookie: The cookie of Foundation.
    ///   - created: The time of creation. Default: now.
    /// - Throws: The rule that the cookie breaks.
    public init(_ cookie: HTTPCookie, created: Date = Date()) throws(CookieRejection) {
        let includesSubdomains = cookie.domain.hasPrefix(".")
        let sameSite: SameSite =
            switch cookie.sameSitePolicy {
            case HTTPCookieStringPolicy.sameSiteLax?: .lax
            case HTTPCookieStringPolicy.sameSiteStrict?: .strict
            default: .unspecified
            }
        try self.init(
            cookie.name, cookie.value, domain: includesSubdomains ? String(cookie.domain.dropFirst()) : cookie.domain, path: cookie.path,
            includesSubdomains: includesSubdomains, expires: cookie.expiresDate, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: sameSite, created: created)
    }
}

extension HTTPCookie {
    /// Creates a cookie of Foundation, or returns nil if Foundation does not accept it, such as one without a name.
    ///
    /// Foundation has no value for `SameSite=None`; it is left out.
    public convenience init?(_ cookie: Cookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path, .domain: (cookie.isHostOnly ? "" : ".") + cookie.domain,
        ]
        properties[.expires] = cookie.expires
        if cookie.isSecure { properties[.secure] = "TRUE" }
        // Foundation reads this name, but has no constant for it.
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        switch cookie.sameSite {
        case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax
        case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict
        case .none, .unspecified: break
        }
        self.init(properties: properties)
    }
}
#endif
