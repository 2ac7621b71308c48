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
        let status = response.status
        // An error code in such a response is ignored. A failing or overloaded server could otherwise sign users out.
        guard status.kind != .serverError, status != .tooManyRequests else { throw .http(.statusCode(response)) }
        guard let members = (try? JSONValue(parsing: response.body))?.objectValue else {
            throw invalid(response, response.body.isEmpty ? "it is empty" : "it is not a JSON object")
        }
        if let code = members["error"]?.stringValue, !code.isEmpty {
            throw .refused(
                OAuth2Refusal(
                    OAuth2Refusal.Code(rawValue: code), explanation: members["error_description"]?.stringValue,
                    page: members["error_uri"]?.stringValue))
        }
        guard status.kind == .successful else { throw invalid(response, "it has neither a token nor an error") }
        guard let value = members["access_token"]?.stringValue, !value.isEmpty else { throw invalid(response, "it has no access_token") }
        // A line break in the token would end its header field.
        guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw invalid(response, "its access_token has invalid characters (RFC 6749 Appendix A.12)")
        }
        let refreshToken = members["refresh_token"]?.stringValue
        return AccessToken(
            value, refreshToken: refreshToken?.isEmpty == true ? nil : refreshToken,
            type: try type(members["token_type"], of: types, response),
            expiry: life(members["expires_in"]).map { now.addingTimeInterval($0) }, issued: now,
            scopes: members["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? [],
            additionalParameters: TokenParameters.others(of: members.dictionary))
    }

    /// Returns the type as the client writes it. Types are compared without case (RFC 6749 §5.1).
    private static func type(
        _ value: JSONValue?, of types: [String], _ response: HTTPResponse<Data>
    ) throws(OAuth2Error) -> String {
        if value == nil || value == .null || value == "" { return types.first ?? "Bearer" }
        let said = value?.stringValue ?? "no text"
        guard let type = types.first(where: { $0.equalsIgnoringCase(said) }) else {
            throw invalid(response, "its token_type, “\(Redaction.line(said, limit: 40))”, is not one of the client's token types")
        }
        return type
    }

    /// Returns the error for a response that can't be used. Its reason has the endpoint and the start of the response.
    private static func invalid(_ response: HTTPResponse<Data>, _ reason: String) -> OAuth2Error {
        // Not after a colon: what follows `access_token:` is masked.
        let endpoint = response.metadata.request.map { " (\($0))" } ?? ""
        let body = response.body.isEmpty ? "" : ", body: \(Redaction.body(response.body, type: response.headers[.contentType]))"
        return .invalidAnswer(response.status, Redaction.visible(reason + endpoint + body))
    }

    private static func life(_ value: JSONValue?) -> Double? {
        guard let seconds = value?.doubleValue ?? value?.stringValue.flatMap({ Double($0) }), seconds > 0, seconds <= longestLife else {
            return nil
        }
        return seconds
    }
}
