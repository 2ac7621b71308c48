import Foundation
import MartletTesting
import Testing

@Suite("MockReply.events", .timeLimit(.minutes(5))) struct MockReplyEventsTests {
    private func received(_ reply: MockReply) async throws -> [ServerSentEvent] {
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(reply))
        var events: [ServerSentEvent] = []
        for try await event in client.events(.get("feed"), options: .init(reconnection: .never)) { events.append(event) }
        return events
    }

    @Test("Texts become the data of events, as literals and as variables")
    func texts() async throws {
        let words = ["a", "b"]
        #expect(try await received(.events(words)).map(\.data) == words)
        #expect(try await received(.events(["a", "b"])).map(\.data) == words)
        #expect(try await received(.events(["a", .init("b", id: "7")])).map(\.id) == ["", "7"])
        #expect(try await received(.events([])).isEmpty)
    }

    @Test("Every field and every line of data is received")
    func fields() async throws {
        let event = MockReply.Event("one\ntwo\r\n\rfour\u{2028}4\n", type: "price", id: "7", retry: .milliseconds(1500))
        let received = try await received(.events([event, ""]))
        #expect(received.first == ServerSentEvent(type: "price", data: "one\ntwo\n\nfour\u{2028}4\n", id: "7", retry: .milliseconds(1500)))
    }

    @Test("A server sends each event in its own chunk, as text/event-stream unless another type is given")
    func chunks() async throws {
        let server = try await MockServer.start()
        server.enqueue(.events(["a", .init("b", type: "t", id: "1")]), .events(["a"], headers: [.contentType: "text/plain", "X-A": "1"]))
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = try await client.readToEnd()
        #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(text.contains("\r\n\r\n9\r\ndata: a\n\n\r\n18\r\nevent: t\nid: 1\ndata: b\n\n\r\n0\r\n\r\n"))
        #expect(text.contains("\r\nContent-Type: text/plain\r\n") && text.contains("\r\nX-A: 1\r\n"))
        await server.stop()
    }

    @Test("Pieces of text can be given as an array or as arguments")
    func pieces() async throws {
        let pieces = ["a", "b"]
        for reply: MockReply in [.stream(pieces), .stream(["a", "b"]), .stream("a", "b"), .stream([Data("a".utf8), Data("b".utf8)])] {
            let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(reply))
            #expect(try await client.send(Request<String>.get("x")) == "ab")
        }
        _ = MockReply.stream([])
    }
}
