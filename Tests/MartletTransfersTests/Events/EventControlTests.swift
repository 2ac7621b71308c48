import Foundation
import TestSupport
import Testing

@testable import MartletTesting
@testable import MartletTransfers

@Suite("EventControl", .timeLimit(.minutes(5)))
struct EventControlTests {
    private let bench = EventBench()
    private let control = EventControl()

    private func options(_ change: (inout EventOptions) -> Void = { _ in }) -> EventOptions {
        bench.options {
            $0.control = control
            change(&$0)
        }
    }

    private func silent(_ body: SentBody) -> MockReply {
        .stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: body) }
    }

    @Test("The last event id is that of the start, of the last event, or of a later block without data")
    func lastEventID() async throws {
        let transport = MockTransport(.events("id: 2\ndata: a\n\nid: 3\ndata: b\n\nid: 4\n\n"), .status(204))
        var iterator = bench.client(transport).events(.get("feed"), options: options { $0.lastEventID = "1" }).makeAsyncIterator()
        #expect(control.lastEventID == "1")
        for id in ["2", "3"] {
            #expect(try await iterator.next()?.id == id)
            #expect(control.lastEventID == id)
        }
        #expect(try await iterator.next() == nil)
        #expect(control.lastEventID == "4")
    }

    @Test("The id of a block without data is available immediately, although nothing follows it")
    func silentID() async throws {
        let body = SentBody()
        let events = bench.client(MockTransport(silent(body))).events(.get("feed"), options: options())
        let task = Task { try await events.all() }
        body.send("id: 1\ndata: a\n\nid: 2\n\nid: 3")
        await body.waitUntilRead()
        #expect(control.lastEventID == "2")
        task.cancel()
        _ = try? await task.value
    }

    @Test("A restart does not wait for the body of a response that is not an event stream")
    func restartWhileChecking() async throws {
        let body = SentBody()
        let html = MockReply.stream(headers: [.contentType: "text/html"]) { HTTPBody(reader: body) }
        let events = bench.client(MockTransport(html, .events("data: a\n\n"), .status(204))).events(.get("feed"), options: options())
        let task = Task { try await events.all().map(\.data) }
        await body.waitUntilRead()
        control.restart()
        #expect(try await task.value == ["a"])
    }

    @Test("A restart closes an open connection and reconnects immediately after the last event")
    func restartWhileReading() async throws {
        let body = SentBody()
        let transport = MockTransport(silent(body), .events("data: c\n\n"), .status(204))
        body.send("id: 1\ndata: a\n\n")
        var iterator = bench.client(transport).events(.get("feed"), options: options()).signals.makeAsyncIterator()
        for _ in 0..<3 { _ = try await iterator.next() }
        let control = control
        let waiting = Task {
            await body.waitUntilRead()
            control.restart()
        }
        guard case .reconnecting(.zero, nil) = try await iterator.next() else { throw Unexpected() }
        await waiting.value
        #expect(body.reason == .cancelled)
        guard case .connecting(2) = try await iterator.next() else { throw Unexpected() }
        _ = try await iterator.next()
        guard case .event(let event) = try await iterator.next() else { throw Unexpected() }
        #expect(event.data == "c" && transport.requests[1].headers["Last-Event-ID"] == "1")
        #expect(bench.time.sleeps == [])
    }

    private struct Unexpected: Error {}

    @Test("Events that arrived unread before a restart are left for the server to send again")
    func restartBetweenEvents() async throws {
        let transport = MockTransport(.events("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"), .events("id: 2\ndata: b\n\n"), .status(204))
        var seen: [String] = []
        for try await event in bench.client(transport).events(.get("feed"), options: options()) {
            seen.append(event.data)
            if event.data == "a" { control.restart() }
        }
        #expect(seen == ["a", "b"] && transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "2"])
    }

    @Test("A restart ends the wait for the next connection")
    func restartWhileWaiting() async throws {
        let time = ManualTime(autoAdvances: false)
        let transport = MockTransport(.events("data: a\n\n"), .status(204))
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil), time: time,
            random: ReconnectionDecisionTests.Chance())
        let task = Task { [options] in try await client.events(.get("feed"), options: options { _ in }).all().map(\.data) }
        try await time.waitForSleeps()
        control.restart()
        #expect(try await task.value == ["a"])
        #expect(time.sleeps == [.seconds(3)] && transport.requests.count == 2)
    }

    @Test("A restart cancels a connection attempt")
    func restartWhileConnecting() async throws {
        let transport = MockTransport(.silence, .status(204))
        let task = Task { [bench, options] in try await bench.client(transport).events(.get("feed"), options: options { _ in }).all() }
        try await transport.waitForRequests(1)
        control.restart()
        #expect(try await task.value == [])
        #expect(transport.requests.count == 2 && bench.time.sleeps == [])
    }

    @Test("A restart before the stream is read has no effect")
    func unread() async throws {
        control.restart()
        let transport = MockTransport(.events("data: a\n\n"), .status(204))
        _ = try await bench.client(transport).events(.get("feed"), options: options()).all()
        control.restart()
        #expect(transport.requests.count == 2)
    }

    @Test("A restart sends a POST again, because the caller asks for it")
    func post() async throws {
        let body = SentBody()
        let transport = MockTransport(silent(body), .events("data: a\n\n"))
        let task = Task { [bench, options] in try await bench.client(transport).events(.post("chat"), options: options { _ in }).all() }
        await body.waitUntilRead()
        control.restart()
        #expect(try await task.value.map(\.data) == ["a"])
    }

    @Test("The control does not keep an abandoned connection open")
    func letsGo() async throws {
        let body = SentBody()
        let transport = MockTransport(silent(body))
        body.send("data: a\n\n")
        for try await _ in bench.client(transport).events(.get("feed"), options: options()) { break }
        #expect(body.reason == .cancelled)
    }
}
