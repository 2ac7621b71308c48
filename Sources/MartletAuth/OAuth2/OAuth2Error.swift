/// Why a token endpoint or an authorization server gave no token.
@nonexhaustive public enum OAuth2Error: Error, Sendable, Hashable {
    /// The server says why, in the words of RFC 6749 §5.2 or §4.1.2.1.
    case refused(OAuth2Refusal)
    /// The answer is not what RFC 6749 §5 says: HTML, garbage, a redirect, no token. With the status and what was wrong.
    case invalidAnswer(HTTPStatus, String)
    /// There is no refresh token to refresh with: somebody has to sign in.
    case noRefreshToken
    /// The endpoint is neither `https` nor on this machine. The value is the reason. Nothing was sent.
    case insecureEndpoint(String)
    /// What came back from the authorization page does not belong to the request that went there, or has no code in it.
    case invalidCallback(String)
}

/// A refusal in the server's words (RFC 6749 §5.2).
public struct OAuth2Refusal: Sendable, Hashable {
    /// What kind of refusal.
    public let code: Code
    /// What the server says to developers; the server's text, not to be shown to people as it is.
    public let explanation: String?
    /// A page about it.
    public let page: String?

    /// A refusal.
    public init(_ code: Code, explanation: String? = nil, page: String? = nil) {
        self.code = code
        self.explanation = explanation
        self.page = page
    }

    /// A kind of refusal. Servers have more than these.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The server's word.
        public let rawValue: String

        /// A kind by the server's word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request lacks something or has it twice.
        public static var invalidRequest: Self { Self(rawValue: "invalid_request") }
        /// The client is not known or could not prove who it is.
        public static var invalidClient: Self { Self(rawValue: "invalid_client") }
        /// The code or refresh token is invalid, expired, revoked or somebody else's: the session is over.
        public static var invalidGrant: Self { Self(rawValue: "invalid_grant") }
        /// The client may not use this grant.
        public static var unauthorizedClient: Self { Self(rawValue: "unauthorized_client") }
        /// The server does not know this grant.
        public static var unsupportedGrantType: Self { Self(rawValue: "unsupported_grant_type") }
        /// The scope is unknown, or more than was granted.
        public static var invalidScope: Self { Self(rawValue: "invalid_scope") }
        /// The user said no (RFC 6749 §4.1.2.1).
        public static var accessDenied: Self { Self(rawValue: "access_denied") }
    }
}

extension OAuth2Error: CustomStringConvertible {
    /// In words for developers, without secrets.
    public var description: String {
        switch self {
        case .refused(let refusal):
            "the authorization server refused: \(Redaction.line(refusal.code.rawValue, limit: 60))"
                + (refusal.explanation.map { " (\(Redaction.line($0, limit: 200)))" } ?? "")
        case .invalidAnswer(let status, let why): "the token endpoint's answer (status \(status)) is not one of OAuth 2: \(why)"
        case .noRefreshToken: "there is no refresh token"
        case .insecureEndpoint(let why): "the token endpoint is refused: \(why)"
        case .invalidCallback(let why): "the authorization callback is not valid: \(why)"
        }
    }
}
