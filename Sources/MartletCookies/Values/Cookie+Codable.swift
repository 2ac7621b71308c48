internal import MartletEssentials

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
