import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

@Suite("Pings and keep-alive", .timeLimit(.minutes(5)))
struct WebSocketKeepAliveTests {
    private let bench = SocketBench()

    private func open(_ change: (inout WebSocketOptions) -> Void = { _ in }) async throws -> (WebSocket, ServerEnd) {
        try await bench.open(
            bench.options {
                $0.pingInterval = .seconds(30)
                change(&$0)
            })
    }

    private func advance(by duration: Duration) async throws {
        try await bench.time.waitForTimers()
        bench.time.advance(by: duration)
    }

    @Test("A ping returns the time until its pong")
    func ping() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let duration = Task { try await socket.ping() }
        await server.wait(for: "ping")
        bench.time.advance(by: .milliseconds(250))
        server.pong(Data([0, 0, 0, 0, 0, 0, 0, 1]))
        #expect(try await duration.value == .milliseconds(250))
    }

    @Test("A pong answers all earlier pings, and one that answers none is ignored (RFC 6455 §5.5.3)")
    func latestPong() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let first = Task { try await socket.ping() }
        await eventually { server.received.count == 1 }
        let second = Task { try await socket.ping() }
        await eventually { server.received.count == 2 }
        server.pong(Data("?".utf8))
        server.pong(Data(count: 8))
        server.pong(Data([0, 0, 0, 0, 0, 0, 0, 2]))
        #expect(try await [first.value, second.value] == [.zero, .zero])
    }

    @Test("A ping of the server is answered")
    func pong() async throws {
        let (socket, server) = try await bench.open()
        server.ping(Data("x".utf8))
        await server.wait(for: "pong")
        await socket.close()
    }

    @Test("Pings that arrive together get one pong, also among messages, and before the reply to a Close frame")
    func pongs() async throws {
        let (socket, server) = try await bench.open()
        let ping = Data([0x89, 0]), text = Data([0x81, 1]) + Data("a".utf8), close = Data([0x88, 2, 0x03, 0xE8])
        server.deliver(ping + ping + text + ping)
        await server.wait(for: "pong")
        server.deliver(ping + ping + close)
        #expect(try await socket.all() == ["a"])
        await server.closed.value()
        #expect(server.received.values == ["pong", "pong", "close 1000 "])
    }

    @Test("A pong passes over cancelled pings")
    func cancelledPings() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        var pings: [Task<Duration, any Error>] = []
        for count in 1...3 {
            pings.append(Task { try await socket.ping() })
            await eventually { server.received.count == count }
        }
        pings[0].cancel()
        await #expect(throws: WebSocketError.failed(.cancelled)) { _ = try await pings[0].value }
        for number in [2, 2, 1, 3] as [UInt8] { server.pong(Data([0, 0, 0, 0, 0, 0, 0, number])) }
        #expect(try await [pings[1].value, pings[2].value] == [.zero, .zero])
    }

    @Test("A cancelled ping throws, and pings at the end of the connection fail with it")
    func endedPings() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let cancelled = Task { try await socket.ping() }, open = Task { try await socket.ping() }
        await eventually { server.received.count == 2 }
        cancelled.cancel()
        await #expect(throws: WebSocketError.failed(.cancelled)) { _ = try await cancelled.value }
        server.end()
        await #expect(throws: WebSocketError.failed(.networkError(NetworkFailure(.connectionLost)))) { _ = try await open.value }
    }

    @Test("Keep-alive pings after each interval")
    func interval() async throws {
        let (socket, server) = try await open { $0.pongTimeout = .seconds(1_000_000) }
        for count in 1...3 {
            await eventually {
                bench.time.advance(by: .seconds(1))
                return server.received.count == count
            }
        }
        await socket.close()
        #expect(server.received.values == ["ping", "ping", "ping", "close 1000 "])
        await eventually { bench.time.timerCount == 0 }
    }

    @Test("Without a pong in time, the connection fails with .timeout, and nothing more is written")
    func timeout() async throws {
        let (socket, server) = try await open()
        server.silence()
        try await advance(by: .seconds(30))
        await server.wait(for: "ping")
        bench.time.advance(by: .milliseconds(19_999))
        #expect(!server.isClosed)
        bench.time.advance(by: .milliseconds(1))
        await #expect(throws: WebSocketError.failed(.timeout)) { _ = try await socket.all() }
        #expect(server.isClosed && bench.time.timerCount == 0)
    }

    @Test("A server that does not even read is closed at the pong timeout")
    func timeoutUnread() async throws {
        let (socket, server) = try await open()
        server.stopReading()
        try await advance(by: .seconds(30))
        try await advance(by: .seconds(20))
        await #expect(throws: WebSocketError.failed(.timeout)) { _ = try await socket.all() }
        await server.closed.value()
        await eventually { bench.time.timerCount == 0 }
    }

    @Test("While messages wait to be read, no ping is sent")
    func pausedPing() async throws {
        let (socket, server) = try await open { $0.maxQueuedMessages = 1 }
        server.send("a")
        await eventually { socket.core.isPaused }
        try await advance(by: .seconds(30))
        await settle()
        #expect(server.received.count == 0)
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        try await advance(by: .seconds(30))
        await server.wait(for: "ping")
    }

    @Test("A pause before the pong does not fail the connection, and the time for the pong begins again")
    func pausedPong() async throws {
        let (socket, server) = try await open { $0.maxQueuedMessages = 1 }
        server.silence()
        try await advance(by: .seconds(30))
        await server.wait(for: "ping")
        server.send("a")
        await eventually { socket.core.isPaused }
        bench.time.advance(by: .seconds(20))
        #expect(!server.isClosed)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "a")
        // The pause was part of these 20 seconds.
        bench.time.advance(by: .seconds(20))
        #expect(!server.isClosed)
        bench.time.advance(by: .seconds(20))
        await #expect(throws: WebSocketError.failed(.timeout)) { _ = try await messages.next() }
    }
}
