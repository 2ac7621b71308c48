import MartletClient
import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

@Suite("A transport that speaks WebSocket", .timeLimit(.minutes(5)))
struct MessageLinkTests {
    /// A connection of messages in memory.
    final class Messages: MessageConnection {
        let selectedProtocol: String? = "chat"
        private let events = Locked<[Result<MessageConnectionEvent, HTTPError>]>([])
        private let tally = Tally()
        let sent = Recorder<String>()
        let receives = Recorder<Int>()

        func deliver(_ event: Result<MessageConnectionEvent, HTTPError>) {
            events.withLock { $0.append(event) }
            tally.add(1)
        }

        func receive() async throws(HTTPError) -> MessageConnectionEvent {
            do { try await tally.wait { $0 > 0 } } catch { throw .cancelled }
            tally.add(-1)
            receives.append(1)
            return try events.withLock { $0.removeFirst() }.get()
        }

        func send(_ message: MessageConnectionEvent.Message) async throws(HTTPError) { sent.append("\(message)") }
        func ping() async throws(HTTPError) { sent.append("ping") }
        func sendClose(code: UInt16, reason: Data) { sent.append("close \(code) \(String(decoding: reason, as: UTF8.self))") }
        func close() {
            sent.append("closed")
            deliver(.failure(.cancelled))
        }
    }

    private struct OwnTransport: Transport {
        let messages: Messages
        let calls: CallGroup? = CallGroup()
        let opensWebSockets = true

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            request.context.upgrade?.complete(with: .messages(messages))
            return HTTPResponse(status: 101, body: HTTPBody.empty)
        }
    }

    private let messages = Messages()
    private let time = ManualTime(autoAdvances: false)

    private func open(_ change: (inout WebSocketOptions) -> Void = { _ in }) async throws -> WebSocket {
        var options = WebSocketOptions(pingInterval: nil)
        change(&options)
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: OwnTransport(messages: messages), time: time)
        return try await client.webSocket(.get("x"), options: options)
    }

    @Test("Messages, pings and the close go through it, and its subprotocol and the server's code are known")
    func all() async throws {
        let socket = try await open()
        try await socket.send("a")
        try await socket.send(.data(Data([1])))
        try await socket.ping()
        messages.deliver(.success(.message(.text("b"))))
        messages.deliver(.success(.message(.data(Data([2])))))
        messages.deliver(.success(.closed(code: 4000, reason: Data("why".utf8))))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == "b")
        #expect(try await iterator.next() == .data(Data([2])))
        let closure = WebSocketClosure(code: 4000, reason: "why", side: .server)
        await #expect(throws: WebSocketError.closed(closure)) { _ = try await iterator.next() }
        #expect(socket.subprotocol == "chat" && messages.sent.count == 4 && messages.sent.values[3] == "closed")
    }

    @Test("1006 is an end without a Close frame, and a message over the limit is refused with 1009")
    func ends() async throws {
        let socket = try await open()
        messages.deliver(.success(.closed(code: 1006, reason: Data())))
        await #expect(throws: WebSocketError.failed(.networkError(NetworkFailure(.connectionLost)))) { _ = try await socket.all() }
        let other = try await Messages.limited(to: 3)
        let error = await #expect(throws: WebSocketError.self) { _ = try await other.socket.all() }
        #expect(error?.closure?.code == .messageTooBig && other.messages.sent.values[0].hasPrefix("close 1009"))
    }

    @Test("Nothing more is received while the queue is full")
    func backpressure() async throws {
        let socket = try await open { $0.maxQueuedMessages = 1 }
        for text in ["a", "b", "c"] { messages.deliver(.success(.message(.text(text)))) }
        await eventually { messages.receives.count == 1 }
        await settle()
        #expect(messages.receives.count == 1)
        var iterator = socket.messages.makeAsyncIterator()
        for text in ["a", "b", "c"] { #expect(try await iterator.next() == .text(text)) }
    }

    @Test("A long reason is cut at a character")
    func reason() async throws {
        let socket = try await open()
        let task = Task { await socket.close(reason: String(repeating: "é", count: 62)) }
        await eventually { messages.sent.count == 1 }
        #expect(messages.sent.values == ["close 1000 " + String(repeating: "é", count: 61)])
        messages.deliver(.success(.closed(code: 1000, reason: Data())))
        _ = await task.value
    }
}

extension MessageLinkTests.Messages {
    /// Opens a connection with a limit for messages, on which a larger one arrives.
    fileprivate static func limited(to bytes: Int) async throws -> (socket: WebSocket, messages: MessageLinkTests.Messages) {
        let messages = MessageLinkTests.Messages(), time = ManualTime()
        let options = WebSocketOptions(limits: WebSocketLimits(messageBytes: bytes), pingInterval: nil)
        let core = WebSocketCore(
            MessageLink(messages, options.limits), options, time: time, monitor: WebSocketMonitor(ObservedReading { nil }, nil))
        messages.deliver(.success(.message(.text("four"))))
        return (WebSocket(core, response: HTTPResponse(status: 101, body: ()), subprotocol: nil), messages)
    }
}
