public import MartletEssentials

/// A request for a user's authorization: the page to show, and the values that verify its callback (RFC 6749 §4.1, RFC 7636).
///
/// ```swift
/// let authorization = try OAuth2Authorization(
///     endpoint: URL(string: "https://id.example/authorize")!, clientID: "birds", redirectURI: "birds://signed-in", scopes: ["read"])
/// let callback = try await open(authorization.url)  // ASWebAuthenticationSession, a browser
/// let token = try await oauth.exchange(callback: callback, of: authorization)
/// try await store.save(token)
/// ```
public struct OAuth2Authorization: Sendable {
    /// The URL of the authorization page to show to the user.
    public let url: URL
    /// The URI to which the page redirects, with the code or an error.
    public let redirectURI: String
    /// The requested scopes.
    public let scopes: [String]
    /// The value that the callback must return unchanged (RFC 6749 §10.12).
    public let state: String
    /// The proof key (RFC 7636) that is sent when the code is exchanged for a token.
    public let pkce: PKCE

    /// Creates a request for a user's authorization, with a new random state and proof key; nothing is sent.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the authorization page: `https`, or `http` on this machine. Its query is kept.
    ///   - clientID: The client's ID at the server.
    ///   - redirectURI: The URI to which the page redirects.
    ///   - scopes: The requested scopes. Default: none.
    ///   - parameters: Further parameters for the server, such as `prompt` and `audience`. Default: none.
    ///   - random: The random numbers for the state and the proof key. Default: the system's. Pass another source only in tests.
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
        // The endpoint must not have a fragment (RFC 6749 §3.1).
        let encoded: String
        do { encoded = try query.encoded() } catch { throw .http(error) }
        guard !endpoint.absoluteString.contains("#"), let url = endpoint.adding(query: encoded) else {
            throw .invalidEndpoint("“\(Redaction.url(endpoint))” has a fragment, or a query that can't be extended")
        }
        self.url = url
    }

    /// Returns the authorization code in the callback URL after checking that the callback belongs to this request.
    ///
    /// - Throws: ``OAuth2Error/refused(_:)`` if the user or the server refused (RFC 6749 §4.1.2.1), and
    ///   ``OAuth2Error/invalidCallback(_:)`` if its state is not that of this request, a parameter occurs twice, or the code is missing.
    public func code(in callback: URL) throws(OAuth2Error) -> String {
        var items: [String: String] = [:]
        for item in (callback.query(percentEncoded: true) ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.unescapedForm(parts[0])
            guard items[name] == nil else { throw .invalidCallback("it has the parameter “\(Redaction.line(name, limit: 40))” twice") }
            items[name] = parts.count > 1 ? PercentEncoding.unescapedForm(parts[1]) : ""
        }
        guard items["state"] == state else { throw .invalidCallback("its state does not match that of the request") }
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
    /// The URL of the page, with the state and the proof key redacted.
    public var description: String { Redaction.url(url) }
}

/// A proof key, which proves that an authorization code is exchanged by the client that requested it (RFC 7636).
public struct PKCE: Sendable, Hashable {
    /// The code verifier: a secret of 43 to 128 unreserved characters, sent only when the code is exchanged (§4.1).
    public let verifier: String

    /// Creates a proof key with a verifier of 32 random bytes. Default: the system's random numbers, which are secure. Pass another source
    /// only in tests.
    public init(random: any RandomSource = .system) { verifier = PKCE.text(random) }

    /// Creates a proof key from a stored verifier, or returns nil if the verifier is malformed.
    public init?(verifier: String) {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentEncoding.isUnreserved) else { return nil }
        self.verifier = verifier
    }

    /// The code challenge, sent with the authorization request: the SHA-256 digest of the verifier, for the method `S256` (§4.2).
    public var challenge: String { PKCE.base64URL(SHA256.digest(of: verifier.utf8)) }

    /// Returns 32 random bytes as 43 characters.
    static func text(_ random: any RandomSource) -> String {
        base64URL((0..<4).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } })
    }

    /// Returns bytes as Base64 in the URL alphabet, without padding (RFC 4648 §5, RFC 7636 Appendix A).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension PKCE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The challenge, without the verifier, which is a secret.
    public var description: String { "PKCE, S256 \(challenge)" }
}
