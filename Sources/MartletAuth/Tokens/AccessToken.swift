public import MartletEssentials

/// An access token, and the refresh token that replaces it when it expires (RFC 6749 §1.4, §1.5).
///
/// It is `Codable` for stores. Its description shows its type, expiry and scopes, but never the credential itself.
public struct AccessToken: Sendable, Hashable {
    /// The access token, as the server sent it.
    public var value: String
    /// The refresh token, or nil if there is none. A refresh whose response has none keeps the old one (RFC 6749 §6).
    public var refreshToken: String?
    /// The type of the token, which is the scheme in `Authorization`. Default: `Bearer` (RFC 6750 §2.1).
    public var type: String
    /// The time at which the token expires, or nil if it is unknown.
    public var expiry: Date?
    /// The time at which the token was issued, by the local clock, or nil if it is unknown.
    public var issued: Date?
    /// The scopes of the token (RFC 6749 §3.3), empty if they are unknown.
    public var scopes: [String]
    /// The ID of the session that the token belongs to, or nil if it is unknown.
    ///
    /// `signIn` gives each session its own ID, and refreshes keep it. A request that was rejected with a token of one session is not sent
    /// again with the token of another.
    public var session: String?
    /// The other members of the token response, such as `id_token` (RFC 6749 §5.1 allows any), as the server sent them.
    ///
    /// They are stored with the token, and a refresh whose response omits them keeps the old ones. Together they are limited to 64 KiB and
    /// 16 levels: `id_token` is kept first, then the others by name, and a member that does not fit is dropped. Descriptions do not show
    /// them.
    public var additionalParameters: [String: JSONValue]

    /// The ID token of the latest token response that had one, or nil (OpenID Connect Core §3.1.3.3). Validate it before you use its
    /// claims.
    public var idToken: String? { additionalParameters["id_token"]?.stringValue }

    /// Creates a token. All properties except the value have defaults.
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

    /// Creates a credential from a user name and a password, sent as `Basic` in UTF-8 (RFC 7617 §2). The name must not contain a colon.
    public static func basic(user: String, password: String) -> AccessToken {
        AccessToken(Data("\(user):\(password)".utf8).base64EncodedString(), type: "Basic")
    }

    /// The value of the `Authorization` field for this token.
    public var authorization: String { "\(type) \(value)" }

    /// Returns whether the token should be refreshed: it has expired at `now`, or will within `leeway`.
    ///
    /// The leeway is limited to a quarter of the token's life, so that a short-lived token is still used. If the expiry is before the time
    /// of issue, it is ignored, and the token is used until the server rejects it.
    public func isStale(at now: Date, leeway: Duration) -> Bool {
        guard let expiry else { return false }
        var margin = Double(leeway.components.seconds) + Double(leeway.components.attoseconds) * 1e-18
        if let issued {
            guard expiry > issued else { return false }
            margin = min(margin, expiry.timeIntervalSince(issued) / 4)
        }
        return expiry.timeIntervalSince(now) <= margin
    }

    /// Returns the token with the members that its response omitted, from the old token: the refresh token (RFC 6749 §6), scopes (§5.1) and
    /// other parameters.
    func completed(from old: AccessToken?) -> AccessToken {
        var token = self
        token.refreshToken = refreshToken ?? old?.refreshToken
        if scopes.isEmpty { token.scopes = old?.scopes ?? [] }
        token.additionalParameters = TokenParameters.merged(additionalParameters, with: old?.additionalParameters ?? [:])
        return token
    }
}

extension AccessToken: Codable {
    private enum CodingKeys: String, CodingKey { case value, refreshToken, type, expiry, issued, scopes, session, additionalParameters }

    /// Creates a token from stored data. Only the value is required.
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

    /// Encodes the whole token with its secrets. Store the result as a secret.
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
    /// The type, the expiry and the scopes of the token, without the credential.
    public var description: String {
        var parts = [Redaction.mask]
        if refreshToken != nil { parts.append("refreshable") }
        // Describing a date that is not finite would trap.
        if let expiry, expiry.timeIntervalSince1970.isFinite { parts.append("expires \(expiry)") }
        if !scopes.isEmpty { parts.append("scopes: " + Redaction.line(scopes.joined(separator: " "))) }
        return "\(Redaction.line(type, limit: 40)) " + parts.joined(separator: ", ")
    }
}

/// Selects the members of a token response that ``AccessToken`` stores in addition to its own properties. It depends only on its arguments.
enum TokenParameters {
    /// The limit on their total size in bytes, each written as a JSON object.
    static let maxBytes = 65_536
    /// The maximum nesting, so that a store can read them back.
    static let maxLevels = 16

    private static let ownNames: Set = ["access_token", "token_type", "expires_in", "refresh_token", "scope"]

    /// Returns the members for which ``AccessToken`` has no property, within the limits.
    static func others(of members: [String: JSONValue]) -> [String: JSONValue] {
        merged(members.filter { !ownNames.contains($0.key) }, with: [:])
    }

    /// Returns the parameters of a refreshed token: those of the response, and the old token's where the response omits them.
    ///
    /// `id_token` is taken first, then the others by name. A parameter that exceeds the limits is dropped.
    static func merged(_ fresh: [String: JSONValue], with old: [String: JSONValue]) -> [String: JSONValue] {
        var taken: [String: JSONValue] = [:], room = maxBytes
        for (name, value) in inOrder(fresh) + inOrder(old.filter { fresh[$0.key] == nil }) {
            guard fits(value, levels: maxLevels) else { continue }
            let size = "\([name: value] as JSONValue)".utf8.count
            guard size <= room else { continue }
            room -= size
            taken[name] = value
        }
        return taken
    }

    private static func inOrder(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { ($0.key == "id_token" ? 0 : 1, $0.key) < ($1.key == "id_token" ? 0 : 1, $1.key) }
    }

    private static func fits(_ value: JSONValue, levels: Int) -> Bool {
        switch value {
        case .array(let elements): levels > 0 && elements.allSatisfy { fits($0, levels: levels - 1) }
        case .object(let members): levels > 0 && members.allSatisfy { fits($0.value, levels: levels - 1) }
        default: true
        }
    }
}
