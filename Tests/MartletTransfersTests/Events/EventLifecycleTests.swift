import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("The lifecycle of event streams", .timeLimit(.minutes(5)))
struct EventLifecycleTests {
    private let time = ManualTime(autoAdvances: false)

    private func client(_ transport: any Transport) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil), time: time)
    }

    private func failure(_ events: EventSequence<HTTPError>) async -> HTTPError? {
        do throws(HTTPError) {
            for try await _ in events {}
            return nil
        } catch { return error }
    }

    @Test("cancelAll ends a stream that waits to reconnect, without another connection")
    func waiting() async throws {
        let transport = MockTransport(.events("data: a\n\n"), .events("data: b\n\n"))
        let client = client(transport)
        async let failure = self.failure(client.events(.get("feed")))
        try await time.waitForSleeps()
        #expect(client.calls?.runningCount == 1)
        client.cancelAll()
        let ended = await failure
        #expect(ended == .cancelled && transport.requests.count == 1 && client.calls?.runningCount == 0)
    }

    @Test("cancelAll ends a stream, whether or not it is being read, without another connection")
    func reading() async throws {
        let transport = MockTransport { _ in .events("data: a\n\ndata: b\n\n") }
        let client = client(transport)
        var iterator = client.events(.get("feed")).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        client.cancelAll()
        let error = await #expect(throws: HTTPError.self) { _ = try await iterator.next() }
        #expect(error == .cancelled && transport.requests.count == 1)
        #expect(try await iterator.next() == nil)
    }

    @Test("A draining client lets a running stream reconnect until the limit passes, and refuses new streams")
    func draining() async throws {
        let transport = MockTransport(.events("data: a\n\n"), .silence)
        let client = client(transport)
        async let failure = self.failure(client.events(.get("feed")))
        try await time.waitForSleeps()
        async let summary = client.drain(within: .seconds(100))
        try await time.waitForTimers(2)
        #expect(await self.failure(client.events(.get("other"))) == .draining)
        time.advance(by: .seconds(60))
        try await transport.waitForRequests(2)
        time.advance(by: .seconds(40))
        let drained = await summary
        #expect(drained == DrainSummary(cancelled: 1))
        let ended = await failure
        #expect(ended == .cancelled)
    }

    @Test("Dropping an iterator ends its call")
    func dropped() async throws {
        let client = client(MockTransport(.events("data: a\n\n")))
        for try await _ in client.events(.get("feed")) { break }
        #expect(client.calls?.runningCount == 0)
    }
}
