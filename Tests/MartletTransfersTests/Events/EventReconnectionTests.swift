import Foundation
import MartletSystem
import TestSupport
import Testing

@testable import MartletTesting
@testable import MartletTransfers

@Suite("EventReconnection", .timeLimit(.minutes(5)))
struct EventReconnectionTests {
    private let bench = EventBench()
    private var time: ManualTime { bench.time }

    @Test("A request that is not idempotent is sent once: the sequence ends with the stream, and a broken connection is thrown")
    func post() async throws {
        let transport = MockTransport(
            .events("data: a\n\n"), .events("data: b\n\ndata").disconnecting(afterBodyBytes: 10), .disconnect)
        let events = bench.client(transport).events(.post("chat", body: .json(["q": 1])), options: bench.options())
        #expect(try await events.all().map(\.data) == ["a"])
        var seen: [String] = []
        let error = await #expect(throws: HTTPError.self) { for try await event in events { seen.append(event.data) } }
        #expect(seen == ["b"] && error?.stage == .body)
        await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionLost))) { _ = try await events.all() }
        #expect(transport.requests.count == 3 && time.sleeps == [])
    }

    @Test("With an Idempotency-Key or the option, the request is sent again with its body; an empty key is not enough")
    func repeatedPost() async throws {
        func sent(_ key: String?, _ reconnects: Bool?) async throws -> [Data?] {
            let transport = MockTransport(.events("id: 1\ndata: a\n\n"), .status(204))
            var request = Request<Data>.post("chat", body: .text("hello"))
            if let key { request.headers[.idempotencyKey] = key }
            _ = try await bench.client(transport).events(request, options: bench.options { $0.reconnection.reconnects = reconnects }).all()
            return transport.requests.map { $0.body?.buffered }
        }
        let hello = Data("hello".utf8)
        #expect(try await sent("k", nil) == [hello, hello])
        #expect(try await sent(nil, true) == [hello, hello])
        #expect(try await sent(" ", nil) == [hello])
        #expect(try await sent("k", false) == [hello])
    }

    @Test("Without reconnection, a GET is sent once")
    func never() async throws {
        let transport = MockTransport(.events("data: a\n\n"), .disconnect)
        let events = bench.client(transport).events(.get("feed"), options: bench.options { $0.reconnection = .never })
        #expect(try await events.all().map(\.data) == ["a"])
        await #expect(throws: HTTPError.self) { _ = try await events.all() }
        #expect(time.sleeps == [])
    }

    @Test("A body that can't be sent again throws without a wait, with the interruption as its cause")
    func goneBody() async throws {
        let reply = HTTPBody(Data("data: a\n\n".utf8))
        let target = EventTarget(
            connect: { _, _ in HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"], body: reply) },
            isIdempotent: { true }, isReplayable: { false }, firstEventID: "", options: bench.options(), time: time,
            random: SystemRandom(), decoder: .json)
        var iterator = EventSequence(target: target, failure: { $0 }).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        let error = await #expect(throws: HTTPError.self) { _ = try await iterator.next() }
        guard case .bodyNotReplayable = error else { throw Unexpected() }
        #expect(time.sleeps == [])
    }

    @Test("The error for a body that can't be sent again names the request, after an end, a failure and a restart")
    func goneBodyRequest() async throws {
        var sent = HTTPRequest(method: .post, url: try #require(URL(string: "https://h/sent")))
        sent.context.attempt = 2
        let control = EventControl(), broken = HTTPError.networkError(NetworkFailure(.connectionLost))
        let pieces = Locked([Data("data: a\n\n".utf8)])
        let reader = ClosureBodyReader { () throws(HTTPError) in
            guard let piece = pieces.withLock({ $0.popLast() }) else { throw broken }
            return piece
        }
        let bodies = [HTTPBody("data: a\n\n"), HTTPBody(reader: reader), HTTPBody("data: a\n\ndata: b\n\n")]
        for (index, body) in bodies.enumerated() {
            var response = HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"], body: body)
            response.metadata.request = sent
            let opened = response
            var options = bench.options()
            options.control = control
            let target = EventTarget(
                connect: { _, _ in opened }, isIdempotent: { true }, isReplayable: { false }, firstEventID: "", options: options,
                time: time,
                random: SystemRandom(), decoder: .json)
            var iterator = EventSequence(target: target, failure: { $0 }).makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
            if index == 2 { control.restart() }
            let error = await #expect(throws: HTTPError.self) { _ = try await iterator.next() }
            guard case .bodyNotReplayable = error else { throw Unexpected() }
            #expect(error?.request?.url == sent.url && error?.attempts == 2, "\(index)")
        }
    }

    private struct Unexpected: Error {}

    @Test("A connection without bytes for the idle timeout is replaced, and comments count as bytes")
    func idle() async throws {
        let (server, body) = (SentBody(), MockReply.events("data: b\n\n"))
        let transport = MockTransport(
            .stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: server) }, body, .status(204))
        let events = bench.client(transport, timeout: nil).events(.get("feed"), options: bench.options { $0.idleTimeout = .seconds(20) })
        let task = Task { try await events.all().map(\.data) }
        server.send("data: a\n\n")
        for _ in 0..<3 {
            await server.waitUntilRead()
            time.advance(by: .seconds(15))
            server.send(": still here\n")
        }
        await server.waitUntilRead()
        time.advance(by: .seconds(20))
        #expect(try await task.value == ["a", "b"])
        #expect(transport.requests.count == 3)
    }

    @Test("The idle timeout applies to a server that accepts the request and never responds")
    func noHead() async throws {
        let transport = MockTransport(.silence, .events("data: a\n\n"), .status(204))
        let events = bench.client(transport, timeout: nil).events(.get("feed"), options: bench.options { $0.idleTimeout = .seconds(20) })
        let signals = Task { try await events.signals.all() }
        try await transport.waitForRequests(1)
        try await time.waitForTimers()
        time.advance(by: .seconds(20))
        let reasons = try await signals.value.compactMap { signal -> HTTPError? in
            if case .reconnecting(_, let error?) = signal { error } else { nil }
        }
        #expect(reasons == [.timeout] && reasons.first?.request?.url.absoluteString == "https://h/v1/feed")
        #expect(transport.requests.count == 3)
    }

    @Test("The error of a server that never responds has the redirected request, the trace of the call and the timeout")
    func noHeadAfterRedirect() async throws {
        let transport = MockTransport(.status(302, headers: [.location: "/moved"]), .silence)
        let options = bench.options {
            $0.idleTimeout = .seconds(20)
            $0.reconnection = .never
        }
        let client = bench.client(transport)
        let events = Task { try await client.events(.get("feed"), options: options).all() }
        try await transport.waitForRequests(2)
        try await time.waitForTimers()
        time.advance(by: .seconds(20))
        let error = await #expect(throws: HTTPError.timeout) { try await events.value }
        #expect(error?.request?.url.absoluteString == "https://h/moved" && error?.stage == .exchange && error?.attempts == 2)
        #expect(error?.context.detail == "no response for the idle timeout of 20.00 s")
        #expect(error?.trace.attempts.map(\.outcome?.description) == ["302 Found", "timed out"])
    }

    /// Requests the stream from the app's own position, which the server's ids do not contain.
    private struct Counting: Endpoint {
        let path: Path = "feed"
        let place: Locked<Int>
        var headers: HTTPFields { ["Last-Event-ID": "\(place.withLock { $0 += 1; return $0 })"] }
    }

    @Test("The request's own Last-Event-ID is read again until the stream sets one")
    func ownLastEventID() async throws {
        let transport = MockTransport(.events("data: a\n\n"), .events("id: x\ndata: b\n\n"), .events("data: c\n\n"), .status(204))
        let events = bench.client(transport).events(Counting(place: Locked(0)), options: bench.options())
        #expect(try await events.all().count == 3)
        let sent = transport.requests.map { $0.headers["Last-Event-ID"] }
        #expect(Set(sent.prefix(2)).count == 2 && sent.suffix(2) == ["x", "x"])
    }

    @Test("The request's own idle timeout takes precedence over the options, and nil removes the limit")
    func idleTimeouts() async throws {
        let transport = MockTransport { _ in .status(204) }
        _ = try await bench.client(transport).events(.get("feed")).all()
        _ = try await bench.client(transport).events(.get("feed"), options: .init(idleTimeout: nil)).all()
        var request = Request<Data>.get("feed")
        request.options.idleTimeout = .seconds(7)
        _ = try await bench.client(transport).events(request).all()
        let timeouts = transport.requests.map(\.context.idleTimeout)
        #expect(timeouts[0] == .seconds(300) && timeouts[2] == .seconds(7))
        #expect(timeouts[1] == nil)
    }

    @Test("The total timeout applies to each connection up to its head, and the stream reconnects after it")
    func totalTimeout() async throws {
        let transport = MockTransport(.silence, .events("data: a\n\n"), .status(204))
        let task = Task { [bench] in
            try await bench.client(transport, timeout: .seconds(5)).events(.get("feed"), options: bench.options()).all().map(\.data)
        }
        try await transport.waitForRequests(1)
        try await time.waitForTimers()
        time.advance(by: .seconds(5))
        #expect(try await task.value == ["a"])
        #expect(time.sleeps == [.seconds(3), .seconds(3)])
    }
}
