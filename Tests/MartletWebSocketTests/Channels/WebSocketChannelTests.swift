import MartletClient
import MartletEssentials
import MartletHTTP
import MartletTesting
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

@Suite("WebSocketChannel", .timeLimit(.minutes(5)))
struct WebSocketChannelTests {
    private struct Post: Codable, Equatable, Sendable {
        var text: String
    }

    private let bench = SocketBench()

    @Test("Values are sent as JSON texts, and read from texts and binary messages, in order")
    func values() async throws {
        let channel = try await bench.client().webSocket(
            .get("room"), receiving: Post.self, sending: Post.self, options: bench.options())
        let server = bench.transport.connections.values[0]
        try await channel.send(Post(text: "a"))
        #expect(server.received.values == [#"text {"text":"a"}"#])
        server.send(#"{"text":"b"}"#, .data(Data(#"{"text":"c"}"#.utf8)))
        server.close(.normalClosure)
        var posts: [Post] = []
        for try await post in channel.values { posts.append(post) }
        #expect(posts == [Post(text: "b"), Post(text: "c")])
    }

    @Test("A message that can't be decoded throws with the message, and the next iteration begins after it")
    func undecodable() async throws {
        let channel = try await bench.client().webSocket(
            .get("room"), receiving: Post.self, sending: Post.self, options: bench.options())
        let server = bench.transport.connections.values[0]
        server.send("nonsense", #"{"text":"b"}"#)
        var values = channel.values.makeAsyncIterator()
        let error = await #expect(throws: WebSocketError.self) { _ = try await values.next() }
        guard case .invalidMessage(let failure) = error else { throw Unexpected() }
        #expect(failure.response?.body == Data("nonsense".utf8) && failure.request?.url.path == "/v1/room")
        values = channel.values.makeAsyncIterator()
        #expect(try await values.next() == Post(text: "b"))
        try await channel.send(Post(text: "open"))
        #expect(!server.isClosed)
    }

    @Test("String is the text itself, in both directions, and Data the bytes of a binary message")
    func plain() async throws {
        let (socket, server) = try await bench.open()
        let texts = WebSocketChannel<String, String>(socket), bytes = WebSocketChannel<Data, Data>(socket)
        try await texts.send("a\"b")
        try await bytes.send(Data([1, 2]))
        #expect(server.received.values == ["text a\"b", "data 2"])
        server.send("c\"d", .data(Data([3])))
        var strings = texts.values.makeAsyncIterator()
        #expect(try await strings.next() == "c\"d")
        var pieces = bytes.values.makeAsyncIterator()
        #expect(try await pieces.next() == Data([3]))
    }

    @Test("Values are written with the client's encoder and read with its decoder, also through a client with errors of its own")
    func coders() async throws {
        struct Login: Codable, Equatable, Sendable {
            var userName: String
        }
        struct Mapper: ErrorMapper {
            func map(_ error: HTTPError) -> HTTPError { error }
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://chat.example"), transport: bench.transport, encoder: .snakeCase, decoder: .snakeCase)
        let api = client.mappingErrors(Mapper())
        let channel = try await api.webSocket(.get("room"), receiving: Login.self, sending: Login.self, options: bench.options())
        let server = bench.transport.connections.values[0]
        try await channel.send(Login(userName: "a"))
        #expect(server.received.values == [#"text {"user_name":"a"}"#])
        server.send(#"{"user_name":"b"}"#)
        var values = channel.values.makeAsyncIterator()
        #expect(try await values.next() == Login(userName: "b"))
    }

    @Test("A value that can't be encoded throws .invalidMessage, and the connection stays open")
    func unencodable() async throws {
        struct Never: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws { throw Unexpected() }
        }
        let (socket, server) = try await bench.open()
        let error = await #expect(throws: WebSocketError.self) { try await WebSocketChannel<String, Never>(socket).send(Never()) }
        guard case .invalidMessage(.encodingFailed) = error else { throw Unexpected() }
        #expect(!server.isClosed && server.received.count == 0)
    }

    @Test("The end of the connection is that of the values")
    func end() async throws {
        let (socket, server) = try await bench.open()
        server.close(.goingAway)
        var values = WebSocketChannel<String, String>(socket).values.makeAsyncIterator()
        await #expect(throws: WebSocketError.closed(WebSocketClosure(code: 1001, side: .server))) { _ = try await values.next() }
    }
}
