public import MartletEssentials

/// A credential that opens an API for a while, and what replaces it when it has run out (RFC 6749 §1.4, §1.5).
///
/// It is `Codable` for stores. Its description shows when it expires and what it is for, never the credential itself.
public struct AccessToken: Sendable, Hashable {
    /// The credential, as the server gave it.
    public var value: String
    /// What a new access token is got with, when the server gave such a thing.
    public var refreshToken: String?
    /// How it is presented: the first word of `Authorization`. Default: `Bearer` (RFC 6750 §2.1).
    public var type: String
    /// When it stops being accepted; nil when nobody said.
    public var expiry: Date?
    /// When it was issued, by this machine's clock; nil when nobody said.
    public var issued: Date?
    /// What it may be used for (RFC 6749 §3.3); empty when nobody said.
    public var scopes: [String]
    /// Which sign-in it belongs to; nil when nobody said. `signIn` gives each one of its own, and refreshes keep it: a request that was
    /// refused with a token of one session is not sent again with that of another.
    public var session: String?
    /// The other members of the token response, such as `id_token` (RFC 6749 §5.1 allows any), as the server sent them.
    ///
    /// They are stored with the token, and a refresh whose response omits them keeps the old ones. Together they are limited to 64 KiB and
    /// 16 levels: `id_token` is kept first, then the others by name; a member that does not fit is dropped. Descriptions do not show them.
    public var additionalParameters: [String: JSONValue]

    /// The ID token of the sign-in, if the server sent one (OpenID Connect Core §3.1.3.3). Validate it before using its claims.
    public var idToken: String? { additionalParameters["id_token"]?.stringValue }

    /// A token.
    public init(
        _ value: String, refreshToken: String? = nil, type: String = "Bearer", expiry: Date? = nil, issued: Date? = nil,
        scopes: [String] = [], session: String? = nil, additionalParameters: [String: JSONValue] = [:]
    ) {
        self.value = value
        self.refreshToken = refreshToken
        self.type = type
        self.expiry = expiry
        self.issued = issued
        self.scopes = scopes
        self.session = session
        self.additionalParameters = additionalParameters
    }

    /// A user's name and password, presented as `Basic` (RFC 7617 §2), in UTF-8. The name can't have a colon.
    public static func basic(user: String, password: String) -> AccessToken {
        AccessToken(Data("\(user):\(password)".utf8).base64EncodedString(), type: "Basic")
    }

    /// The value of `Authorization` that presents it.
    public var authorization: String { "\(type) \(value)" }

    /// Whether it should be replaced at `now`: it has expired or will within `leeway`.
    ///
    /// A leeway longer than a quarter of the token's whole life counts as that quarter, so that a short-lived token is still used. A
    /// token that expires before it was issued has an expiry that means nothing, and is used until it is refused.
    public func isStale(at now: Date, leeway: Duration) -> Bool {
        guard let expiry else { return false }
        var margin = Double(leeway.components.seconds) + Double(leeway.components.attoseconds) * 1e-18
        if let issued {
            guard expiry > issued else { return false }
            margin = min(margin, expiry.timeIntervalSince(issued) / 4)
        }
        return expiry.timeIntervalSince(now) <= margin
    }
}

extension AccessToken: Codable {
    private enum CodingKeys: String, CodingKey { case value, refreshToken, type, expiry, issued, scopes, session, additionalParameters }

    /// Reads a token that was kept: all but the value may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .value),
            refreshToken: try container.decodeIfPresent(String.self, forKey: .refreshToken),
            type: try container.decodeIfPresent(String.self, forKey: .type) ?? "Bearer",
            expiry: try container.decodeIfPresent(Date.self, forKey: .expiry),
            issued: try container.decodeIfPresent(Date.self, forKey: .issued),
            scopes: try container.decodeIfPresent([String].self, forKey: .scopes) ?? [],
            session: try container.decodeIfPresent(String.self, forKey: .session),
            additionalParameters: try container.decodeIfPresent([String: JSONValue].self, forKey: .additionalParameters) ?? [:])
    }

    /// Writes the token whole: keep what is written as a secret.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(refreshToken, forKey: .refreshToken)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(expiry, forKey: .expiry)
        try container.encodeIfPresent(issued, forKey: .issued)
        try container.encode(scopes, forKey: .scopes)
        try container.encodeIfPresent(session, forKey: .session)
        if !additionalParameters.isEmpty { try container.encode(additionalParameters, forKey: .additionalParameters) }
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// What may be told of it: its type, its expiry and its scopes.
    public var description: String {
        var parts = [Redaction.mask]
        if refreshToken != nil { parts.append("refreshable") }
        // A date that is not a number has no description: it traps.
        if let expiry, expiry.timeIntervalSince1970.isFinite { parts.append("expires \(expiry)") }
        if !scopes.isEmpty { parts.append("scopes: " + Redaction.line(scopes.joined(separator: " "))) }
        return "\(Redaction.line(type, limit: 40)) " + parts.joined(separator: ", ")
    }
}
