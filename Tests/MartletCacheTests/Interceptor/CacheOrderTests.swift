import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: responses in a different order than their requests", .timeLimit(.minutes(5)))
struct CacheOrderTests {
    /// The gates that requests wait for, by their `Accept-Turn`.
    private final class Turns: Sendable {
        let first = Barrier(), second = Barrier()

        func wait(_ request: HTTPRequest) async {
            switch request.headers["Accept-Turn"] {
            case "1": await first.pass()
            case "2": await second.pass()
            default: break
            }
        }
    }

    private let turns = Turns()

    private func cached(_ reply: @escaping @Sendable (HTTPRequest) -> MockReply) async throws -> CachedClient {
        let cached = CachedClient(
            MockTransport { [turns] request in
                await turns.wait(request)
                return request.headers.contains("Accept-Turn") ? reply(request) : .text("one", headers: .fresh(10, tag: "\"a\""))
            })
        _ = try await cached.get()
        cached.time.advance(by: .seconds(1))
        return cached
    }

    /// Sends two requests and releases the second response first.
    private func crossed(_ cached: CachedClient, _ methods: (HTTPMethod, HTTPMethod)) async throws {
        let first = Task { try await cached.get("x", [.cacheControl: "no-cache", "Accept-Turn": "1"], method: methods.0) }
        try await turns.first.arrivals.reach(1)
        cached.time.advance(by: .seconds(1))
        let second = Task { try await cached.get("x", [.cacheControl: "no-cache", "Accept-Turn": "2"], method: methods.1) }
        try await turns.second.arrivals.reach(1)
        turns.second.open()
        _ = try await second.value
        cached.time.advance(by: .seconds(1))
        turns.first.open()
        _ = try await first.value
    }

    @Test("Of two validations, the one sent later wins in any order of the responses")
    func validations() async throws {
        let cached = try await cached { .status(304, headers: [.cacheControl: "max-age=10", "X-From": $0.headers["Accept-Turn"]!]) }
        try await crossed(cached, (.get, .get))
        let hit = try await cached.get()
        #expect(hit.cacheStatus?.isHit == true && hit.headers["X-From"] == "2")
    }

    /// A GET gets a 304, and a HEAD gets a changed validator.
    @Sendable private static func headSaysOtherwise(_ request: HTTPRequest) -> MockReply {
        request.method == .head ? .status(200, headers: .fresh(10, tag: "\"b\"")) : .status(304, headers: .fresh(10, tag: "\"a\""))
    }

    @Test("The result of a HEAD is not overwritten by a 304 that was in flight")
    func head() async throws {
        let cached = try await cached(Self.headSaysOtherwise)
        try await crossed(cached, (.get, .head))
        #expect(try await cached.get().cacheStatus?.isHit == false)
    }

    @Test("An old HEAD does not overwrite the result of a later 304")
    func oldHead() async throws {
        let cached = try await cached(Self.headSaysOtherwise)
        try await crossed(cached, (.head, .get))
        #expect(try await cached.get().cacheStatus?.isHit == true)
    }
}
