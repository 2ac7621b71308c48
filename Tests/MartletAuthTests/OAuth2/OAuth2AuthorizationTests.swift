import Foundation
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("OAuth2Authorization: authorization code flow with PKCE", .timeLimit(.minutes(5)))
struct OAuth2AuthorizationTests {
    private func authorization(endpoint: String = "https://id.example/authorize?tenant=a", seed: UInt64 = 1) throws -> OAuth2Authorization {
        try OAuth2Authorization(
            endpoint: URL(string: endpoint)!, clientID: "birds", redirectURI: "birds://done?x=1", scopes: ["read", "write"],
            parameters: ["prompt": "login"], random: SeededRandom(seed: seed))
    }

    @Test("The challenge of the example matches RFC 7636, Appendix B")
    func challenge() throws {
        let proof = try #require(PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(!"\(proof)".contains(proof.verifier))
    }

    @Test("A verifier has 43 random unreserved characters, different each time (RFC 7636 §4.1)")
    func verifier() {
        let random = SeededRandom(seed: 7)
        let proofs = (0..<100).map { _ in PKCE(random: random) }
        #expect(proofs.allSatisfy { PKCE(verifier: $0.verifier) != nil && $0.verifier.utf8.count == 43 })
        #expect(Set(proofs).count == 100)
        #expect(random.draws.count == 400)
        #expect(PKCE().verifier != PKCE().verifier)
    }

    @Test("A verifier that is too short, too long or has other characters is refused")
    func noVerifier() {
        for text in [String(repeating: "a", count: 42), String(repeating: "a", count: 129), String(repeating: "a", count: 43) + "+", ""] {
            #expect(PKCE(verifier: text) == nil)
        }
        #expect(PKCE(verifier: String(repeating: "~", count: 128)) != nil)
    }

    @Test("The page's URL has the escaped parameters of RFC 6749 §4.1.1 and RFC 7636 §4.3 after its own query")
    func address() throws {
        let authorization = try authorization()
        let text = authorization.url.absoluteString
        #expect(text.hasPrefix("https://id.example/authorize?tenant=a&response_type=code&client_id=birds&"))
        #expect(text.contains("redirect_uri=birds%3A%2F%2Fdone%3Fx%3D1"))
        #expect(text.contains("state=\(authorization.state)"))
        #expect(text.contains("code_challenge=\(authorization.pkce.challenge)&code_challenge_method=S256"))
        #expect(text.hasSuffix("scope=read%20write&prompt=login"))
        #expect(!text.contains(authorization.pkce.verifier))
        #expect(authorization.state != authorization.pkce.verifier)
    }

    @Test("An endpoint with a fragment is refused (RFC 6749 §3.1)")
    func fragment() {
        let error = #expect(throws: OAuth2Error.self) { try authorization(endpoint: "https://id.example/authorize#x") }
        guard case .invalidEndpoint = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test(
        "An endpoint that is not https is refused, except on loopback",
        arguments: ["http://id.example/a", "ftp://id.example/a", "/a"])
    func insecure(endpoint: String) throws {
        let error = #expect(throws: OAuth2Error.self) { try authorization(endpoint: endpoint) }
        guard case .insecureEndpoint = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        _ = try authorization(endpoint: "http://localhost:8080/authorize")
    }

    @Test("The code is read from the callback if the state matches")
    func code() throws {
        let authorization = try authorization()
        let callback = URL(string: "birds://done?x=1&code=a%2Fb+c&state=\(authorization.state)")!
        #expect(try authorization.code(in: callback) == "a/b c")
    }

    @Test("A callback of another request, with repeated parameters, or without a code is refused")
    func badCallbacks() throws {
        let authorization = try authorization()
        let state = authorization.state
        for query in ["", "?code=a", "?code=a&state=x", "?state=\(state)", "?code=&state=\(state)", "?code=a&code=b&state=\(state)"] {
            let callback = URL(string: "birds://done" + query)!
            let error = #expect(throws: OAuth2Error.self) { try authorization.code(in: callback) }
            guard case .invalidCallback? = error else {
                Issue.record("\(query): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("A denial by the user is a refusal (RFC 6749 §4.1.2.1)")
    func denied() throws {
        let authorization = try authorization()
        let callback = URL(string: "birds://done?error=access_denied&error_description=not+today&state=\(authorization.state)")!
        #expect(throws: OAuth2Error.refused(OAuth2Refusal(.accessDenied, explanation: "not today"))) {
            try authorization.code(in: callback)
        }
    }

    @Test("A code is exchanged with the verifier and the redirect URI (RFC 6749 §4.1.3, RFC 7636 §4.5)")
    func exchange() async throws {
        let authorization = try authorization()
        let transport = MockTransport(.json(#"{"access_token":"a","refresh_token":"r"}"#))
        let oauth = OAuth2Client(
            id: "birds", tokenEndpoint: URL(string: "https://id.example/token")!, http: HTTPClient(transport: transport))
        let token = try await oauth.exchange(code: "c/1", of: authorization)
        #expect(token.scopes == ["read", "write"])
        #expect(
            transport.requests.first?.form == [
                "grant_type": "authorization_code", "code": "c/1", "redirect_uri": "birds://done?x=1",
                "code_verifier": authorization.pkce.verifier, "client_id": "birds",
            ])
    }

    @Test("A callback is exchanged in one call, and a foreign one is refused before anything is sent")
    func exchangeOfCallback() async throws {
        let authorization = try authorization()
        let transport = MockTransport(.json(#"{"access_token":"a"}"#))
        let oauth = OAuth2Client(
            id: "birds", tokenEndpoint: URL(string: "https://id.example/token")!, http: HTTPClient(transport: transport))
        let foreign = await #expect(throws: OAuth2Error.self) {
            try await oauth.exchange(callback: URL(string: "birds://done?x=1&code=c&state=other")!, of: authorization)
        }
        guard case .invalidCallback = foreign else {
            Issue.record("\(String(describing: foreign))")
            return
        }
        #expect(transport.requests.isEmpty)

        let callback = URL(string: "birds://done?x=1&code=c%2F1&state=\(authorization.state)")!
        let token = try await oauth.exchange(callback: callback, of: authorization)
        #expect(token.value == "a" && token.scopes == ["read", "write"])
        #expect(transport.requests.first?.form["code"] == "c/1")
    }
}
