public import MartletEssentials

/// The cookies of a store, and the rules of RFC 6265bis for storing and sending them.
///
/// ```swift
/// var jar = CookieJar()
/// jar.receive(response.headers, for: request, at: Date())
/// let sent = jar.take(for: HTTPRequest(method: .get, url: url), at: Date())
/// ```
///
/// A jar is a value without a file, a clock or a lock of its own. A ``CookieStore`` keeps one, and an app uses the store. Expired cookies
/// are never returned.
public struct CookieJar: Sendable {
    /// The limits of a jar. A part that exceeds one is ignored, and cookies beyond their number are removed, an eighth at a time.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of cookies. Default: 3,000.
        public var cookies: Int
        /// The maximum number of cookies of a registrable domain, such as `example.co.uk`, and the names below it. Default: 180.
        public var cookiesPerDomain: Int
        /// The maximum number of bytes of the name and the value of a cookie together. Default: 4,096.
        public var cookieBytes: Int
        /// The maximum number of bytes of the value of an attribute. Default: 1,024.
        public var attributeBytes: Int
        /// The maximum time from the response to the expiry of a cookie. Default: 400 days (34,560,000 seconds).
        public var lifetime: Duration

        /// Creates the limits of a jar. Each parameter has the default of its property.
        public init(
            cookies: Int = 3_000, cookiesPerDomain: Int = 180, cookieBytes: Int = 4_096, attributeBytes: Int = 1_024,
            lifetime: Duration = .seconds(34_560_000)
        ) {
            self.cookies = max(0, cookies)
            self.cookiesPerDomain = max(0, cookiesPerDomain)
            self.cookieBytes = max(0, cookieBytes)
            self.attributeBytes = max(0, attributeBytes)
            self.lifetime = lifetime
        }
    }

    /// A cookie of a response that was not stored.
    public struct Rejection: Sendable, Hashable {
        /// The name of the cookie, at most 100 bytes and without control characters. It is empty for a cookie without a name.
        public let name: String
        /// The reason.
        public let reason: CookieRejection

        /// Creates a value to compare with the result of ``CookieJar/receive(_:for:at:)``.
        public init(name: String, reason: CookieRejection) {
            self.name = name
            self.reason = reason
        }
    }

    /// The limits of the jar.
    public let limits: Limits
    /// The number of changes so far, other than of ``Cookie/lastAccessed``. A store saves a jar whose number has changed.
    public private(set) var changeCount = 0
    /// The number of cookies, of which some may have expired.
    public var count: Int { storage.count }
    /// Whether the jar has no cookies.
    public var isEmpty: Bool { storage.count == 0 }

    private var storage: CookieStorage

    /// Creates a jar without cookies.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        storage = CookieStorage(limits: limits)
    }

    // MARK: Requests and responses

    /// Stores the cookies that a response sets, and returns the rejected ones (RFC 6265bis §5.7).
    ///
    /// An expired cookie removes the one that it would replace.
    ///
    /// - Parameters:
    ///   - fields: The header fields of the response.
    ///   - request: The request to which it responds.
    ///   - now: The current time.
    @discardableResult
    public mutating func receive(
        _ fields: HTTPFields, for request: HTTPRequest, at now: Date
    ) -> [Rejection] {
        let lines = fields.bytes(for: .setCookie)
        guard !lines.isEmpty else { return [] }
        guard let target = CookieTarget(request) else {
            return lines.map { Rejection(name: CookieJar.name(in: $0), reason: .unsupportedHost) }
        }
        let site = target.host.site
        var rejections: [Rejection] = []
        for line in lines {
            do throws(CookieRejection) {
                let cookie = try CookieRules.cookie(line, from: target, at: now, limits: limits)
                if !target.isSecure, !cookie.isSecure, storage.hidesSecure(cookie, in: site, at: now) { throw .hidesSecureCookie }
                put(cookie, site: site, at: now)
            } catch { rejections.append(Rejection(name: CookieJar.name(in: line), reason: error)) }
        }
        return rejections
    }

    private static func name(in line: [UInt8]) -> String {
        // Without an equals sign, the text is the value, which is a secret.
        let name = SetCookieLine.pair(line.prefix { $0 != UInt8(ascii: ";") })?.name ?? []
        return Redaction.visible(String(decoding: name.prefix(100), as: UTF8.self))
    }

    /// Returns the cookies that a request carries, in the order of the `Cookie` field, and notes that they were used (RFC 6265bis §5.8.3).
    ///
    /// Cookies with longer paths come first; of equal lengths, the earlier created one does.
    public mutating func take(for request: HTTPRequest, at now: Date) -> [Cookie] {
        guard !isEmpty, let target = CookieTarget(request) else { return [] }
        return storage.take(at: now, site: target.host.site) { target.carries($0, at: now) }
    }

    // MARK: By hand

    /// Returns all cookies that have not expired, in the order of their domains.
    public func cookies(at now: Date) -> [Cookie] { storage.all.filter { !$0.isExpired(at: now) } }

    /// Stores a cookie. It replaces one with the same name, domain and path.
    ///
    /// - Throws: `.tooLarge` if it exceeds ``Limits/cookieBytes``.
    public mutating func insert(_ cookie: Cookie, at now: Date) throws(CookieRejection) {
        guard cookie.name.utf8.count + cookie.value.utf8.count <= limits.cookieBytes else { throw .tooLarge }
        guard let host = CookieHost(cookie.domain) else { throw .unsupportedHost }
        put(cookie, site: host.site, at: now)
    }

    /// Stores several cookies, and returns the first rejected one with the reason.
    mutating func insert(contentsOf cookies: [Cookie], at now: Date) -> (cookie: Cookie, reason: CookieRejection)? {
        var first: (cookie: Cookie, reason: CookieRejection)?
        for cookie in cookies { do throws(CookieRejection) { try insert(cookie, at: now) } catch { first = first ?? (cookie, error) } }
        return first
    }

    /// Removes the cookies for which `isRemoved` returns true, and returns their number.
    @discardableResult
    public mutating func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
        let removed = storage.removeAll(where: isRemoved)
        if removed > 0 { changeCount += 1 }
        return removed
    }

    private mutating func put(_ cookie: Cookie, site: Substring, at now: Date) {
        var cookie = cookie
        let latest = now.addingTimeInterval(Double(limits.lifetime.components.seconds))
        if let expires = cookie.expires, expires > latest { cookie.expires = latest }
        let isChanged = cookie.isExpired(at: now) ? storage.remove(cookie, site: site) : storage.put(cookie, site: site, at: now)
        if isChanged { changeCount += 1 }
    }
}

