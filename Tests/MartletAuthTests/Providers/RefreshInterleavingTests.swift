import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

/// Plays interleavings: every task waits at each point, and random numbers choose which one continues and which one is cancelled.
private final class Stage: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    func pass() async {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    /// Lets one waiting task continue, if there is one.
    func advance(_ generator: inout SeededGenerator) {
        let choice = generator.next()
        let next = waiting.withLock { waiting in
            waiting.isEmpty ? nil : waiting.remove(at: Int(choice % UInt64(waiting.count)))
        }
        next?.resume()
    }
}

/// A server whose refresh tokens can be used once. It detects repeated use.
private final class RotatingServer: Sendable {
    struct State {
        var generation = 0
        var rejections: [String: Int] = [:]
        var refreshes: [String: Int] = [:]
        var reuses = 0
        var refusedAfterResend = 0
    }

    let state = Locked(State())

    /// Expires the current token.
    func expire() { state.withLock { $0.generation += 1 } }

    func answer(_ request: HTTPRequest) -> MockReply {
        let shown = request.headers[.authorization]?.dropFirst("Bearer ".count).description ?? ""
        return state.withLock { state in
            if shown == "t\(state.generation)" { return .json("{}") }
            state.rejections[shown, default: 0] += 1
            return .status(401)
        }
    }

    func refresh(_ token: AccessToken, fails: Bool) throws -> AccessToken {
        try state.withLock { state in
            state.refreshes[token.value, default: 0] += fails ? 0 : 1
            if fails { throw Down() }
            if state.refreshes[token.value] ?? 0 > 1 { state.reuses += 1 }
            return AccessToken("t\(state.generation)", refreshToken: "r\(state.generation)")
        }
    }
}

@Suite("Refreshing under any interleaving", .timeLimit(.minutes(5)))
struct RefreshInterleavingTests {
    @Test(
        "A rejected token is refreshed successfully at most once, never without a rejection, and every call ends",
        arguments: 0..<60 as Range<UInt64>)
    func interleavings(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let stage = Stage(), server = RotatingServer(), done = Count()
        let failing = SeededRandom(seed: seed &+ 1000)
        let store = InMemoryTokenStore(AccessToken("t0", refreshToken: "r0"))
        let provider = StoredTokenProvider(store: store) { old in
            await stage.pass()
            #expect(server.state.withLock { $0.rejections[old.value] ?? 0 } > 0)
            return try server.refresh(old, fails: failing.next() % 4 == 0)
        }
        let transport = MockTransport { request in
            await stage.pass()
            let reply = server.answer(request)
            await stage.pass()
            return reply
        }
        // Two clients with their own interceptors share the provider.
        let clients = (0..<2).map { _ in
            HTTPClient(
                baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [AuthInterceptor(provider)],
                configuration: HTTPClient.Configuration(totalTimeout: nil))
        }
        var calls: [Task<Result<EmptyResponse, HTTPError>, Never>] = []
        var wasCancelled: [Bool] = []
        let count = 24
        var steps = 0
        while done.value < count {
            steps += 1
            switch generator.next() % 16 {
            case 0...3 where calls.count < count:
                let client = clients[Int(generator.next() % 2)]
                wasCancelled.append(false)
                calls.append(
                    Task {
                        defer { done.increment() }
                        return await client.result(of: Request<EmptyResponse>.get("x"))
                    })
            case 4 where !calls.isEmpty && steps < 2000:
                let chosen = Int(generator.next() % UInt64(calls.count))
                if generator.next() % 4 == 0 {
                    calls[chosen].cancel()
                    wasCancelled[chosen] = true
                }
            case 5 where calls.count < count: if generator.next() % 4 == 0 { server.expire() }
            default: stage.advance(&generator)
            }
            for _ in 0..<Int(generator.next() % 8) { await Task.yield() }
        }
        for (call, wasCancelled) in zip(calls, wasCancelled) {
            guard case .failure(let error) = await call.value else { continue }
            switch error {
            case .cancelled: #expect(wasCancelled)
            case .authenticationFailed: #expect((error.underlying as? TokenStoreError)?.underlying is Down || error.underlying is Down)
            // The token expired twice during the call, which is sent again only once.
            case .statusCode(let response): #expect(response.status == .unauthorized)
            default: Issue.record("\(error)")
            }
        }
        let state = server.state.withLock { $0 }
        #expect(state.reuses == 0)
        #expect(state.refreshes.values.allSatisfy { $0 <= 1 }, "\(state.refreshes)")
        #expect(transport.requests.count <= 2 * count)
    }
}
