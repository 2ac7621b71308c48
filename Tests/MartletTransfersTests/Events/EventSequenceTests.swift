import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

/// A test bench for event streams, with a clock that stands still and random numbers that add nothing.
struct EventBench {
    let time = ManualTime()

    func client(_ transport: any Transport, timeout: Duration? = .seconds(60)) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://h/v1"), transport: transport, configuration: .init(totalTimeout: timeout), time: time,
            random: ReconnectionDecisionTests.Chance())
    }

    func options(_ change: (inout EventOptions) -> Void = { _ in }) -> EventOptions {
        var options = EventOptions()
        change(&options)
        return options
    }
}

extension MockReply {
    /// Returns an event stream as a reply.
    static func events(_ text: String..., type: String = "text/event-stream") -> MockReply {
        .stream(text.map { Data($0.utf8) }, headers: [.contentType: type])
    }
}

extension AsyncSequence {
    /// Returns all elements up to the end.
    func all() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}

@Suite("EventSequence", .timeLimit(.minutes(5)))
struct EventSequenceTests {
    private let bench = EventBench()
    private var time: ManualTime { bench.time }

    private struct Feed: Endpoint {
        let path: Path = "feed"
        let query: Query = ["topic": "birds"]
    }

    @Test("Events arrive, and the stream reconnects after the last one until the server responds with 204")
    func reconnects() async throws {
        let transport = MockTransport(
            .events("id: 1\ndata: a\n\ndata: b", "c\n\n"), .events("data: d\n\nid: 2\n\n"), .events("id\ndata: e\n\n"), .status(204))
        let events = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        #expect(
            events == [
                ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "bc", id: "1"), ServerSentEvent(data: "d", id: "1"),
                ServerSentEvent(data: "e"),
            ])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "2", nil])
        #expect(time.sleeps == [.seconds(3), .seconds(3), .seconds(3)])
    }

    @Test("A request asks for an uncached event stream and keeps its own header fields (WHATWG HTML §9.2.2)")
    func request() async throws {
        let transport = MockTransport(.status(204), .status(204))
        _ = try await bench.client(transport).events(Feed()).all()
        let sent = try #require(transport.requests.first)
        #expect(sent.url.absoluteString == "https://h/v1/feed?topic=birds" && sent.method == .get)
        #expect(sent.headers[.accept] == "text/event-stream" && sent.headers[.cacheControl] == "no-cache")
        #expect(!sent.headers.contains("Last-Event-ID"))
        let own = Request<Data>.post(
            "chat", headers: [.accept: "text/event-stream, application/json", .cacheControl: "no-cache", "X-A": "1"],
            body: .json(["q": "hi"]))
        _ = try await bench.client(transport).events(own, options: .init(lastEventID: "ä7")).all()
        let posted = transport.requests[1]
        #expect(posted.method == .post && posted.body?.buffered == Data(#"{"q":"hi"}"#.utf8))
        #expect(posted.headers[.accept] == "text/event-stream, application/json" && posted.headers[.cacheControl] == "no-cache")
        #expect(posted.headers["X-A"] == "1" && posted.headers.bytes(for: "Last-Event-ID") == [[UInt8]("ä7".utf8)])
    }

    @Test("Nothing is sent before the loop begins, and each loop has its own stream")
    func lazy() async throws {
        let transport = MockTransport(.events("id: 1\ndata: a\n\n"), .status(204), .events("data: b\n\n"), .status(204))
        let events = bench.client(transport).events(.get("feed"), options: bench.options())
        #expect(transport.requests.isEmpty)
        #expect(try await events.all().map(\.data) == ["a"])
        #expect(try await events.all() == [ServerSentEvent(data: "b")])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", nil, nil])
    }

    @Test("A truncated event is dropped, and the stream reconnects after a broken or failed connection")
    func broken() async throws {
        let transport = MockTransport(
            .events("data: a\n\ndata: b\n\n").disconnecting(afterBodyBytes: 10), .disconnect, .reset, .events("data: c\n\n"),
            .status(204))
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["a", "c"])
        #expect(time.sleeps == [.seconds(3), .seconds(3), .seconds(6), .seconds(3)])
    }

    @Test("The server sets the reconnection time, effective immediately and permanently (WHATWG HTML §9.2.6)")
    func retry() async throws {
        let transport = MockTransport(
            .events("retry: 10\nretry: 700\ndata: a\n\n"), .events("data: b\n\n"), .events("data: c\n\nretry: 0\n"), .status(204))
        let events = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        #expect(events.map(\.retry) == [.milliseconds(700), nil, nil])
        #expect(time.sleeps == [.milliseconds(700), .milliseconds(700), .milliseconds(100)])
    }

    @Test("A server that ends each stream immediately receives requests at growing intervals")
    func hollow() async throws {
        let transport = MockTransport(replies: Array(repeating: .events(": nothing\n\n"), count: 6) + [.status(204)])
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all() == [])
        #expect(time.sleeps == [3, 6, 12, 24, 30, 30].map { .seconds($0) })
    }

    @Test("An unreachable server ends the stream after the maximum number of failures, with the last one")
    func unreachable() async throws {
        let transport = MockTransport { _ in .failure(.networkError(NetworkFailure(.connectionRefused))) }
        let options = bench.options { $0.reconnection.maxFailures = 4 }
        await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionRefused))) {
            _ = try await bench.client(transport).events(.get("feed"), options: options).all()
        }
        #expect(transport.requests.count == 4 && time.sleeps == [.seconds(3), .seconds(6), .seconds(12)])
    }

    @Test(
        "Any other status ends the stream immediately, with the status and its body (WHATWG HTML §9.2.3)",
        arguments: [400, 401, 404, 500, 503, 201, 304])
    func statuses(status: Int) async throws {
        let transport = MockTransport(.text("sorry", status: HTTPStatus(rawValue: status)))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        }
        #expect(error?.status?.rawValue == status && error?.response?.body == Data((status == 304 ? "" : "sorry").utf8))
        #expect(time.sleeps == [] && transport.requests.count == 1)
    }

    @Test("After the statuses in the options, the stream reconnects when the server asks it to")
    func passingStatuses() async throws {
        let transport = MockTransport(
            .status(503), .status(429, headers: [.retryAfter: "20"]), .events("data: a\n\n"), .status(502), .status(403))
        let options = bench.options { $0.reconnection.statuses = RetryPolicy.transientStatuses }
        var events: [String] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await event in bench.client(transport).events(.get("feed"), options: options) { events.append(event.data) }
        }
        #expect(error?.status == 403 && events == ["a"])
        #expect(time.sleeps == [3, 20, 3, 3].map { .seconds($0) })
    }

    @Test("The content type may have any case and parameters (WHATWG HTML §9.2.3)")
    func contentTypes() async throws {
        for type in [
            "text/event-stream;charset=UTF-8", "Text/Event-Stream", "text/event-stream; charset=latin1; x=y", "text/event-stream ;",
        ] {
            let transport = MockTransport(.events("data: ä\n\n", type: type), .status(204))
            #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["ä"], "\(type)")
        }
    }

    @Test("A response that is not an event stream throws an error with its body, and no reconnection follows (WHATWG HTML §9.2.3)")
    func otherContent() async throws {
        let transport = MockTransport(.json(#"{"detail":"no such feed","title":"oh"}"#), .stream("data: a\n\n"))
        let error = await #expect(throws: HTTPError.self) { _ = try await bench.client(transport).events(.get("feed")).all() }
        guard case .decodingFailed(let failure) = error else { throw Unexpected() }
        #expect(failure.reason == "the content type is “application/json”" && error?.problem?.title == "oh" && error?.stage == .validation)
        #expect(error?.request?.url.path == "/v1/feed")
        let other = await #expect(throws: HTTPError.self) { _ = try await bench.client(transport).events(.get("feed")).all() }
        #expect("\(try #require(other))".contains("there is no content type"))
        let lenient = MockTransport(.json("data: a\n\n"), .status(204))
        let options = bench.options { $0.checksContentType = false }
        #expect(try await bench.client(lenient).events(.get("feed"), options: options).all().map(\.data) == ["a"])
    }

    private struct Unexpected: Error {}

    @Test("Each connection begins at the request's own URL and follows redirects from there")
    func redirects() async throws {
        let transport = MockTransport(
            .status(301, headers: [.location: "/b"]), .events("id: 5\ndata: a\n\n"), .status(307, headers: [.location: "/c"]), .status(204))
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["a"])
        #expect(transport.requests.map(\.url.path) == ["/v1/feed", "/b", "/v1/feed", "/c"])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, "5", "5"])
    }

    @Test("A reconnection sends the bytes of the last id, and an end marker is recognized by its bytes")
    func bytesOfIDs() async throws {
        let transport = MockTransport(
            .events("id: é\ndata: a\n\n"), .events("id: e\u{301}\ndata: [O\u{212A}]\n\n"), .events("data: [OK]\n\n"))
        let control = EventControl(),
            options = bench.options {
                $0.endMarker = "[OK]"
                $0.requiresEndMarker = false
                $0.control = control
            }
        let events = try await bench.client(transport).events(.get("feed"), options: options).all()
        #expect(events.map { Array($0.data.utf8) } == ["a", "[O\u{212A}]"].map { Array($0.utf8) })
        let ids: [[[UInt8]]] = [[], [[0xC3, 0xA9]], [[0x65, 0xCC, 0x81]]]
        #expect(transport.requests.map { $0.headers.bytes(for: "Last-Event-ID") } == ids)
        #expect(Array(control.lastEventID.utf8) == [0x65, 0xCC, 0x81])
    }

    @Test("An id that a header field can't contain is returned to the reader, and the previous one is sent to the server")
    func unsendableIDs() async throws {
        let transport = MockTransport(
            .events("id: 1\ndata: a\n\nid: \u{1B}[2J\ndata: b\n\n"), .events("id: \(String(repeating: "x", count: 5000))\ndata: c\n\n"),
            .status(204))
        let events = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        #expect(events.map(\.id.utf8.count) == [1, 4, 5000])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1"])
    }

    @Test("A line or an event over its limit ends the stream with an error that names the request")
    func limits() async throws {
        let transport = MockTransport(.events("data: a\n\ndata: 0123456789\n\n"), .events("data:1\ndata:2\ndata:3\ndata:4\n\n"))
        let options = bench.options { ($0.maxLineBytes, $0.maxEventBytes) = (12, 6) }
        for limit in [SizeLimitFailure(.line, limit: 12), SizeLimitFailure(.event, limit: 6)] {
            let error = await #expect(throws: HTTPError.self) {
                _ = try await bench.client(transport).events(.get("feed"), options: options).all()
            }
            #expect(error == .responseTooLarge(limit) && error?.request?.url.path == "/v1/feed" && error?.stage == .body)
        }
        #expect(time.sleeps == [])
    }

    @Test("After an error or the end, the sequence returns nil")
    func afterEnd() async throws {
        let transport = MockTransport(.status(500), .events("data: a\n\n"))
        var failed = bench.client(transport).events(.get("feed")).makeAsyncIterator()
        await #expect(throws: HTTPError.self) { _ = try await failed.next() }
        #expect(try await failed.next() == nil)
        var ended = bench.client(transport).events(.get("feed"), options: .init(reconnection: .never)).makeAsyncIterator()
        #expect(try await ended.next()?.data == "a")
        #expect(try await ended.next() == nil)
        #expect(try await ended.next() == nil)
        #expect(transport.requests.count == 2)
    }
}
