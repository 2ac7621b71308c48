import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("DecodedEventSequence", .timeLimit(.minutes(5)))
struct DecodedEventSequenceTests {
    private let bench = EventBench()

    private struct Chunk: Decodable, Sendable, Equatable { let textPart: String }

    private func client(_ replies: MockReply..., decoder: any BodyDecoder = .json) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies), decoder: decoder, time: bench.time)
    }

    @Test("The data of each event is decoded with the client's decoder or with that of the options")
    func decoders() async throws {
        let client = client(
            .events("data: {\"text_part\":\ndata: \"a\"}\n\n"), .events("data: {\"textPart\":\"b\"}\n\n"), decoder: .snakeCase)
        #expect(try await client.events(.post("chat"), as: Chunk.self).all() == [Chunk(textPart: "a")])
        #expect(try await client.events(.post("chat"), as: Chunk.self, options: .init(decoder: .json)).all() == [Chunk(textPart: "b")])
    }

    @Test("String and Data are the data itself, and an Optional is nil for empty data")
    func plain() async throws {
        let client = client(.events("data: a\n\n"), .events("data: b\n\n"), .events("data\n\ndata: 7\n\n"))
        #expect(try await client.events(.post("x"), as: String.self).all() == ["a"])
        #expect(try await client.events(.post("x"), as: Data.self).all() == [Data("b".utf8)])
        #expect(try await client.events(.post("x"), as: Int?.self).all() == [nil, 7])
    }

    @Test("The end marker ends the sequence and is not decoded")
    func marker() async throws {
        let transport = MockTransport(.events("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n"))
        let options = bench.options { $0.endMarker = "[DONE]" }
        #expect(try await bench.client(transport).events(.get("x"), as: Int.self, options: options).all() == [1])
        #expect(transport.requests.count == 1)
    }

    @Test("A stream that ends without its end marker is an error, unless the options disable it")
    func noMarker() async throws {
        var seen: [Int] = []
        let client = client(.events("data: 1\n\n"), .events("data: 1\n\n"))
        let error = await #expect(throws: HTTPError.self) {
            for try await number in client.events(.post("x"), as: Int.self, options: .init(endMarker: "[DONE]")) { seen.append(number) }
        }
        guard case .invalidResponse(let words) = error else { throw Unexpected() }
        #expect(words.text.contains("[DONE]") && error?.request?.method == .post && error?.attempts == 1 && seen == [1])
        #expect(
            try await client.events(.post("x"), as: Int.self, options: .init(endMarker: "[DONE]", requiresEndMarker: false)).all() == [1])
    }

    private struct Unexpected: Error {}

    @Test("Data that can't be decoded ends the sequence with an error that has the data and the request")
    func undecodable() async throws {
        var iterator = client(.events("data: 1\n\ndata: {\"error\":5}\n\ndata: 2\n\n")).events(.post("x"), as: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: HTTPError.self) { _ = try await iterator.next() }
        guard case .decodingFailed(let failure) = error else { throw Unexpected() }
        #expect(failure.type == "Int" && failure.response.body == Data(#"{"error":5}"#.utf8) && error?.stage == .decoding)
        #expect(error?.request?.url.path == "/x" && error?.status == 200)
        #expect(try await iterator.next() == nil)
    }

    @Test("Data that can't be decoded is skipped if the options say so")
    func skipped() async throws {
        let client = client(.events("data: 1\n\ndata: x\n\ndata\n\ndata: 2\n\n"))
        #expect(try await client.events(.post("x"), as: Int.self, options: .init(skipsUndecodable: true)).all() == [1, 2])
    }

    @Test("Events of other types are skipped, and their ids are kept")
    func types() async throws {
        let transport = MockTransport(.events("data: 1\n\nevent: ping\nid: 8\ndata: x\n\nevent: n\ndata: 2\n\n"), .status(204))
        let options = bench.options { $0.types = ["message", "n"] }
        #expect(try await bench.client(transport).events(.get("x"), as: Int.self, options: options).all() == [1, 2])
        #expect(transport.requests[1].headers["Last-Event-ID"] == "8")
    }

    @Test("The stream reconnects like a sequence of events")
    func reconnects() async throws {
        let transport = MockTransport(.events("data: 1\n\n"), .disconnect, .events("data: 2\n\n"), .status(204))
        #expect(try await bench.client(transport).events(.get("x"), as: Int.self, options: bench.options()).all() == [1, 2])
    }
}

/// Forms of calls, which must compile and return the right events.
@Suite("Calls for events", .timeLimit(.minutes(5))) struct EventCallTests {
    private struct Feed: Endpoint { let path: Path = "feed" }
    private struct Note: Decodable, Sendable, Equatable { let n: Int }

    @Test("Endpoints, requests, short names and test doubles return events through any client")
    func calls() async throws {
        let mock = HTTPClientMock()
        let reply = StubbedResponse<Data>.events([#"{"n":1}"#])
        mock.on(Feed.self, reply)
        mock.on(Request<Data>.self, reply)
        mock.on(Request<EventName>.self, .events([#"{"n":1}"#]))
        let client: any HTTPClientProtocol = mock
        let once = EventOptions(reconnection: .never)
        #expect(try await client.events(Feed(), options: once).all().map(\.data) == [#"{"n":1}"#])
        #expect(try await client.events(.get("feed", query: ["a": 1]), options: once).all().count == 1)
        #expect(try await client.events(.named, options: once).all().count == 1)
        #expect(try await client.events(Feed(), as: Note.self, options: once).all() == [Note(n: 1)])
        #expect(try await client.events(.post("chat", body: .json(["a": 1])), as: Note.self, options: once).all() == [Note(n: 1)])
        #expect(try await client.events(.named, as: Note.self, options: once).all() == [Note(n: 1)])
        for try await event in client.events(.get("feed"), options: once) { #expect(try event.decode(Note.self) == Note(n: 1)) }
        #expect(mock.requested(Feed.self).count == 2)
    }
}

struct EventName: Decodable, Sendable {}

extension Request where Response == EventName {
    fileprivate static var named: Self { .get("named") }
}
