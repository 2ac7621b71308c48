public import MartletEssentials

/// A cookie: a name and a value that a server has stored in the client, and where it is sent (RFC 6265bis).
///
/// ```swift
/// let cookies = CookieInterceptor()
/// try await cookies.store.set(Cookie("theme", "dark", domain: "api.example"))
/// let session = try await cookies.store.cookies(for: url).first { $0.name == "session" }
/// ```
///
/// A cookie is sent to ``domain``, and if it is not ``isHostOnly`` also to the names below it, for paths within ``path``. The value is a
/// credential: the description leaves it out.
public struct Cookie: Sendable, Hashable {
    /// The value of the attribute `SameSite`: whether the cookie is sent after a redirect by another site.
    public enum SameSite: String, Sendable, Hashable, CaseIterable {
        /// The cookie has no such attribute, or an unknown one. It is treated like ``lax``.
        case unspecified
        /// The cookie is sent also after a redirect by another site. It must be ``Cookie/isSecure``.
        case none
        /// After a redirect by another site, the cookie is sent only with safe methods, such as GET.
        case lax
        /// After a redirect by another site, the cookie is not sent.
        case strict
    }

    /// The name, which may be empty.
    public let name: String
    /// The value: a secret.
    public let value: String
    /// The domain in lower case: a host name, with A-labels (`xn--…`) if it is internationalized, or an IP address without brackets.
    public let domain: String
    /// Whether the cookie is sent only to ``domain`` itself and not to names below it.
    public let isHostOnly: Bool
    /// The path within which the cookie is sent.
    public let path: String
    /// The time at which the cookie expires, or nil for a session cookie.
    public internal(set) var expires: Date?
    /// Whether the cookie is sent only over `https` and to this machine.
    public let isSecure: Bool
    /// Whether the server forbids programs in web pages to read the cookie. It has no effect in this library.
    public let isHTTPOnly: Bool
    /// Whether the cookie is sent after a redirect by another site.
    public let sameSite: SameSite
    /// The time at which the cookie was first stored. A cookie that replaces another one keeps its time.
    public internal(set) var created: Date
    /// The time at which the cookie was last stored or sent. It decides which cookies are removed if there are too many.
    public internal(set) var lastAccessed: Date

    /// Whether the cookie outlives the session. A session cookie has no ``expires`` and ends with its store.
    public var isPersistent: Bool { expires != nil }

    /// Creates a cookie that a store accepts, by the rules for servers.
    ///
    /// - Parameters:
    ///   - name: The name, without `=`, `;` and control characters.
    ///   - value: The value, without `;` and control characters.
    ///   - domain: The host name or IP address. An internationalized name is converted to A-labels if the program links Foundation.
    ///   - path: The path within which the cookie is sent. Default: `/`.
    ///   - includesSubdomains: Whether the cookie is sent also to the names below the domain. Default: false.
    ///   - expires: The time at which it expires. Default: nil, a session cookie. A store limits it to ``CookieJar/Limits/lifetime``.
    ///   - isSecure: Whether it is sent only over `https` and to this machine. Default: true.
    ///   - isHTTPOnly: Whether programs in web pages must not read it. Default: false.
    ///   - sameSite: Whether it is sent after a redirect by another site. Default: ``SameSite/unspecified``.
    ///   - created: The time of creation. Default: now.
    /// - Throws: The rule that the cookie breaks.
    public init(
        _ name: String, _ value: String, domain: String, path: String = "/", includesSubdomains: Bool = false, expires: Date? = nil,
        isSecure: Bool = true, isHTTPOnly: Bool = false, sameSite: SameSite = .unspecified, created: Date = Date()
    ) throws(CookieRejection) {
        guard let host = CookieHost(named: domain) else { throw .unsupportedHost }
        let hasSeparator = (name + value + path).utf8.contains { $0 == UInt8(ascii: ";") || SetCookieLine.isControl($0) }
        // The path begins with a slash, or no request would match it.
        guard !hasSeparator, !name.utf8.contains(UInt8(ascii: "=")), Cookie.isTrimmed(name), Cookie.isTrimmed(value),
            path.utf8.first == UInt8(ascii: "/")
        else { throw .controlCharacter }
        if includesSubdomains, host.isAddress { throw .foreignDomain }
        if includesSubdomains, PublicSuffixes.contains(host.text) { throw .publicSuffix }
        self.name = name
        self.value = value
        self.domain = host.text
        self.path = path
        isHostOnly = !includesSubdomains
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.created = created
        lastAccessed = created
        if let rejection = CookieRules.rejection(of: self, hasRootPath: path == "/") { throw rejection }
    }

