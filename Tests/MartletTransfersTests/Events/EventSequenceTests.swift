import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

/// What event streams are tested with: time that stands still, and chance that adds nothing.
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
    /// An event stream.
    static func events(_ text: String..., type: String = "text/event-stream") -> MockReply {
        .stream(text.map { Data($0.utf8) }, headers: [.contentType: type])
    }
}

extension AsyncSequence {
    /// All elements up to the end.
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

    @Test("The events of a stream arrive, and the stream is asked for again from the last one on, until the server answers 204")
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

    @Test("It asks for an event stream that nobody stores, with what the request has of its own (WHATWG HTML §9.2.2)")
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

    @Test("Nothing is sent before the loop begins, and each loop asks for a stream of its own")
    func lazy() async throws {
        let transport = MockTransport(.events("id: 1\ndata: a\n\n"), .status(204), .events("data: b\n\n"), .status(204))
        let events = bench.client(transport).events(.get("feed"), options: bench.options())
        #expect(transport.requests.isEmpty)
        #expect(try await events.all().map(\.data) == ["a"])
        #expect(try await events.all() == [ServerSentEvent(data: "b")])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", nil, nil])
    }

    @Test("An event that was cut off is not given; the connection that broke is made again, and so is one that could not be made")
    func broken() async throws {
        let transport = MockTransport(
            .events("data: a\n\ndata: b\n\n").disconnecting(.withinBody(after: 10)), .disconnect, .reset, .events("data: c\n\n"),
            .status(204))
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["a", "c"])
        #expect(time.sleeps == [.seconds(3), .seconds(3), .seconds(6), .seconds(3)])
    }

    @Test("The server sets the time until the next connection, at once and for good (WHATWG HTML §9.2.6)")
    func retry() async throws {
        let transport = MockTransport(
            .events("retry: 10\nretry: 700\ndata: a\n\n"), .events("data: b\n\n"), .events("data: c\n\nretry: 0\n"), .status(204))
        let events = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        #expect(events.map(\.retry) == [.milliseconds(700), nil, nil])
        #expect(time.sleeps == [.milliseconds(700), .milliseconds(700), .milliseconds(100)])
    }

    @Test("A server that ends each stream at once is asked less and less often")
    func hollow() async throws {
        let transport = MockTransport(replies: Array(repeating: .events(": nothing\n\n"), count: 6) + [.status(204)])
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all() == [])
        #expect(time.sleeps == [3, 6, 12, 24, 30, 30].map { .seconds($0) })
    }

    @Test("A server that can't be reached is given up after so many failures, with the last of them")
    func unreachable() async throws {
        let transport = MockTransport { _ in .failure(.networkError(NetworkFailure(.connectionRefused))) }
        let options = bench.options { $0.reconnection.maxFailures = 4 }
        await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionRefused))) {
            _ = try await bench.client(transport).events(.get("feed"), options: options).all()
        }
        #expect(transport.requests.count == 4 && time.sleeps == [.seconds(3), .seconds(6), .seconds(12)])
    }

    @Test(
        "Another status ends it with that status and its body, at once (WHATWG HTML §9.2.3)",
        arguments: [400, 401, 404, 500, 503, 201, 304])
    func statuses(status: Int) async throws {
        let transport = MockTransport(.text("sorry", status: HTTPStatus(rawValue: status)))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        }
        #expect(error?.status?.rawValue == status && error?.response?.body == Data((status == 304 ? "" : "sorry").utf8))
        #expect(time.sleeps == [] && transport.requests.count == 1)
    }

    @Test("Statuses that the options list are waited over, as long as the server asks")
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

    @Test("Any way of writing the content type will do, parameters and case included (WHATWG HTML §9.2.3)")
    func contentTypes() async throws {
        for type in [
            "text/event-stream;charset=UTF-8", "Text/Event-Stream", "text/event-stream; charset=latin1; x=y", "text/event-stream ;",
        ] {
            let transport = MockTransport(.events("data: ä\n\n", type: type), .status(204))
            #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["ä"], "\(type)")
        }
    }

    @Test("What is no event stream is an error that has its body, and is not asked for again (WHATWG HTML §9.2.3)")
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

    @Test("Each connection begins at the request's own URL, and redirects are followed from there")
    func redirects() async throws {
        let transport = MockTransport(
            .status(301, headers: [.location: "/b"]), .events("id: 5\ndata: a\n\n"), .status(307, headers: [.location: "/c"]), .status(204))
        #expect(try await bench.client(transport).events(.get("feed"), options: bench.options()).all().map(\.data) == ["a"])
        #expect(transport.requests.map(\.url.path) == ["/v1/feed", "/b", "/v1/feed", "/c"])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, "5", "5"])
    }

    @Test("An id that no field can carry is told the reader and not the server, who is told the one before")
    func unsendableIDs() async throws {
        let transport = MockTransport(
            .events("id: 1\ndata: a\n\nid: \u{1B}[2J\ndata: b\n\n"), .events("id: \(String(repeating: "x", count: 5000))\ndata: c\n\n"),
            .status(204))
        let events = try await bench.client(transport).events(.get("feed"), options: bench.options()).all()
        #expect(events.map(\.id.utf8.count) == [1, 4, 5000])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1"])
    }

    @Test("A line or an event past its limit is an error that names the request, and ends it")
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

    @Test("After an error and after the end there is nothing more")
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
