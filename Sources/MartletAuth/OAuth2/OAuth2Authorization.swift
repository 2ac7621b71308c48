public import MartletEssentials

/// One request for a user's permission: the page to show, and what must come back (RFC 6749 §4.1, RFC 7636).
///
/// ```swift
/// let authorization = OAuth2Authorization(
///     endpoint: URL(string: "https://id.example/authorize")!, clientID: "birds", redirectURI: "birds://signed-in", scopes: ["read"])
/// let callback = try await show(authorization.url)  // ASWebAuthenticationSession, a browser
/// let token = try await oauth.exchange(callback: callback, of: authorization)
/// try await store.save(token)
/// ```
public struct OAuth2Authorization: Sendable {
    /// The page to show.
    public let url: URL
    /// Where the page sends its answer.
    public let redirectURI: String
    /// What was asked for.
    public let scopes: [String]
    /// What must come back unchanged (RFC 6749 §10.12).
    public let state: String
    /// The proof for the exchange.
    public let pkce: PKCE

    /// A request for a user's permission.
    ///
    /// - Parameters:
    ///   - endpoint: the authorization page: `https`, or `http` on this machine. A query in it is kept.
    ///   - parameters: what else the server wants to know, such as `prompt` and `audience`.
    ///   - random: where state and proof come from. Default: the system's chance; another is for tests.
    ///
    /// - Throws: ``OAuth2Error/insecureEndpoint(_:)`` if the endpoint is neither `https` nor on this machine, and
    ///   ``OAuth2Error/invalidEndpoint(_:)`` if it has a fragment (RFC 6749 §3.1).
    public init(
        endpoint: URL, clientID: String, redirectURI: String, scopes: [String] = [], parameters: Query = [:],
        random: any RandomSource = .system
    ) throws(OAuth2Error) {
        if let why = OAuth2Endpoint.refusal(of: endpoint) { throw .insecureEndpoint(why) }
        pkce = PKCE(random: random)
        state = PKCE.text(random)
        self.redirectURI = redirectURI
        self.scopes = scopes
        var query: Query = [
            "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI, "state": state, "code_challenge": pkce.challenge,
            "code_challenge_method": "S256",
        ]
        if !scopes.isEmpty { query.append("scope", scopes.joined(separator: " ")) }
        query.append(parameters)
        // RFC 6749 §3.1: the endpoint has no fragment.
        let encoded: String
        do { encoded = try query.encoded() } catch { throw .http(error) }
        guard !endpoint.absoluteString.contains("#"), let url = endpoint.adding(query: encoded) else {
            throw .invalidEndpoint("“\(Redaction.url(endpoint))” has a fragment, or a query that can't be extended")
        }
        self.url = url
    }

    /// The code in the URL that the page sent its answer to.
    ///
    /// - Throws: ``OAuth2Error/refused(_:)`` if the user or the server refused (RFC 6749 §4.1.2.1), and ``OAuth2Error/invalidCallback(_:)`` if
    ///   the URL belongs to another request or has no code.
    public func code(in callback: URL) throws(OAuth2Error) -> String {
        var items: [String: String] = [:]
        for item in (callback.query(percentEncoded: true) ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.unescapedForm(parts[0])
            guard items[name] == nil else { throw .invalidCallback("it has the parameter “\(Redaction.line(name, limit: 40))” twice") }
            items[name] = parts.count > 1 ? PercentEncoding.unescapedForm(parts[1]) : ""
        }
        guard items["state"] == state else { throw .invalidCallback("its state is not that of the request") }
        if let error = items["error"] {
            throw .refused(
                OAuth2Refusal(
                    OAuth2Refusal.Code(rawValue: error), explanation: items["error_description"], page: items["error_uri"]))
        }
        guard let code = items["code"], !code.isEmpty else { throw .invalidCallback("it has no code") }
        return code
    }
}

extension OAuth2Authorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The page, its state and the proof hidden.
    public var description: String { Redaction.url(url) }
}
