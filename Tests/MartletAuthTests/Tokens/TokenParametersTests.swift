import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("TokenParameters", .timeLimit(.minutes(5)))
struct TokenParametersTests {
    private let time = ManualTime()

    private func client(_ responses: String...) throws -> OAuth2Client {
        let texts = Locked(responses)
        let transport = MockTransport { _ in .json(texts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }) }
        return OAuth2Client(
            id: "birds", tokenEndpoint: try #require(URL(string: "https://id.example/token")), http: HTTPClient(transport: transport),
            time: time)
    }

    @Test("id_token and other members of the response are kept unchanged; members with their own property are not repeated")
    func kept() async throws {
        let token = try await client(
            """
            {"access_token":"a","token_type":"Bearer","expires_in":60,"refresh_token":"r","scope":"x","id_token":"e30.e30.s",
            "instance_url":"https://eu.example","refresh_expires_in":1800,"details":[{"type":"account","ids":[1,2.5,null,true]}]}
            """
        ).clientCredentials()
        #expect(token.idToken == "e30.e30.s")
        #expect(
            token.additionalParameters == [
                "id_token": "e30.e30.s", "instance_url": "https://eu.example", "refresh_expires_in": 1800,
                "details": [["type": "account", "ids": [1, 2.5, nil, true]]],
            ])
        #expect(AccessToken("a").idToken == nil)
        #expect(AccessToken("a", additionalParameters: ["id_token": 7]).idToken == nil)
    }

    @Test("Additional parameters are stored with the token and read back")
    func coding() throws {
        let token = AccessToken("a", additionalParameters: ["id_token": "i", "nested": ["a": [1, nil]]])
        #expect(try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token)) == token)
        #expect(String(decoding: try JSONEncoder().encode(AccessToken("a")), as: UTF8.self).contains("additional") == false)
    }

    @Test("Descriptions omit additional parameters, and logs hide id_token")
    func redacted() {
        let token = AccessToken("a", additionalParameters: ["id_token": "s3cret", "other": "s3cret"])
        var text = "\(token) \(String(reflecting: token)) \(String(describing: Optional(token)))"
        dump(token, to: &text)
        #expect(!text.contains("s3cret"))
        #expect(Redaction.isSecret("id_token"))
    }

    @Test("A refresh replaces the parameters in its response and keeps the others")
    func refreshed() async throws {
        let client = try client(#"{"access_token":"b","instance_url":"new"}"#, #"{"access_token":"c","id_token":"i2"}"#)
        let old = AccessToken("a", refreshToken: "r", additionalParameters: ["id_token": "i1", "instance_url": "old"])
        let store = InMemoryTokenStore(old)
        let provider = OAuth2TokenProvider(client, store: store, time: time)
        let second = try #require(try await provider.token(replacing: old))
        #expect(second.additionalParameters == ["id_token": "i1", "instance_url": "new"])
        let third = try #require(try await provider.token(replacing: second))
        #expect(third.additionalParameters == ["id_token": "i2", "instance_url": "new"])
        #expect(try await store.load() == third)
    }

    @Test("A token from a refresh closure keeps the old token's parameters")
    func closure() async throws {
        let store = InMemoryTokenStore(AccessToken("a", additionalParameters: ["id_token": "i"]))
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("b") }
        #expect(try await provider.token(replacing: AccessToken("a"))?.idToken == "i")
    }

    @Test("Parameters are limited to 64 KiB: id_token comes first, then the response's, then the old ones, and the rest is dropped")
    func size() {
        let large = JSONValue.string(String(repeating: "x", count: 40_000))
        #expect(TokenParameters.others(of: ["a": large, "b": large, "id_token": large, "z": 1]) == ["id_token": large, "z": 1])
        #expect(TokenParameters.others(of: ["a": large, "b": large]) == ["a": large])
        #expect(TokenParameters.merged(["b": large], with: ["a": large, "b": 1, "c": 2]) == ["b": large, "c": 2])
        #expect(TokenParameters.others(of: ["a": .string(String(repeating: "x", count: 65_536))]).isEmpty)
        let many = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("name\($0)", JSONValue.null) })
        #expect(TokenParameters.others(of: many).count < 6000)
        #expect(TokenParameters.others(of: ["a": .array(JSONArray(repeating: ["k": large], count: 2))]).isEmpty)
    }

    @Test("A parameter that is nested too deeply to be read back from a store is dropped")
    func depth() throws {
        func nested(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { value, _ in [value] } }
        let kept = TokenParameters.others(of: ["a": nested(16), "b": nested(17), "c": ["k": nested(16)]])
        #expect(Array(kept.keys) == ["a"])
        let token = AccessToken("a", additionalParameters: kept)
        #expect(try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token)) == token)
    }
}
