import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

@Suite("Closing", .timeLimit(.minutes(5)))
struct WebSocketClosingTests {
    private let bench = SocketBench()

    private func closure(_ code: WebSocketCloseCode, _ reason: String = "") -> WebSocketError {
        .closed(WebSocketClosure(code: code, reason: reason, side: .client))
    }

    @Test("Closing sends the code and the reason, and returns with the echo; what arrived before can still be read")
    func handshake() async throws {
        let (socket, server) = try await bench.open()
        server.send("a")
        await eventually { server.reads.count == 1 }
        #expect(await socket.close(code: 4000, reason: "done") == closure(4000, "done"))
        #expect(server.received.values == ["close 4000 done"] && server.isClosed)
        #expect(try await socket.all() == ["a"])
        await #expect(throws: closure(4000, "done")) { try await socket.send("x") }
        #expect(bench.time.timerCount == 0 && bench.transport.calls?.runningCount == 0)
    }

    @Test("Without an echo, closing ends after the close timeout")
    func timeout() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let end = Task { await socket.close() }
        try await bench.time.waitForTimers()
        // Messages that the server sends until its Close frame arrive.
        server.deliver(Data([0x81, 4]) + Data("last".utf8))
        await eventually { server.reads.count == 1 }
        await #expect(throws: closure(.normalClosure)) { try await socket.send("x") }
        bench.time.advance(by: .seconds(5))
        #expect(await end.value == .failed(.timeout))
        await server.closed.value()
        #expect(try await socket.all() == ["last"])
    }

    @Test("A server that does not read is closed after one close timeout")
    func timeoutUnread() async throws {
        let (socket, server) = try await bench.open()
        server.stopReading()
        let end = Task { await socket.close() }
        try await bench.time.waitForTimers()
        bench.time.advance(by: .seconds(5))
        #expect(await end.value == .failed(.timeout))
        await server.closed.value()
        await eventually { bench.time.timerCount == 0 }
    }

    @Test("Limits of a queue below zero count as the smallest, also while the connection is being closed")
    func negativeLimits() async throws {
        let (socket, server) = try await bench.open(
            bench.options { ($0.maxQueuedMessages, $0.maxQueuedBytes, $0.maxUnsentBytes) = (.min, .min, .min) })
        server.silence()
        let end = Task { await socket.close() }
        await server.wait(for: "close")
        // Three texts and a Close frame.
        server.deliver(Data([0x81, 1, 0x61, 0x81, 1, 0x62, 0x81, 1, 0x63, 0x88, 2, 0x03, 0xE8]))
        #expect(await end.value == closure(.normalClosure))
        #expect(try await socket.all() == ["a"])
    }

    @Test("A full queue does not hide the server's Close frame")
    func fullQueue() async throws {
        let (socket, server) = try await bench.open(bench.options { $0.maxQueuedMessages = 2 })
        server.send("1", "2", "3")
        server.send("4")
        await eventually { server.reads.count == 1 }
        await settle()
        #expect(await socket.close() == closure(.normalClosure))
        #expect(try await socket.all() == ["1", "2"])
    }

    @Test("The first close decides the code, and all of them return its end")
    func twice() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let first = Task { await socket.close(code: 4000) }
        await server.wait(for: "close")
        let second = Task { await socket.close(code: 4001) }
        await settle()
        server.deliver(Data([0x88, 2, 0x0F, 0xA0]))
        #expect(await first.value == closure(4000))
        #expect(await second.value == closure(4000))
        #expect(await socket.close() == closure(4000))
        #expect(server.received.count == 1)
    }

    @Test("If both sides close at the same time, each keeps its own code")
    func simultaneous() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let end = Task { await socket.close(code: 4000) }
        await server.wait(for: "close")
        server.deliver(Data([0x88, 2, 0x03, 0xE9]))
        #expect(await end.value == closure(4000))
        #expect(try await socket.all() == [])
        await server.closed.value()
        #expect(server.received.values == ["close 4000 "])
    }

    @Test("The end of the connection in place of the echo is an end without a Close frame, and no error for the reader")
    func noEcho() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let end = Task { await socket.close() }
        await server.wait(for: "close")
        server.end()
        #expect(await end.value == .failed(.networkError(NetworkFailure(.connectionLost))))
        #expect(try await socket.all() == [])
    }

    @Test("A code that must not be sent is left out, and a long reason is cut at a character")
    func codes() async throws {
        let (first, server) = try await bench.open()
        #expect(await first.close(code: 1006, reason: "x") == closure(1005))
        #expect(server.received.values == ["close nil "])
        let second = try await bench.client().webSocket(.get("room"), options: bench.options())
        await second.close(reason: String(repeating: "é", count: 62))
        #expect(bench.transport.connections.values[1].received.values == ["close 1000 " + String(repeating: "é", count: 61)])
    }

    @Test("Cancelling the task that closes ends it at once, and a silent server has the close timeout for its own Close frame")
    func cancelled() async throws {
        let (socket, server) = try await bench.open()
        server.silence()
        let task = Task { await socket.close() }
        await server.wait(for: "close")
        task.cancel()
        #expect(await task.value == .failed(.cancelled))
        try await bench.time.waitForTimers()
        #expect(!server.isClosed)
        bench.time.advance(by: .seconds(5))
        await server.closed.value()
        await eventually { bench.time.timerCount == 0 }
    }

    @Test("After a violation, what the server is still sending is read until it ends the connection, so that it sees the Close frame")
    func unreadBytes() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open(bench.options { $0.limits.messageBytes = 1024 })
        server.silence()
        // The head of a message of 64 MiB, and a part of it.
        server.deliver(Data([0x82, 0x7F, 0, 0, 0, 0, 4, 0, 0, 0]) + Data(count: 1000))
        await #expect(throws: WebSocketError.self) { _ = try await socket.all() }
        await server.wait(for: "close 1009")
        for _ in 0..<3 { server.deliver(Data(count: 1000)) }
        await eventually { server.reads.count == 4 }
        #expect(!server.isClosed)
        server.end()
        await server.closed.value()
        await eventually { bench.time.timerCount == 0 }
    }
}
