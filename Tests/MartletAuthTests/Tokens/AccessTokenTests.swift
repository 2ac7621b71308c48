import Foundation
import MartletAuth
import Testing

@Suite("AccessToken", .timeLimit(.minutes(5)))
struct AccessTokenTests {
    @Test("Neither description nor dump shows the token or the refresh token")
    func redacted() {
        let token = AccessToken("v4lue", refreshToken: "r3fresh", expiry: Date(timeIntervalSince1970: 0), scopes: ["read"])
        var text = "\(token) \(String(reflecting: token)) \(String(describing: Optional(token)))"
        dump(token, to: &text)
        #expect(!text.contains("v4lue") && !text.contains("r3fresh"))
        #expect(text.contains("Bearer") && text.contains("read") && text.contains("refreshable"))
    }

    @Test(
        "A token with an impossible expiry, as in a damaged store, can be described and used",
        arguments: [Double.nan, 1e300, -1e300])
    func noTime(seconds: Double) {
        let token = AccessToken("a", expiry: Date(timeIntervalSince1970: seconds))
        #expect(!"\(token)".isEmpty)
        #expect(token.isStale(at: Date(timeIntervalSince1970: 0), leeway: .seconds(30)) == (seconds == -1e300))
    }

    @Test("A stored token is restored completely, and missing properties get their defaults")
    func coding() throws {
        let token = AccessToken(
            "a", refreshToken: "r", type: "Token", expiry: Date(timeIntervalSince1970: 9), issued: Date(timeIntervalSince1970: 1),
            scopes: ["x"])
        #expect(try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token)) == token)
        #expect(try JSONDecoder().decode(AccessToken.self, from: Data(#"{"value":"a"}"#.utf8)) == AccessToken("a"))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AccessToken.self, from: Data(#"{"refreshToken":"a"}"#.utf8)) }
    }

    @Test("A user name and password become Basic in UTF-8 (RFC 7617 §2)")
    func basic() {
        #expect(AccessToken.basic(user: "Aladdin", password: "open sesame").authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(AccessToken.basic(user: "test", password: "123£").authorization == "Basic dGVzdDoxMjPCow==")
    }

    @Test("A token in memory is stored until it is cleared")
    func memory() async throws {
        let store = InMemoryTokenStore()
        #expect(try await store.load() == nil)
        try await store.save(AccessToken("a"))
        #expect(try await store.load() == AccessToken("a"))
        try await store.clear()
        #expect(try await store.load() == nil)
    }
}
