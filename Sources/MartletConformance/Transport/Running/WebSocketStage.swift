internal import MartletEssentials
internal import MartletSystem
internal import MartletWebSocket
internal import MartletWebSocketProtocol

/// A client over the transport of a case, and the server that accepts its WebSockets: a `MockServer`, or the transport itself if it is a
/// mock.
struct WebSocketStage {
    private enum Server {
        case listening(MockServer)
        /// With the number of WebSockets that it had accepted before.
        case inMemory(MockTransport, earlier: Int)
    }

    private let client: HTTPClient
    private let server: Server
    private let url: URL
    private let context: CaseContext

    init(_ context: CaseContext, _ replies: [MockReply]) async throws {
        self.context = context
        if let mock = context.transport as? MockTransport {
            for reply in replies { mock.enqueue(reply) }
            server = .inMemory(mock, earlier: mock.webSockets.count)
            url = try context.url("http://mock.invalid/")
        } else {
            let listening = try await context.serve()
            listening.enqueue(replies)
            server = .listening(listening)
            url = listening.url
        }
        client = HTTPClient(baseURL: url, transport: context.transport)
    }

    /// Opens a connection without keep-alive.
    func open(protocols: [String] = [], _ change: (inout WebSocketOptions) -> Void = { _ in }) async throws(HTTPError) -> WebSocket {
        var options = WebSocketOptions(pingInterval: nil)
        change(&options)
        context.step("opening a WebSocket")
        return try await client.webSocket(.get("socket"), protocols: protocols, options: options)
    }

    /// Returns the error of opening a connection, or nil if it opens.
    func refusal(protocols: [String] = []) async -> HTTPError? {
        do throws(HTTPError) { await (try open(protocols: protocols)).close() } catch { return error }
        return nil
    }

    /// Waits for the server's side of the first connection.
    func accepted() async throws -> ServerWebSocket {
        context.step("waiting until the server has accepted a WebSocket")
        switch server {
        case .listening(let server): return try await server.waitForWebSockets()[0]
        case .inMemory(let mock, let earlier): return try await mock.waitForWebSockets(earlier + 1)[earlier]
        }
    }

    func waitForRequest() async throws {
        context.step("waiting for the request")
        switch server {
        case .listening(let server): try await server.waitForRequests()
        case .inMemory(let mock, _): try await mock.waitForRequests()
        }
    }

    /// Waits until the server has no open connections.
    func waitUntilClosed() async throws {
        switch server {
        case .listening(let server): try await context.waitUntilClosed(server)
        case .inMemory(let mock, _): for socket in mock.webSockets { try await socket.waitForEnd() }
        }
    }

    /// Whether the transport hands over the bytes of a connection, so that Martlet itself reads and writes the frames. Needs a reply of
    /// its own.
    func handsOverBytes() async throws -> Bool {
        context.step("asking which kind of connections the transport opens")
        let handshake = WebSocketHandshake()
        let upgrade = ConnectionUpgrade { request in
            for field in handshake.fields { request.headers[field.name] = field.value }
        }
        var request = HTTPRequest(url: url)
        request.context.upgrade = upgrade
        upgrade.prepare(&request)
        _ = try await context.transport.send(request)
        let connection = upgrade.take()
        connection?.close()
        if case .bytes = connection { return true }
        return false
    }
}

extension CaseContext {
    /// Starts a server with replies to handshakes, and a client of it.
    func stage(_ replies: MockReply...) async throws -> WebSocketStage { try await WebSocketStage(self, replies) }

    /// Reads the messages of a connection to its end.
    func read(_ socket: WebSocket) async -> (messages: [WebSocketMessage], end: WebSocketError?) {
        step("reading messages to the end of a WebSocket")
        var messages: [WebSocketMessage] = []
        do throws(WebSocketError) {
            for try await message in socket.messages { messages.append(message) }
        } catch { return (messages, error) }
        return (messages, nil)
    }

    /// Waits until a number does not change any more, or reaches a limit.
    func waitUntilConstant(_ number: Tally, below limit: Int) async throws {
        var before = -1
        while number.count != before, number.count < limit {
            before = number.count
            // No event tells that nothing more happens. On a machine that is too slow for this wait, the case is milder, not wrong.
            try await Task.sleep(for: .milliseconds(400))
        }
    }
}
