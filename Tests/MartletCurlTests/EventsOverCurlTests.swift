import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

/// Tests event streams over real connections.
@Suite(.timeLimit(.minutes(5))) struct EventsOverCurlTests {
    private let quick = EventReconnection(delay: .milliseconds(5), minDelay: .milliseconds(1))
    private let type: HTTPFields = [.contentType: "text/event-stream"]

    private func client(_ server: MockServer) -> HTTPClient { HTTPClient(baseURL: server.url, transport: CurlTransport()) }

    /// Returns a stream that a test writes to.
    private func open() -> (reply: MockReply, feed: AsyncStream<Data>.Continuation) {
        let (stream, feed) = AsyncStream<Data>.makeStream()
        let reply = MockReply.stream(headers: type) {
            HTTPBody {
                for await chunk in stream { return chunk }
                return nil
            }
        }
        return (reply, feed)
    }

    @Test(
        "Each event arrives as soon as its blank line is sent, also one ended by carriage returns; leaving the loop closes the connection"
    )
    func atOnce() async throws {
        let server = try await MockServer.start()
        let (reply, feed) = open()
        server.enqueue(reply)
        feed.yield(Data("data: 1\n\n".utf8))
        var seen: [String] = []
        for try await event in client(server).events(.get("feed")) {
            seen.append(event.data)
            if event.data == "1" { feed.yield(Data("data: 2\r\r".utf8)) }
            if event.data == "2" { feed.yield(Data("\ndata: 3\n\n".utf8)) }
            if event.data == "3" { break }
        }
        #expect(seen == ["1", "2", "3"])
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("Cancelling a task that waits for an event closes the connection")
    func cancelled() async throws {
        let server = try await MockServer.start()
        let (reply, feed) = open()
        server.enqueue(reply)
        feed.yield(Data("data: 1\n\n".utf8))
        let began = AsyncStream<Void>.makeStream()
        let task = Task { [client] in
            for try await _ in client(server).events(.get("feed")) { began.continuation.yield() }
        }
        for await _ in began.stream { break }
        #expect(server.openConnectionCount == 1)
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("A restart closes the connection and opens another")
    func restarted() async throws {
        let server = try await MockServer.start()
        let (reply, feed) = open()
        server.enqueue(reply, .stream("data: 2\n\n", headers: type), .status(204))
        feed.yield(Data("id: a\ndata: 1\n\n".utf8))
        let control = EventControl()
        let events = client(server).events(.get("feed"), options: .init(reconnection: quick, control: control))
        var seen: [String] = []
        for try await event in events {
            seen.append(event.data)
            if event.data == "1" { Task { control.restart() } }
        }
        #expect(seen == ["1", "2"] && server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "a", "a"])
        await server.stop()
    }

    @Test("Connections that end, break or are reset are reopened, and the stream continues after the last event")
    func reconnects() async throws {
        let server = try await MockServer.start()
        server.enqueue(
            .stream("retry: 1\nid: 1\ndata: a\n\n", headers: type), .disconnect, .reset,
            .stream("id: 2\ndata: b\n\n", "data: cut off", headers: type).disconnecting(afterBodyBytes: 30),
            .stream("id: 3\ndata: c\n\n", headers: type).delimitedByClose(), .status(302, headers: [.location: "/elsewhere"]),
            .stream("data: d\n\n", headers: type), .status(204))
        var seen: [String] = []
        for try await event in client(server).events(.get("feed"), options: .init(reconnection: quick)) { seen.append(event.data) }
        #expect(seen == ["a", "b", "c", "d"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1", "1", "2", "3", "3", "3"])
        await server.stop()
    }

    @Test("A chat response arrives in parts, decoded, and its connection serves the next call")
    func chat() async throws {
        struct Chunk: Decodable, Sendable { let text: String }
        let server = try await MockServer.start()
        let reply = MockReply.stream(
            "data: {\"text\":\"Hel\"}\n\n", "data: {\"text\":\"lo\"}\n\n", "data: [DONE]\n\n", headers: type)
        server.enqueue(reply, reply)
        let client = client(server)
        for _ in 0..<2 {
            var answer = ""
            for try await chunk in client.events(
                .post("chat", body: .json(["q": "hi"])), as: Chunk.self, options: .init(endMarker: "[DONE]"))
            { answer += chunk.text }
            #expect(answer == "Hello")
        }
        #expect(server.requests.map(\.method) == [.post, .post])
        await server.stop()
    }

    @Test("A line without end fails at the limit on lines and closes the connection")
    func endlessLine() async throws {
        let server = try await MockServer.start()
        server.enqueue(.stream(headers: type) { HTTPBody { Data(repeating: 0x78, count: 10_000) } })
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 1_000_000))) {
            for try await _ in client(server).events(.get("feed"), options: .init(maxLineBytes: 1_000_000)) {}
        }
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }
}
