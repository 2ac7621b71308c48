import Foundation
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletMockServer

/// Tests WebSockets over sockets.
@Suite(.timeLimit(.minutes(5))) struct ServerWebSocketTests {
    @Test("A route accepts a WebSocket and plays its script, and the test sees what has arrived")
    func conversation() async throws {
        let server = try await MockServer.start()
        server.on(.get("/chat/{room}"), .webSocket(.expect("hello"), .send("welcome"), .echo))
        let client = try await WebSocketClient(port: server.port, path: "/chat/1")
        try await client.send("hello", "a", .data(Data([1])))
        for expected: WebSocketMessage in ["welcome", "a", .data(Data([1]))] { #expect(try await client.next() == .message(expected)) }
        try await client.ping("p")
        #expect(try await client.next() == .pong(Data("p".utf8)))

        let socket = try await server.waitForWebSockets()[0]
        #expect(socket.messages == ["hello", "a", .data(Data([1]))] && socket.pings == [Data("p".utf8)])
        #expect(socket.isOpen && socket.closeCode == nil && socket.request.path == "/chat/1" && socket.subprotocol == nil)
        socket.play(.ping(Data("q".utf8)), .close(.goingAway, reason: "bye"))
        #expect(try await client.all() == [.ping(Data("q".utf8)), .close(.goingAway, reason: "bye")])
        #expect(try await socket.waitForEnd() == .goingAway)
        #expect(!socket.isOpen && socket.pongs == [Data("q".utf8)] && socket.failures.isEmpty)
        #expect(server.requests.count == 1 && server.webSockets.count == 1)
        try await server.waitForOpenConnections()
        await server.stop()
    }

    @Test("The client's Close frame is echoed, recorded, and the server ends the connection first")
    func clientCloses() async throws {
        let server = try await MockServer.start()
        server.enqueue(.webSocket(.echo), .webSocket(.echo), .webSocket(.echo))
        let client = try await WebSocketClient(port: server.port)
        try await client.close(4001, reason: "done")
        #expect(try await client.all() == [.close(4001, reason: "")])
        let socket = server.webSockets[0]
        #expect(try await socket.waitForEnd() == 4001)
        #expect(socket.closeReason == "done")
        let silent = try await WebSocketClient(port: server.port)
        try await silent.close(nil)
        #expect(try await server.waitForWebSockets(2)[1].waitForEnd() == .noStatusReceived)
        let lost = try await WebSocketClient(port: server.port)
        await lost.drop()
        #expect(try await server.waitForWebSockets(3)[2].waitForEnd() == .abnormalClosure)
        await server.stop()
    }

    @Test("Handlers and routes with closures can accept, and frames that arrive with the handshake are read")
    func handler() async throws {
        let server = try await MockServer.start { request in request.path == "/ws" ? .webSocket(.echo) : .status(404) }
        let client = try RawClient(port: server.port)
        var request = "GET /ws HTTP/1.1\r\nHost: x\r\n"
        for field in WebSocketHandshake().fields { request += "\(field.name): \(field.value)\r\n" }
        try await client.send(Array((request + "\r\n").utf8) + [0x81, 0x81, 0, 0, 0, 0, 0x61])
        let head = try await client.read(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n") && !head.contains("Content-Length"))
        #expect(try await client.read(3) == [0x81, 1, 0x61])
        await server.stop()
    }

    @Test("The first subprotocol that the client offers is selected, or the first that the server speaks, or none")
    func subprotocols() async throws {
        let server = try await MockServer.start()
        server.on(.get("/any"), .webSocket())
        server.on(.get("/v1"), .webSocket(protocols: ["v1", "v0"]))
        server.on(.get("/none"), .webSocket(protocols: []))
        server.on(.get("/wrong"), .webSocket(headers: [.secWebSocketProtocol: "v9"]))
        for (path, expected) in [("/any", "v2"), ("/v1", "v1"), ("/none", nil)] {
            let client = try await WebSocketClient(port: server.port, path: path, protocols: ["v2", "v1"])
            #expect(client.agreement.subprotocol == expected)
            #expect(server.webSockets.last?.subprotocol == expected)
        }
        await #expect(throws: WebSocketHandshakeFailure.subprotocol("v9")) {
            _ = try await WebSocketClient(port: server.port, path: "/wrong", protocols: ["v2"])
        }
        await server.stop()
    }

    @Test("A request that is no handshake is refused, and fields of the reply replace those of the handshake")
    func handshakes() async throws {
        let server = try await MockServer.start()
        server.on(.path("/"), .webSocket(headers: [.secWebSocketAccept: "wrong", "X-A": "1"]))
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let plain = try await client.readResponse()
        #expect(plain.hasPrefix("HTTP/1.1 400 ") && plain.contains("Upgrade has no \"websocket\""))
        // The connection is still one of HTTP.
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 8\r\n\r\n")
        let old = try await client.readResponse()
        #expect(old.hasPrefix("HTTP/1.1 426 ") && old.contains("\r\nSec-WebSocket-Version: 13\r\n"))
        await #expect(throws: WebSocketHandshakeFailure.accept("wrong")) { _ = try await WebSocketClient(port: server.port) }
        #expect(server.webSockets.count == 1)
        await server.stop()
    }

    @Test("Wrong frames reach the client, whose Close frame names the violation")
    func violations() async throws {
        let server = try await MockServer.start()
        server.on(.any, .webSocket(.send("a"), .frame(0x3, "x")))
        let client = try await WebSocketClient(port: server.port)
        #expect(try await client.all() == [.message("a"), .failed(.reservedOpcode(3))])
        #expect(try await server.webSockets[0].waitForEnd() == .protocolError)
        // And violations of the client are failures of the test.
        let wrong = try await WebSocketClient(port: server.port)
        try await wrong.sendRaw([0x81, 0])
        #expect(try await server.waitForWebSockets(2)[1].waitForEnd() == .abnormalClosure)
        #expect(server.webSockets[1].failures == ["a frame of the client is not masked"])
        await server.stop()
    }

    @Test("Connections are dropped and reset by the script, and by faults within a frame or within the handshake")
    func drops() async throws {
        let server = try await MockServer.start()
        server.on(.get("/drop"), .webSocket(.send("a"), .drop()))
        server.on(.get("/reset"), .webSocket(.expect("go"), .drop(reset: true)))
        server.on(
            .get("/fault"), faults: .inOrder(.drop(atByte: 4), .disconnect(afterHeadBytes: 20), .reset), .webSocket(.send("a"), .send("b")))
        let dropped = try await WebSocketClient(port: server.port, path: "/drop")
        #expect(try await dropped.all() == [.message("a")])
        let reset = try await WebSocketClient(port: server.port, path: "/reset")
        try await reset.send("go")
        #expect(try await reset.all().isEmpty)
        #expect(await reset.wasReset)
        let cut = try await WebSocketClient(port: server.port, path: "/fault")
        #expect(try await cut.all() == [.message("a")])
        for _ in 0..<2 {
            await #expect(throws: RawClient.Failure.self) { _ = try await WebSocketClient(port: server.port, path: "/fault") }
        }
        #expect(server.webSockets.map(\.closeCode) == [.abnormalClosure, .abnormalClosure, .abnormalClosure])
        await server.stop()
    }

    @Test("Delays use the server's time source, and the connection lives on in the meantime")
    func delays() async throws {
        let time = ManualTime()
        var options = MockServer.Options()
        options.time = time
        let server = try await MockServer.start(options: options)
        server.enqueue(MockReply.webSocket(.delay(.seconds(5)), .send("late")).delayed(by: .seconds(2)))
        let client = try await WebSocketClient(port: server.port)
        #expect(try await client.next() == .message("late"))
        #expect(time.sleeps == [.seconds(2), .seconds(5)])
        await server.stop()
    }

    @Test("A client that does not read stops the server, and a server that does not read stops the client")
    func backpressure() async throws {
        var options = MockServer.Options()
        options.sendBufferBytes = 4096
        let server = try await MockServer.start(options: options)
        let big = WebSocketMessage.data(Data(count: 1 << 20))
        server.on(.get("/flood"), .webSocket(Array(repeating: .send(big), count: 64)))
        server.on(.get("/deaf"), .webSocket(.stopReading))
        let slow = try await WebSocketClient(port: server.port, path: "/flood", receiveBufferBytes: 4096)
        try await server.waitForBytesWritten(10_000)
        #expect(server.bytesWritten < 32 << 20)
        for _ in 0..<64 { #expect(try await slow.next() == .message(big)) }

        let eager = try await WebSocketClient(port: server.port, path: "/deaf")
        let socket = try await server.waitForWebSockets(2)[1]
        let sent = Recorder<Int>()
        let sending = Task {
            for index in 0..<64 {
                try await eager.send(big)
                sent.append(index)
            }
        }
        _ = try await sent.first(0)
        #expect(socket.messages.isEmpty)
        socket.play(.resumeReading)
        try await socket.waitForMessages(64)
        try await sending.value
        await server.stop()
    }

    @Test("Messages are compressed if the client offers it and the reply accepts it", .enabled(if: PermessageDeflate.isAvailable))
    func compression() async throws {
        let server = try await MockServer.start()
        server.on(.get("/plain"), .webSocket(.echo))
        server.on(.get("/deflate"), .webSocket(.echo, compression: .init()))
        let text = String(repeating: "again and ", count: 1000)
        for (path, offer, isCompressed) in [("/plain", true, false), ("/deflate", false, false), ("/deflate", true, true)] {
            let client = try await WebSocketClient(port: server.port, path: path, compression: offer ? .init() : nil)
            try await client.send(.text(text))
            #expect(try await client.next() == .message(.text(text)))
            #expect((client.agreement.compression != nil) == isCompressed && server.webSockets.last?.isCompressed == isCompressed)
            #expect((await client.receivedBytes < 1000) == isCompressed)
        }
        await server.stop()
    }

    @Test("Stopping the server ends its WebSockets, and a server without records accepts them too")
    func stopping() async throws {
        var options = MockServer.Options()
        options.keepsRequests = false
        let server = try await MockServer.start(options: options)
        server.on(.any, .webSocket(.echo))
        let client = try await WebSocketClient(port: server.port)
        try await client.send("a")
        #expect(try await client.next() == .message("a"))
        #expect(server.webSockets.isEmpty)
        await server.stop()
        #expect(try await client.all().isEmpty)
    }
}
