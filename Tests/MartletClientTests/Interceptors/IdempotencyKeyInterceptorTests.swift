import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("IdempotencyKeyInterceptor", .timeLimit(.minutes(5)))
struct IdempotencyKeyInterceptorTests {
    private let base = URL(string: "https://h/")!
    private let post = Request<EmptyResponse>.post("x")

    private func keys(_ transport: MockTransport) -> [String?] { transport.requests.map { $0.headers[.idempotencyKey] } }

    @Test("A call keeps its key over attempts and redirects, and another call has a different key")
    func sameOverAttempts() async throws {
        let transport = MockTransport(
            .status(503), .status(307, headers: [.location: "/y"]), .disconnect, .json("{}"), .json("{}"))
        let client = HTTPClient(
            baseURL: base, transport: transport,
            interceptors: [IdempotencyKeyInterceptor(random: SeededRandom()), RetryInterceptor(time: ManualTime())])
        try await client.send(post)
        try await client.send(post)
        let keys = keys(transport)
        #expect(keys.count == 5)
        #expect(Set(keys.prefix(4)).count == 1)
        #expect(keys[0] != nil && keys[4] != nil && keys[0] != keys[4])
    }

    @Test("Idempotent methods need no key, and a key set by hand wins")
    func whichRequests() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [IdempotencyKeyInterceptor { _ in "made" }])
        try await client.send(Request<EmptyResponse>.get("x"))
        try await client.send(Request<EmptyResponse>.put("x"))
        try await client.send(Request<EmptyResponse>.patch("x"))
        try await client.send(Request<EmptyResponse>.post("x", headers: ["idempotency-key": "mine"]))
        #expect(keys(transport) == [nil, nil, "made", "mine"])
    }

    @Test("A redirect that turns POST into GET drops the key (RFC 9110 §15.4.4)")
    func seeOther() async throws {
        let transport = MockTransport(.status(303, headers: [.location: "/y"]), .json("{}"))
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [IdempotencyKeyInterceptor { _ in "k" }])
        try await client.send(post)
        #expect(keys(transport) == ["k", nil])
    }

    @Test("A key is made once for each call, however often its request is sent")
    func madeOnce() async throws {
        let made = Recorder<HTTPRequest>()
        let transport = MockTransport(.status(503), .json("{}"))
        let interceptor = IdempotencyKeyInterceptor {
            made.append($0)
            return "k"
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(time: ManualTime()), interceptor])
        await #expect(throws: HTTPError.self) { try await client.send(post) }  // in the wrong order nothing is retried
        #expect(transport.requests.count == 1)
        #expect(made.values.count == 1)
    }

    @Test("A request outside a call gets its own key")
    func withoutCall() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let chain = InterceptorChain([IdempotencyKeyInterceptor(random: SeededRandom())], transport)
        for _ in 0..<2 { _ = try await chain.send(HTTPRequest(method: .post, url: base)) }
        let keys = transport.requests.map { $0.headers[.idempotencyKey] }
        #expect(Set(keys).count == 2 && !keys.contains(nil))
    }

    @Test("A key that could inject a line is an error")
    func injection() async {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [IdempotencyKeyInterceptor { _ in "a\r\nb" }])
        await #expect(throws: HTTPError.self) { try await client.send(post) }
        #expect(transport.requests.isEmpty)
    }

    @Test("An empty key is an error, and nothing is sent")
    func emptyKey() async throws {
        let transport = MockTransport(.json("{}"))
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [IdempotencyKeyInterceptor { _ in " " }])
        await #expect(throws: HTTPError.invalidRequest("the Idempotency-Key returned by makeKey is empty")) { try await client.send(post) }
        #expect(transport.requests.isEmpty)
    }
}
