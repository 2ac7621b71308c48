import Foundation
import Martlet
import MartletTesting
import MartletWebSocket
import Testing

@testable import MartletInspector

@Suite("The events for a page", .timeLimit(.minutes(5)))
struct EventFeedTests {
    private struct Log: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    private let log = CallLog(limits: .init(calls: 5, bytes: 1_000_000, bodyBytes: 1_000), makeParser: { StreamEvents() })
    private let time = ManualTime()

    private var feed: EventFeed { EventFeed(log, CallMembers(redaction: .standard), time: time) }

    private func client(_ reply: MockReply) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport { _ in reply }, observers: [Log(log: log)])
    }

    /// Returns the names and the data of the next events, without the first line of the stream.
    private func next(_ feed: EventFeed) async throws -> [(name: String, data: JSONValue)]? {
        guard let data = try await feed.next() else { return nil }
        return try String(decoding: data, as: UTF8.self).components(separatedBy: "\n\n").compactMap { block in
            let lines = block.components(separatedBy: "\n")
            guard lines.count == 2, lines[0].hasPrefix("event: "), lines[1].hasPrefix("data: ") else { return nil }
            return (String(lines[0].dropFirst(7)), try JSONValue(parsing: Data(lines[1].dropFirst(6).utf8)))
        }
    }

    @Test("A call is sent once with its newest state, however many events it had")
    func newest() async throws {
        let feed = feed
        _ = try await feed.next()
        _ = try await client(.json("{}")).send(Request<Data>.get("a"))
        let events = try #require(try await next(feed))
        #expect(events.map(\.name) == ["call"])
        #expect(events[0].data["state"] == "succeeded")
        #expect(events[0].data["attempts"]?[0]?["response"]?["body"] == nil)
    }

    @Test("Events of a stream are sent once each, with their index")
    func stream() async throws {
        let feed = feed
        _ = try await feed.next()
        let events = client(.events((0..<5).map { .init("\($0)") })).events(
            Request<Data>.get("e"), options: EventOptions(reconnection: .never))
        var iterator = events.makeAsyncIterator()
        var indices: [Int] = []
        while try await iterator.next() != nil {
            for event in try await next(feed) ?? [] where event.name == "stream" {
                let first = try #require(event.data["first"]?.intValue)
                indices += (event.data["items"]?.arrayValue ?? []).indices.map { first + $0 }
            }
            if indices.count == 5 { break }
        }
        #expect(indices == [0, 1, 2, 3, 4])
    }

    @Test("Messages of a WebSocket are sent as they are exchanged, with their index")
    func messages() async throws {
        let server = try await MockServer.start()
        server.on(.get("/chat"), .webSocket(.expect("hello"), .send(.data(Data([255])))))
        let feed = feed
        _ = try await feed.next()
        let client = HTTPClient(baseURL: server.url, observers: [Log(log: log)])
        let socket = try await client.webSocket(.get("chat"))
        try await socket.send("hello")
        for try await _ in socket.messages { break }
        await socket.close()
        var items: [(Int, JSONValue)] = []
        for _ in 0..<100 where items.count < 2 {
            for event in try #require(try await next(feed)) where event.name == "stream" {
                let first = try #require(event.data["first"]?.intValue)
                items += (event.data["items"]?.arrayValue ?? []).enumerated().map { (first + $0.offset, $0.element) }
            }
        }
        try #require(items.map(\.0) == [0, 1])
        #expect(items.map(\.1["event"]) == ["sent", "received"])
        #expect(items.map(\.1["size"]) == [5, 1] && items[0].1["data"] == "hello" && items[1].1["base64"] == "/w==")
        let call = try #require(log.snapshot.calls.first)
        #expect(CallMembers(redaction: .standard).value(of: call, hasBodies: false)["status"] == 101)
        await server.stop()
    }

    @Test("Removed and cleared calls are told")
    func removals() async throws {
        let feed = feed, client = client(.json("{}"))
        _ = try await feed.next()
        for number in 0..<7 { _ = try await client.send(Request<Data>.get("\(number)")) }
        let events = try #require(try await next(feed))
        #expect(events.filter { $0.name == "call" }.count == 5)
        #expect(events.first { $0.name == "removed" }?.data["ids"]?.arrayValue?.count == 2)
        log.clear()
        let cleared = try #require(try await next(feed))
        #expect(cleared.map(\.name) == ["cleared"])
        #expect(log.snapshot.calls.isEmpty)
    }

    @Test("A page that missed too many removals is disconnected, so that it loads the calls again")
    func incomplete() async throws {
        let feed = feed, client = client(.json("{}"))
        _ = try await feed.next()
        for number in 0..<2_100 { _ = try await client.send(Request<Data>.get("\(number)")) }
        #expect(try await feed.next() == nil)
    }

    @Test("Without changes a comment is sent, and a cancelled feed ends")
    func silence() async throws {
        let time = ManualTime(autoAdvances: false)
        let feed = EventFeed(log, CallMembers(redaction: .standard), time: time)
        _ = try await feed.next()
        let comment = Task { try await feed.next() }
        for _ in 0..<1_000 {
            await Task.yield()
            time.advance(by: .milliseconds(20))
        }
        #expect(try await comment.value.map { String(decoding: $0, as: UTF8.self) } == ": keep-alive\n\n")
        feed.cancel(.cancelled)
        await #expect(throws: HTTPError.self) {
            while try await feed.next() != nil { time.advance(by: .seconds(1)) }
        }
    }
}

@Suite("Events of streams for the page", .timeLimit(.minutes(5)))
struct StreamEventsTests {
    @Test("Events are read from pieces that are cut anywhere")
    func pieces() {
        let text = "\u{FEFF}: comment\r\nevent: price\r\nid: 7\r\ndata: é1\r\ndata: 2\r\n\r\ndata: last\n\ndata: unfinished"
        for size in 1...7 {
            var events = StreamEvents(), rest = Data(text.utf8)[...]
            var found: [(type: String, id: String?, data: String)] = []
            while !rest.isEmpty {
                found += events.events(in: Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(found.map(\.type) == ["price", "message"])
            #expect(found.map(\.id) == ["7", "7"])
            #expect(found.map(\.data) == ["é1\n2", "last"])
        }
    }

    @Test("A stream with an event beyond the limit shows no further events")
    func limit() {
        var events = StreamEvents()
        #expect(events.events(in: Data("data: 1\n\n".utf8)).count == 1)
        #expect(events.events(in: Data("data: \(String(repeating: "a", count: 1_000_100))\n\n".utf8)).isEmpty)
        #expect(events.events(in: Data("data: 2\n\n".utf8)).isEmpty)
    }
}