    /// Creates the cookie of a line that was checked.
    init(_ line: SetCookieLine, domain: String, isHostOnly: Bool, path: String, expires: Date?, now: Date) {
        name = line.name
        value = line.value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        isSecure = line.isSecure
        isHTTPOnly = line.isHTTPOnly
        sameSite = line.sameSite
        created = now
        lastAccessed = now
    }

    /// Returns whether the cookie has expired.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Compares bytes: a space with a combining mark is another character, and a server would still remove it.
    private static func isTrimmed(_ text: String) -> Bool {
        ![text.utf8.first, text.utf8.last].contains { $0.map(Token.isWhitespace) ?? false }
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The name, domain and path, without the value.
    public var description: String { Redaction.visible("\(name)=… (\(isHostOnly ? "" : "*.")\(domain)\(path))") }
}

/// Encodes and decodes the value too. Store the result where others can't read it.
extension Cookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, value, domain, isHostOnly, path, expires, isSecure, isHTTPOnly, sameSite, created, lastAccessed
    }

    /// Decodes a cookie, and checks it like ``init(_:_:domain:path:includesSubdomains:expires:isSecure:isHTTPOnly:sameSite:created:)``.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func date(_ key: CodingKeys) throws -> Date? {
            // Seconds, whatever the decoder's format for dates.
            try values.decodeIfPresent(Double.self, forKey: key).map { Date(timeIntervalSince1970: $0) }
        }
        do {
            try self.init(
                values.decode(String.self, forKey: .name), values.decode(String.self, forKey: .value),
                domain: values.decode(String.self, forKey: .domain), path: values.decode(String.self, forKey: .path),
                includesSubdomains: !values.decode(Bool.self, forKey: .isHostOnly), expires: date(.expires),
                isSecure: values.decode(Bool.self, forKey: .isSecure), isHTTPOnly: values.decode(Bool.self, forKey: .isHTTPOnly),
                sameSite: SameSite(rawValue: values.decode(String.self, forKey: .sameSite)) ?? .unspecified,
                created: date(.created) ?? .distantPast)
        } catch let rejection as CookieRejection {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "the cookie is invalid: \(rejection)", underlyingError: rejection))
        }
        lastAccessed = try date(.lastAccessed) ?? created
    }

    /// Encodes the cookie with its value. Dates are seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(value, forKey: .value)
        try values.encode(domain, forKey: .domain)
        try values.encode(isHostOnly, forKey: .isHostOnly)
        try values.encode(path, forKey: .path)
        try values.encodeIfPresent(expires?.timeIntervalSince1970, forKey: .expires)
        try values.encode(isSecure, forKey: .isSecure)
        try values.encode(isHTTPOnly, forKey: .isHTTPOnly)
        try values.encode(sameSite.rawValue, forKey: .sameSite)
        try values.encode(created.timeIntervalSince1970, forKey: .created)
        try values.encode(lastAccessed.timeIntervalSince1970, forKey: .lastAccessed)
    }
}

/// The cookies of a file. A cookie that breaks a rule is left out: the rule may be newer than the file, such as that of a public suffix.
struct StoredCookies: Sendable, Codable {
    let cookies: [Cookie]

    private struct Element: Decodable {
        let cookie: Cookie?

        init(from decoder: any Decoder) throws {
            do { cookie = try Cookie(from: decoder) } catch DecodingError.dataCorrupted(let context)
                where context.underlyingError is CookieRejection
            {
                cookie = nil
            }
        }
    }

    init(_ cookies: [Cookie]) { self.cookies = cookies }

    init(from decoder: any Decoder) throws {
        cookies = try decoder.singleValueContainer().decode([Element].self).compactMap(\.cookie)
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(cookies)
    }
}
