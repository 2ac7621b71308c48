import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import TestSupport
import Testing

@testable import MartletWebSocket

@Suite("Receiving messages", .timeLimit(.minutes(5)))
struct WebSocketMessagesTests {
    @Test("Messages arrive in order, over several chunks, and end after a normal close of the server, which is echoed")
    func order() async throws {
        let (socket, server) = try await SocketBench().open()
        server.send("a", .data(Data([1])), "b")
        server.send("c")
        server.close(.normalClosure, reason: "bye")
        #expect(try await socket.all() == ["a", .data(Data([1])), "b", "c"])
        await server.closed.value()
        #expect(server.received.values == ["close 1000 "])
        // The end is repeated.
        #expect(try await socket.all() == [])
    }

    @Test("Another code of the server is thrown after the messages before it, with the reason and the side")
    func otherCode() async throws {
        let (socket, server) = try await SocketBench().open()
        server.send("a")
        server.close(4001, reason: "signed out")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "a")
        let closure = WebSocketClosure(code: 4001, reason: "signed out", side: .server)
        await #expect(throws: WebSocketError.closed(closure)) { _ = try await messages.next() }
        await #expect(throws: WebSocketError.closed(closure)) { try await socket.send("x") }
        await #expect(throws: WebSocketError.closed(closure)) { _ = try await socket.ping() }
        #expect(await socket.close() == .closed(closure))
        #expect(await server.wait(for: "close") == "close 4001 ")
    }

    @Test("A Close frame without a code is 1005")
    func noCode() async throws {
        let (socket, server) = try await SocketBench().open()
        server.close(nil)
        await #expect(throws: WebSocketError.closed(WebSocketClosure(code: 1005, side: .server))) { _ = try await socket.all() }
        #expect(await server.wait(for: "close") == "close nil ")
    }

    @Test("An end without a Close frame, and a broken connection, throw the failure after the messages before it")
    func abnormal() async throws {
        for error in [nil, HTTPError.networkError(NetworkFailure(.unreachable))] {
            let (socket, server) = try await SocketBench().open()
            server.send("a")
            server.end(error)
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == "a")
            let expected = error ?? .networkError(NetworkFailure(.connectionLost))
            await #expect(throws: WebSocketError.failed(expected)) { _ = try await messages.next() }
            #expect(server.isClosed)
        }
    }

    @Test(
        "A violation closes with the code of RFC 6455, which the server receives before the connection is closed",
        arguments: [
            (Data([0x83, 0]), 1002), (Data([0xC1, 0]), 1002), (Data([0x81, 1, 0xFF]), 1007), (Data([0x81, 0x7E, 0x04, 0x01]), 1009),
            (Data([0x88, 2, 0x03, 0xED]), 1002),
        ] as [(Data, UInt16)])
    func violation(_ bytes: Data, _ code: UInt16) async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open(bench.options { $0.limits.messageBytes = 1024 })
        server.send("a")
        server.deliver(bytes)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "a")
        let error = await #expect(throws: WebSocketError.self) { _ = try await messages.next() }
        #expect(error?.closure?.code.rawValue == code && error?.closure?.side == .client)
        await server.closed.value()
        #expect(server.received.values.first?.hasPrefix("close \(code) ") == true)
        #expect(bench.log.ends.last?.contains("failed") == true)
    }

    @Test("While the queue is full by number, nothing more is read, and a chunk with many messages does not overfill it")
    func backpressure() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open(bench.options { $0.maxQueuedMessages = 2 })
        server.send("1", "2", "3", "4", "5")
        for text in ["6", "7"] { server.send(.text(text)) }
        await eventually { server.reads.count == 1 }
        await settle()
        #expect(server.reads.count == 1 && bench.log.lines.count { $0.contains("received") } == 2)
        var messages = socket.messages.makeAsyncIterator()
        for number in 1...7 { #expect(try await messages.next() == .text("\(number)")) }
        await eventually { server.reads.count == 3 }
    }

    @Test("While the queue is full by bytes, nothing more is read")
    func backpressureOfBytes() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open(bench.options { $0.maxQueuedBytes = 10 })
        server.send(.data(Data(count: 11)))
        server.send("x")
        await eventually { server.reads.count == 1 }
        await settle()
        #expect(server.reads.count == 1)
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        #expect(try await messages.next() == "x")
    }

    @Test("Cancelling the task that reads closes the connection with 1001, also if messages wait in the queue")
    func cancelledReader() async throws {
        for isQueued in [false, true] {
            let bench = SocketBench()
            let (socket, server) = try await bench.open()
            let begun = OneShot<Void>(), goOn = OneShot<Void>()
            let task = Task {
                begun.set(())
                if isQueued { await goOn.value() }
                return try await socket.all()
            }
            await begun.value()
            if isQueued {
                server.send("a")
                await eventually { server.reads.count == 1 }
            } else {
                await settle()
            }
            task.cancel()
            goOn.set(())
            await #expect(throws: WebSocketError.failed(.cancelled)) { _ = try await task.value }
            #expect(await server.wait(for: "close") == "close 1001 ")
            await server.closed.value()
            #expect(bench.transport.calls?.runningCount == 0)
        }
    }

    @Test("Releasing the WebSocket sends 1001, closes the connection, and leaves nothing behind")
    func released() async throws {
        let bench = SocketBench()
        let weak = try await openAndRelease(bench)
        let server = bench.transport.connections.values[0]
        #expect(await server.wait(for: "close") == "close 1001 ")
        await server.closed.value()
        await eventually { weak.core == nil && bench.time.timerCount == 0 }
        await bench.log.wait(for: "failed and ended: cancelled")
        #expect(bench.transport.calls?.runningCount == 0)
    }

    private func openAndRelease(_ bench: SocketBench) async throws -> WeakCore {
        let (socket, server) = try await bench.open(bench.options { $0.pingInterval = .seconds(30) })
        server.send("unread")
        return WeakCore(core: socket.core)
    }

    @Test("A released WebSocket whose server does not read is closed after the close timeout")
    func releasedUnread() async throws {
        let bench = SocketBench()
        var socket: WebSocket? = try await bench.open().0
        let server = bench.transport.connections.values[0]
        server.stopReading()
        socket = nil
        _ = socket
        try await bench.time.waitForTimers()
        #expect(!server.isClosed)
        bench.time.advance(by: .seconds(5))
        await server.closed.value()
    }
}
