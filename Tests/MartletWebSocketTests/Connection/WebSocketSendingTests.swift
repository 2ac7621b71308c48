import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

@Suite("Sending messages", .timeLimit(.minutes(5)))
struct WebSocketSendingTests {
    @Test("Messages of concurrent tasks arrive whole, those of one task in its order")
    func concurrent() async throws {
        let (socket, server) = try await SocketBench().open()
        await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<50 { try await socket.send("\(sender) \(number) \(String(repeating: "x", count: 300))") }
                }
            }
        }
        let lines = server.received.values.map { $0.split(separator: " ") }
        #expect(lines.count == 400)
        for sender in 0..<8 {
            #expect(lines.filter { $0[1] == "\(sender)" }.map { $0[2] } == (0..<50).map { "\($0)" })
        }
        #expect(lines.allSatisfy { $0[3].count == 300 })
    }

    @Test("A send waits while the server does not read")
    func waits() async throws {
        let (socket, server) = try await SocketBench().open()
        server.stopReading()
        let isSent = Locked(false)
        let task = Task {
            try await socket.send("a")
            isSent.withLock { $0 = true }
        }
        await settle()
        #expect(!isSent.withLock { $0 })
        server.resumeReading()
        try await task.value
        #expect(server.received.values == ["text a"])
    }

    @Test("A cancelled send throws at once, and the connection stays open")
    func cancelled() async throws {
        let (socket, server) = try await SocketBench().open()
        server.stopReading()
        let task = Task { try await socket.send("a") }
        await settle()
        task.cancel()
        await #expect(throws: WebSocketError.failed(.cancelled)) { try await task.value }
        server.resumeReading()
        try await socket.send("b")
        #expect(server.received.values == ["text a", "text b"])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await socket.send("c")
        }
        await #expect(throws: WebSocketError.failed(.cancelled)) { try await late.value }
        await settle()
        #expect(server.received.count == 2)
    }

    @Test("A send that is cancelled while too much is unsent is never sent, and the others arrive in order")
    func cancelledCrowd() async throws {
        let (socket, server) = try await SocketBench().open()
        server.stopReading()
        let large = String(repeating: "x", count: 100_000)
        var tasks: [Task<Void, any Error>] = []
        for text in [large, "a", "b", "c"] {
            tasks.append(Task { try await socket.send(.text(text)) })
            await settle()
        }
        tasks[2].cancel()
        let error = await #expect(throws: WebSocketError.self) { try await tasks[2].value }
        guard case .failed(let failure) = error else { throw Unexpected() }
        #expect(failure.context.detail == "the message was not sent")
        server.resumeReading()
        for index in [0, 1, 3] { try await tasks[index].value }
        #expect(server.received.values == ["text \(large)", "text a", "text c"])
    }

    @Test("After a broken write, sends fail, and the server's Close frame still says why")
    func brokenWrite() async throws {
        let lost = HTTPError.networkError(NetworkFailure(.connectionLost))
        let (socket, server) = try await SocketBench().open()
        server.breakWrites(lost)
        await #expect(throws: WebSocketError.failed(lost)) { try await socket.send("a") }
        await #expect(throws: WebSocketError.failed(lost)) { try await socket.send("b") }
        server.close(.policyViolation)
        await #expect(throws: WebSocketError.closed(WebSocketClosure(code: 1008, side: .server))) { _ = try await socket.all() }
        await server.closed.value()
    }

    @Test("A connection that can't be written ends after the close timeout, if nothing else ends it")
    func brokenWriteAlone() async throws {
        let lost = HTTPError.networkError(NetworkFailure(.connectionLost)), bench = SocketBench()
        let (socket, server) = try await bench.open()
        server.breakWrites(lost)
        await #expect(throws: WebSocketError.failed(lost)) { try await socket.send("a") }
        try await bench.time.waitForTimers()
        bench.time.advance(by: .seconds(5))
        await #expect(throws: WebSocketError.failed(lost)) { _ = try await socket.all() }
        await server.closed.value()
    }

    @Test("A send that waits at the end of the connection fails with the end")
    func endWhileWaiting() async throws {
        let (socket, server) = try await SocketBench().open()
        server.stopReading()
        let task = Task { try await socket.send("a") }
        await settle()
        server.end()
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        #expect(error == .failed(.networkError(NetworkFailure(.connectionLost))))
    }

    @Test("Up to a number of unsent bytes a send does not wait, and what waited is written together, in order")
    func unsent() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open(bench.options { $0.maxUnsentBytes = 100 })
        server.stopReading()
        // A frame has 6 bytes more.
        for number in 0..<10 { try await socket.send("\(number)234") }
        let isSent = Locked(false)
        let task = Task {
            try await socket.send("late")
            isSent.withLock { $0 = true }
        }
        await settle()
        #expect(!isSent.withLock { $0 } && server.writes.values == [10])
        server.resumeReading()
        try await task.value
        #expect(server.received.values == (0..<10).map { "text \($0)234" } + ["text late"])
        #expect(server.writes.values == [10, 100])
    }

    @Test("Messages that were sent in rapid succession arrive before the Close frame, also if the socket is released")
    func unsentAtTheEnd() async throws {
        for isReleased in [false, true] {
            let bench = SocketBench()
            var opened: (WebSocket, ServerEnd)? = try await bench.open(bench.options { $0.maxUnsentBytes = 1 << 10 })
            let server = try #require(opened?.1)
            for number in 0..<20 { try await opened?.0.send(.text("\(number)")) }
            if isReleased { opened = nil } else { _ = await opened?.0.close() }
            await server.closed.value()
            #expect(server.received.values.prefix(20) == (0..<20).map { "text \($0)" }[...])
            #expect(server.received.values.last == (isReleased ? "close 1001 " : "close 1000 "))
        }
    }
}
