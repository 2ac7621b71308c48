internal import MartletEssentials

/// Reads the response of a token endpoint (RFC 6749 §5). It depends only on its arguments.
enum OAuth2TokenResponse {
    /// A life longer than ten years is not plausible for a token and is ignored.
    static let longestLife: Double = 10 * 365 * 86_400

    /// Returns the token in a response that arrived at `now`.
    ///
    /// `expires_in` may be a number or a string with a number, as some servers send it. A value that is zero, negative, longer than ten
    /// years or not a number is ignored, and the token is used until the server rejects it. Without `token_type`, the token is of the first
    /// of `types`. A token of another type must not be used (RFC 6749 §7.1) and throws.
    static func token(in response: HTTPResponse<Data>, types: [String] = ["Bearer"], now: Date) throws(OAuth2Error) -> AccessToken {
        guard let members = (try? JSONValue(parsing: response.body))?.objectValue else {
            throw .invalidAnswer(response.status, response.body.isEmpty ? "it is empty" : "it is not a JSON object")
        }
        // An error code in a 5xx response is ignored. A failing server could otherwise sign users out.
        guard response.status.kind != .serverError else { throw .invalidAnswer(response.status, "the server failed") }
        if let code = members["error"]?.stringValue, !code.isEmpty {
            throw .refused(
                OAuth2Refusal(
                    OAuth2Refusal.Code(rawValue: code), explanation: members["error_description"]?.stringValue,
                    page: members["error_uri"]?.stringValue))
        }
        guard response.status.kind == .successful else {
            throw .invalidAnswer(response.status, "it has neither a token nor an error")
        }
        guard let value = members["access_token"]?.stringValue, !value.isEmpty else {
            throw .invalidAnswer(response.status, "it has no access_token")
        }
        // A line break in the token would end its header field.
        guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidAnswer(
                response.status, "its access_token has invalid characters (RFC 6749 Appendix A.12)")
        }
        let refreshToken = members["refresh_token"]?.stringValue
        return AccessToken(
            value, refreshToken: refreshToken?.isEmpty == true ? nil : refreshToken,
            type: try type(members["token_type"], of: types, response.status),
            expiry: life(members["expires_in"]).map { now.addingTimeInterval($0) }, issued: now,
            scopes: members["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? [],
            additionalParameters: TokenParameters.others(of: members.dictionary))
    }

    /// Returns the type as the client writes it. Types are compared without case (RFC 6749 §5.1).
    private static func type(_ value: JSONValue?, of types: [String], _ status: HTTPStatus) throws(OAuth2Error) -> String {
        if value == nil || value == .null || value == "" { return types.first ?? "Bearer" }
        let said = value?.stringValue ?? "no text"
        guard let type = types.first(where: { $0.equalsIgnoringCase(said) }) else {
            throw .invalidAnswer(status, "its token_type, “\(Redaction.line(said, limit: 40))”, is not one of the client's token types")
        }
        return type
    }

    private static func life(_ value: JSONValue?) -> Double? {
        guard let seconds = value?.doubleValue ?? value?.stringValue.flatMap({ Double($0) }), seconds > 0, seconds <= longestLife else {
            return nil
        }
        return seconds
    }
}
