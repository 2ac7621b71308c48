public import MartletEssentials

/// The error of every OAuth 2 operation, which says why no token or authorization code was obtained. ``OAuth2Client`` and
/// ``OAuth2Authorization`` throw only this error.
///
/// ```swift
/// do { token = try await oauth.exchange(callback: callback, of: authorization) } catch {
///     switch error {
///     case .refused(let refusal) where refusal.code == .invalidGrant: showSignIn()
///     case .http(.cancelled): break
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Later versions may add cases: a switch outside this package needs a `default`.
@nonexhaustive public enum OAuth2Error: HTTPErrorCausedError, Sendable, Equatable {
    /// The server or the user refused, with this error code (RFC 6749 §5.2, §4.1.2.1).
    case refused(OAuth2Refusal)
    /// The response of the token endpoint does not follow RFC 6749 §5, such as HTML, a redirect, or JSON without a token. The values
    /// are its status and the reason, with the endpoint and the start of the response.
    case invalidAnswer(HTTPStatus, String)
    /// The token has no refresh token, so the user must sign in.
    case noRefreshToken
    /// The endpoint is neither `https` nor on this machine, so nothing was sent. The value is the reason.
    case insecureEndpoint(String)
    /// The authorization endpoint has a fragment (RFC 6749 §3.1). The value is the reason.
    case invalidEndpoint(String)
    /// The callback of the authorization page belongs to another request, has no code, or has a parameter twice. The value is the
    /// reason.
    case invalidCallback(String)
    /// The request could not be sent, no complete response arrived, or the server failed or is overloaded: `.http(.statusCode)` with a
    /// status from 500 to 599, or 429. A cancellation is `.http(.cancelled)`.
    case http(HTTPError)

    /// The `HTTPError` of ``http(_:)``, or nil for the other cases.
    public var underlying: (any Error)? { if case .http(let error) = self { error } else { nil } }

    package var httpCause: HTTPError? { if case .http(let error) = self { error } else { nil } }

    /// Whether the caller's task or the call was cancelled. A cancellation has no message for people.
    public var isCancelled: Bool { self == .http(.cancelled) }
}

extension OAuth2Error: APIErrorSource {
    /// The error for people. A token server that fails does not ask them to sign in.
    package var apiError: APIError {
        switch self {
        case .http(let error): HTTPErrorMapper().map(error)
        case .invalidAnswer: .invalidResponse(.init(causedBy: self))
        case .insecureEndpoint, .invalidEndpoint: .invalidURL(.init(causedBy: self))
        // Codes of the authorization endpoint (RFC 6749 §4.1.2.1), which servers also send from the token endpoint.
        case .refused(let refusal) where ["server_error", "temporarily_unavailable"].contains(refusal.code.rawValue): .serverError(503)
        case .refused, .noRefreshToken, .invalidCallback: .unauthorized
        }
    }
}

/// The error response of an authorization server (RFC 6749 §5.2).
public struct OAuth2Refusal: Sendable, Hashable {
    /// The error code.
    public let code: Code
    /// The server's explanation for developers (`error_description`), or nil. Don't show it to people.
    public let explanation: String?
    /// The URL of a page about the error, or nil.
    public let page: String?

    /// Creates a refusal.
    public init(_ code: Code, explanation: String? = nil, page: String? = nil) {
        self.code = code
        self.explanation = explanation
        self.page = page
    }

    /// An error code of an authorization server. Servers may send other codes than the ones listed here.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as the server sends it.
        public let rawValue: String

        /// Creates a code from the server's text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A parameter is missing, invalid or repeated.
        public static var invalidRequest: Self { Self(rawValue: "invalid_request") }
        /// The client is unknown or could not authenticate.
        public static var invalidClient: Self { Self(rawValue: "invalid_client") }
        /// The code or refresh token is invalid, expired, revoked or issued to another client: the session has ended.
        public static var invalidGrant: Self { Self(rawValue: "invalid_grant") }
        /// The client may not use this grant.
        public static var unauthorizedClient: Self { Self(rawValue: "unauthorized_client") }
        /// The server does not support this grant.
        public static var unsupportedGrantType: Self { Self(rawValue: "unsupported_grant_type") }
        /// The scope is unknown, invalid, or exceeds the granted one.
        public static var invalidScope: Self { Self(rawValue: "invalid_scope") }
        /// The user denied access (RFC 6749 §4.1.2.1).
        public static var accessDenied: Self { Self(rawValue: "access_denied") }
    }
}

extension OAuth2Error: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The message for people in English, or nil after a cancellation.
    public var errorDescription: String? {
        switch self {
        case .refused(let refusal) where refusal.code == .invalidGrant: APIError.unauthorized.errorDescription
        case .refused(let refusal) where refusal.code == .accessDenied: "Access was not granted"
        case .noRefreshToken: APIError.unauthorized.errorDescription
        case .refused, .invalidAnswer, .invalidCallback: "Sign-in failed. Please try again later."
        case .insecureEndpoint, .invalidEndpoint: APIError.invalidURL.errorDescription
        case .http(let error): error.errorDescription
        }
    }

    /// The failure and its reason, for developers, without secrets.
    public var description: String {
        switch self {
        case .refused(let refusal):
            "the authorization server refused: \(Redaction.line(refusal.code.rawValue, limit: 60))"
                + (refusal.explanation.map { " (\(Redaction.line($0, limit: 200)))" } ?? "")
        case .invalidAnswer(let status, let why): "the response of the token endpoint (status \(status)) is not an OAuth 2 response: \(why)"
        case .noRefreshToken: "there is no refresh token"
        case .insecureEndpoint(let why): "the OAuth 2 endpoint is refused: \(why)"
        case .invalidEndpoint(let why): "the authorization endpoint is invalid: \(why)"
        case .invalidCallback(let why): "the authorization callback is not valid: \(why)"
        case .http(let error): error.description
        }
    }
}
