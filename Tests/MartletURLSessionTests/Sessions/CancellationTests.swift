import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: cancellation and lifetime", .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test("A call that is cancelled before it begins sends nothing")
    func before() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let transport = URLSessionTransport()
        let gate = AsyncStream.makeStream(of: Void.self)
        let call = Task { () -> HTTPError? in
            for await _ in gate.stream {}
            return await transport.failure(of: server.request())
        }
        call.cancel()
        gate.continuation.finish()
        #expect(await call.value == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test("A waiting call that is cancelled throws a cancellation error, and its connection is closed", arguments: [HTTPMethod.get, .post])
    func during(method: HTTPMethod) async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence)
        let transport = URLSessionTransport()
        let call = Task {
            await transport.failure(of: server.request(method: method, body: method == .post ? HTTPBody("x") : nil))
        }
        try await server.waitForRequests()
        call.cancel()
        #expect(await call.value == .cancelled)
        try await server.waitForOpenConnections()
    }

    @Test("A call can be cancelled while its streamed body has no bytes available")
    func duringUpload() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let asked = Gate()
        let body = HTTPBody(length: nil) { () async throws -> Data? in
            asked.open()
            // This clock never advances: only a cancellation ends the sleep.
            try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
            return nil
        }
        let call = Task { await URLSessionTransport().failure(of: server.request(method: .post, body: body)) }
        await asked.opened()
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test("With thousands of calls, a third of them cancelled at any moment, each call ends once")
    func stress() async throws {
        let server = try await MockServer.start { _ in .text("hello") }
        let transport = URLSessionTransport()
        let counts = await withTaskGroup(of: String.self) { group in
            for worker in 0..<20 {
                group.addTask {
                    var outcomes = ""
                    for number in 0..<100 {
                        var request = server.request()
                        request.context.delivery = number % 2 == 0 ? .buffered : .streamed
                        let call = Task { [request] in await CancellationTests.outcome(transport, request) }
                        if (worker + number) % 3 == 0 {
                            for _ in 0..<(number % 7) { await Task.yield() }
                            call.cancel()
                        }
                        outcomes.append(await call.value)
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: "") { $0 += $1 }
        }
        #expect(counts.count == 2000)
        #expect(counts.allSatisfy { $0 == "v" || $0 == "c" }, "expected only values and cancellations, got \(Set(counts))")
        #expect(counts.count { $0 == "v" } >= 1300)
        _ = try await transport.send(server.request())
    }

    @Test("A released transport finishes its running requests")
    func lifetime() async throws {
        let gate = Gate()
        let server = try await MockServer.start { _ in
            .stream {
                let count = Tally()
                return HTTPBody {
                    switch count.next() {
                    case 0: return Data("hello".utf8)
                    case 1:
                        await gate.opened()
                        return Data("world".utf8)
                    default: return nil
                    }
                }
            }
        }
        var transport: URLSessionTransport? = URLSessionTransport()
        let response = try await transport?.send(server.streamed())
        weak let gone = transport
        transport = nil
        #expect(gone == nil)
        gate.open()
        #expect(try await response?.body.collect() == Data("helloworld".utf8))
    }

    @Test("Many transports can be created and released, and their connections are closed")
    func manyTransports() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        for _ in 0..<50 { _ = try await URLSessionTransport().send(server.request()) }
        #expect(server.connectionCount == 50)
        try await server.waitForOpenConnections()
    }

    private static func outcome(_ transport: URLSessionTransport, _ request: HTTPRequest) async -> String {
        do {
            let response = try await transport.send(request)
            return try await response.body.collect() == Data("hello".utf8) ? "v" : "?"
        } catch { return error == .cancelled ? "c" : "!" }
    }
}

/// Returns consecutive numbers from 0.
private final class Tally: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
