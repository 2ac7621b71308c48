import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests the app's whole composition; only the transport is a mock.
@Suite("Example: the composition root, tested with MockTransport", .timeLimit(.minutes(5)))
struct CompositionTests {
    @Test("A bird is added although the token has expired and the server is busy, and the log contains no secret")
    func addingABird() async throws {
        let time = ManualTime(), lines = Recorder<String>(), transport = MockTransport()
        transport.on(.post("/v1/birds"), .status(401), .status(503, headers: [.retryAfter: "5"]), .json(#"{"id":1,"name":"Wren"}"#))
        transport.on(.post("/v1/oauth/token"), .json(#"{"access_token":"n3w","token_type":"Bearer","refresh_token":"r2"}"#))
        let base = try #require(URL(string: "https://birds.example/v1"))
        let store = InMemoryTokenStore(AccessToken("0ld", refreshToken: "r1"))
        let client = Composition.client(
            base, tokens: Composition.tokens(base, store: store, transport: transport), transport: transport, time: time,
            log: LogSink { lines.append($0.message) })

        let bird = try await BirdRepository(http: client).add("Wren")

        #expect(bird == Bird(id: 1, name: "Wren"))
        #expect(try await store.load()?.refreshToken == "r2")
        #expect(time.sleeps == [.seconds(5)])
        let sent = transport.requests.filter { $0.url.path == "/v1/birds" }
        #expect(sent.map { $0.headers[.authorization] } == ["Bearer 0ld", "Bearer n3w", "Bearer n3w"])
        #expect(Set(sent.map { $0.headers[.idempotencyKey] }).count == 1 && sent[0].headers.contains(.idempotencyKey))
        #expect(sent.allSatisfy { $0.headers[.userAgent]?.hasPrefix("Birds/2.1 (") == true })
        let log = lines.values.joined(separator: "\n")
        #expect(log.contains("200 OK POST https://birds.example/v1/birds") && !log.contains("0ld") && !log.contains("n3w"))
    }
}