/// The reason why a cookie is not stored.
///
/// ```swift
/// let cookies = CookieInterceptor { error in
///     if case .rejected(let name, let host, let reason) = error { show("\(host) can't set \(name): \(reason)") }
/// }
/// ```
@nonexhaustive public enum CookieRejection: String, Error, Sendable, Hashable, CaseIterable {
    /// The cookie has neither a name nor a value.
    case empty
    /// The line, or a part of a cookie set by the app, has a control character or a separator that is not allowed there.
    case controlCharacter
    /// The name and the value are longer than ``CookieJar/Limits/cookieBytes``.
    case tooLarge
    /// The host of the request is not a valid host name or address, is written with characters other than ASCII, or differs from the
    /// request's own `Host` field.
    case unsupportedHost
    /// The `Domain` is neither the host of the request nor a parent domain of it, or the host is an IP address.
    case foreignDomain
    /// The `Domain` is a public suffix such as `com` or `co.uk`, or one is between it and the host: unrelated sites would get the cookie.
    case publicSuffix
    /// The cookie is `Secure`, and the response did not arrive over a secure connection.
    case insecureConnection
    /// The response did not arrive over a secure connection, and the cookie would replace or hide a `Secure` cookie.
    case hidesSecureCookie
    /// The cookie has `SameSite=None` and is not `Secure`.
    case sameSiteNoneWithoutSecure
    /// The name begins with `__Secure-` or `__Host-`, and the cookie does not have the attributes that the prefix promises; or the cookie
    /// has no name, and its value begins with such a prefix.
    case prefix
}
