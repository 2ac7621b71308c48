import Foundation
import Martlet
import MartletTesting
import MartletWebSocket
import Testing

/// Tests WebSockets of the mocks, over connections in memory.
@Suite(.timeLimit(.minutes(5))) struct WebSocketMockTests {
    /// Code of an app.
    struct Chat {
        let socket: WebSocket

        func greet() async throws -> [WebSocketMessage] {
            try await socket.send("hello")
            var posts: [WebSocketMessage] = []
            for try await post in socket.messages { posts.append(post) }
            return posts
        }
    }

    struct JoinRoom: Endpoint {
        let room: Int
        var path: Path { "rooms/\(room)" }
    }

    private let base = URL(string: "https://chat.example/v1/")!

    @Test("Code that is given a socket is tested with a script, which the test continues")
    func mock() async throws {
        let mock = try await WebSocketMock(.expect("hello"), .send("welcome"))
        let chat = Chat(socket: mock.socket)
        let posts = Task { try await chat.greet() }
        #expect(try await mock.server.waitForMessages() == ["hello"])
        mock.server.play(.send("news", fragmentBytes: 1), .close())
        #expect(try await posts.value == ["welcome", "news"])
        #expect(try await mock.server.waitForEnd() == .normalClosure && mock.server.failures.isEmpty && !mock.server.isOpen)
    }

    @Test("The test sees the app's close code and reason, and can drop or reset the connection, after which sending fails")
    func ends() async throws {
        let mock = try await WebSocketMock(protocols: ["v2", "v1"])
        #expect(mock.socket.subprotocol == "v2" && mock.server.subprotocol == "v2")
        #expect(await mock.socket.close(code: 4000, reason: "bye") == .closed(WebSocketClosure(code: 4000, reason: "bye", side: .client)))
        #expect(try await mock.server.waitForEnd() == 4000 && mock.server.closeReason == "bye")
        for isReset in [false, true] {
            let dropped = try await WebSocketMock(.send("last"))
            dropped.server.play(.drop(reset: isReset))
            #expect(try await dropped.server.waitForEnd() == .abnormalClosure)
            var iterator = dropped.socket.messages.makeAsyncIterator()
            #expect(try await iterator.next() == "last")
            await #expect(throws: WebSocketError.failed(.connectionLost)) { _ = try await iterator.next() }
            await #expect(throws: WebSocketError.failed(.connectionLost)) { try await dropped.socket.send("x") }
        }
    }

    @Test("Releasing the socket closes the connection with 1001")
    func released() async throws {
        var mock: WebSocketMock? = try await WebSocketMock(.echo)
        let server = try #require(mock?.server)
        mock = nil
        #expect(try await server.waitForEnd() == .goingAway)
    }

    @Test("An unexpected message closes the connection, and the difference is in failures")
    func unexpected() async throws {
        let mock = try await WebSocketMock(.expect("hello"))
        try await mock.socket.send("goodbye")
        try await mock.server.waitForEnd()
        #expect(mock.server.failures.count == 1 && mock.server.failures[0].contains("goodbye"))
    }

    @Test("Delays, pings and their deadlines use the mock's time")
    func time() async throws {
        let time = ManualTime(autoAdvances: false)
        let options = WebSocketOptions(pingInterval: .seconds(30), pongTimeout: .seconds(20))
        let mock = try await WebSocketMock(.delay(.seconds(10)), .send("late"), .ignorePings, options: options, time: time)
        // The delay and the next ping.
        try await time.waitForTimers(2)
        #expect(mock.server.pings.isEmpty)
        time.advance(by: .seconds(10))
        var iterator = mock.socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == "late")
        time.advance(by: .seconds(20))
        try await mock.server.waitForPings()
        try await time.waitForTimers()
        time.advance(by: .seconds(20))
        await #expect(throws: WebSocketError.failed(.timeout)) { _ = try await iterator.next() }
    }

    @Test("A script is compressed if the options offer it and zlib is there")
    func compressed() async throws {
        let mock = try await WebSocketMock(.echo, options: WebSocketOptions(compression: WebSocketCompression()))
        let text = WebSocketMessage.text(String(repeating: "a", count: 10_000))
        try await mock.socket.send(text)
        var iterator = mock.socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == text)
        #if os(Linux)
        #expect(mock.server.isCompressed)
        #endif
    }

    // MARK: Clients

    @Test("A mocked client accepts by endpoint, with another script for each connection, and records the handshake")
    func client() async throws {
        let mock = HTTPClientMock()
        mock.on(JoinRoom.self, .status(503), .webSocket(.send("one"), .drop()), .webSocket(.send("two"), .close(), protocols: ["v1"]))
        await #expect(throws: HTTPError.self) { _ = try await mock.webSocket(JoinRoom(room: 1)) }
        let first = try await mock.webSocket(JoinRoom(room: 7)), second = try await mock.webSocket(JoinRoom(room: 8), protocols: ["v1"])
        #expect(second.subprotocol == "v1" && second.response.status == 101)
        var messages: [WebSocketMessage] = []
        await #expect(throws: WebSocketError.failed(.connectionLost)) { for try await text in first.messages { messages.append(text) } }
        for try await text in second.messages { messages.append(text) }
        #expect(messages == ["one", "two"] && mock.requested(JoinRoom.self).map(\.room) == [1, 7, 8])
        let sockets = try await mock.waitForWebSockets(2)
        #expect(sockets.map(\.request.target) == ["/rooms/7", "/rooms/8"] && mock.webSockets.count == 2)
        #expect(sockets[1].request.headers["Sec-WebSocket-Version"] == "13" && mock.requests[2].headers["Upgrade"] == "websocket")
        #expect(sockets[1].request.headers["Sec-WebSocket-Protocol"] == "v1" && sockets[1].request.connection == 2)
        try mock.verify()
    }

    @Test("A reconnecting socket over a mocked client gets the next script after a lost connection")
    func reconnecting() async throws {
        let mock = HTTPClientMock(time: ManualTime())
        mock.on(JoinRoom.self, .webSocket(.expect("hi"), .send("one"), .drop()), .webSocket(.expect("hi"), .send("two"), .close()))
        let feed = mock.reconnectingWebSocket(JoinRoom(room: 1)) { socket in try await socket.send("hi") }
        var messages: [WebSocketMessage] = []
        for try await message in feed.messages { messages.append(message) }
        #expect(messages == ["one", "two"] && mock.webSockets.map(\.failures) == [[], []])
    }

    @Test("A refusal is .statusCode, a call without a stub says how to write one, and a plain call gets the server's refusal")
    func refusals() async throws {
        let mock = HTTPClientMock()
        let unstubbed = await #expect(throws: HTTPError.self) { _ = try await mock.webSocket(JoinRoom(room: 1)) }
        #expect("\(try #require(unstubbed))".contains("mock.on(JoinRoom.self, .webSocket(.echo))"))
        mock.on(JoinRoom.self, .status(403, body: Data("full".utf8)), .webSocket(.echo))
        let refused = await #expect(throws: HTTPError.self) { _ = try await mock.webSocket(JoinRoom(room: 1)) }
        #expect(refused?.status == 403)
        let plain = await #expect(throws: HTTPError.self) { _ = try await mock.send(JoinRoom(room: 1)) }
        #expect(plain?.status == 400 && mock.webSockets.isEmpty)
    }

    // MARK: Transports

    @Test("Over a mocked transport the whole client runs: a 401 is refreshed, and the accepted socket is known")
    func transport() async throws {
        let transport = MockTransport()
        transport.on(.get("/v1/rooms/{id}").header(.authorization, "Bearer old"), .status(401))
        transport.on(.get("/v1/rooms/{id}").header(.authorization, "Bearer new")) { _, path in
            .webSocket(.send("room \(path["id"] ?? "")"), .echo)
        }
        let auth = AuthInterceptor(token: { AccessToken("old") }, replacing: { _ in AccessToken("new") })
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [auth])
        let socket = try await client.webSocket(JoinRoom(room: 3))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == "room 3")
        let server = try await transport.waitForWebSockets()[0]
        #expect(server.request.path == "/v1/rooms/3" && transport.webSockets.count == 1 && transport.requests.count == 2)
        client.cancelAll()
        #expect(try await server.waitForEnd() == .goingAway)
    }

    @Test("A request that is no handshake is refused as by a server, and one whose connection nobody takes is an error")
    func noHandshake() async throws {
        let transport = MockTransport(.webSocket(.echo), .webSocket(.echo))
        var request = HTTPRequest(url: base)
        let refusal = try await transport.send(request)
        #expect(refusal.status == 400 && transport.webSockets.isEmpty)
        request.headers = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        let handshake = request
        await #expect(throws: HTTPError.invalidRequest("")) { _ = try await transport.send(handshake) }
    }

    @Test("A handshake can be delayed, cut, or wrong, and a script ends after a number of bytes")
    func faultyReplies() async throws {
        let time = ManualTime()
        let transport = MockTransport(
            .webSocket(.echo).delayed(by: .seconds(2)), .webSocket(.echo).disconnecting(afterHeadBytes: 5),
            .webSocket(.echo, headers: ["Sec-WebSocket-Accept": "wrong"]),
            .webSocket(.send("12345"), .send("6")).disconnecting(afterBodyBytes: 8), time: time)
        let client = HTTPClient(baseURL: base, transport: transport, time: time)
        let options = WebSocketOptions(pingInterval: nil)
        await (try client.webSocket(.get("a"), options: options)).close()
        #expect(time.sleeps == [.seconds(2)])
        await #expect(throws: HTTPError.connectionLost) { _ = try await client.webSocket(.get("a"), options: options) }
        let wrong = await #expect(throws: HTTPError.self) { _ = try await client.webSocket(.get("a"), options: options) }
        #expect("\(try #require(wrong))".contains("Sec-WebSocket-Accept"))
        try await transport.waitForWebSockets(2)[1].waitForEnd()
        let cut = try await client.webSocket(.get("a"), options: options)
        var iterator = cut.messages.makeAsyncIterator()
        #expect(try await iterator.next() == "12345")
        await #expect(throws: WebSocketError.failed(.connectionLost)) { _ = try await iterator.next() }
    }

    @Test("A transport that opens no WebSockets is refused before anything is sent, whoever wraps it")
    func inability() async throws {
        /// Sends requests and knows nothing of upgrades.
        struct Plain: Transport {
            let mock = MockTransport { _ in .status(200) }
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { try await mock.send(request) }
        }
        let plain = Plain(), file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let recording = RecordingTransport(wrapping: plain, to: file)
        for transport in [plain, recording] as [any Transport] {
            let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor()], time: ManualTime())
            let error = await #expect(throws: HTTPError.self) { _ = try await client.webSocket(.get("a")) }
            guard case .engineUnavailable = error else { Issue.record("\(String(describing: error))"); continue }
            #expect("\(try #require(error))".contains("\(type(of: transport)) opens no WebSockets"))
            #expect(error?.request?.url.path == "/v1/a" && error?.stage == .request)
        }
        #expect(plain.mock.requests.isEmpty && recording.count == 0)
        #expect(RecordingTransport(wrapping: MockTransport(), to: file).opensWebSockets)
    }
}
