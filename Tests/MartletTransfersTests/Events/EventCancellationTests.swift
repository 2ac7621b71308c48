import Foundation
import TestSupport
import Testing

@testable import MartletTesting
@testable import MartletTransfers

@Suite("Cancelling event streams", .timeLimit(.minutes(5)))
struct EventCancellationTests {
    private let bench = EventBench()

    private func silent(_ body: SentBody) -> MockReply {
        .stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: body) }
    }

    private func failure(of task: Task<[ServerSentEvent], any Error>) async -> HTTPError? {
        do { _ = try await task.value } catch { return error as? HTTPError }
        return nil
    }

    @Test("A task cancelled while waiting for the next connection ends with .cancelled and sends nothing more")
    func whileWaiting() async throws {
        let time = ManualTime(autoAdvances: false)
        let transport = MockTransport(.events("data: a\n\n"))
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil), time: time)
        let task = Task { try await client.events(.get("feed")).all() }
        try await time.waitForSleeps()
        task.cancel()
        #expect(await failure(of: task) == .cancelled)
        #expect(transport.requests.count == 1)
    }

    @Test("A task cancelled while connecting ends with .cancelled")
    func whileConnecting() async throws {
        let transport = MockTransport(.silence)
        let task = Task { [bench] in try await bench.client(transport).events(.get("feed")).all() }
        try await transport.waitForRequests(1)
        task.cancel()
        #expect(await failure(of: task) == .cancelled)
        #expect(bench.time.sleeps == [])
    }

    @Test("A task cancelled while waiting for an event ends with .cancelled and releases the connection")
    func whileReading() async throws {
        let body = SentBody()
        let transport = MockTransport(.stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: body) })
        let task = Task { [bench] in try await bench.client(transport).events(.get("feed")).all() }
        await body.waitUntilRead()
        task.cancel()
        #expect(await failure(of: task) == .cancelled)
        #expect((body.reason != nil) && transport.requests.count == 1 && bench.time.sleeps == [])
    }

    @Test("A cancelled task receives no event that had already arrived")
    func betweenEvents() async throws {
        let transport = MockTransport(.events("data: a\n\ndata: b\n\n"))
        let task = Task { [bench] in
            var iterator = bench.client(transport).events(.get("feed")).makeAsyncIterator()
            let first = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            return try await [first, iterator.next()].compactMap(\.self)
        }
        #expect(await failure(of: task) == .cancelled)
    }

    @Test("Leaving the loop releases the connection")
    func leaving() async throws {
        let body = SentBody()
        body.send("data: a\n\n")
        for try await _ in bench.client(MockTransport(silent(body))).events(.get("feed")) { break }
        #expect(body.reason == .cancelled)
        let decoded = SentBody()
        decoded.send("data: 1\n\ndata: x\n\n")
        await #expect(throws: HTTPError.self) {
            _ = try await bench.client(MockTransport(silent(decoded))).events(.get("feed"), as: Int.self).all()
        }
        #expect(decoded.reason == .cancelled)
    }

    @Test("After the end marker, the rest of the stream is read briefly so that its connection can be reused")
    func afterMarker() async throws {
        let body = SentBody()
        body.send("data: [DONE]\n\n")
        let client = bench.client(MockTransport(silent(body)), timeout: nil)
        #expect(try await client.events(.get("feed"), options: .init(idleTimeout: nil, endMarker: "[DONE]")).all() == [])
        await body.waitUntilRead()
        #expect(body.reason == nil)
        bench.time.advance(by: .seconds(1))
        #expect(body.reason == .cancelled)
    }
}
