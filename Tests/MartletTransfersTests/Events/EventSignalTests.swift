import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("EventSignal", .timeLimit(.minutes(5)))
struct EventSignalTests {
    private let bench = EventBench()

    private func words(_ signal: EventSignal) -> String {
        switch signal {
        case .connecting(let number): "connecting \(number)"
        case .open(let response): "open \(response.status.rawValue)"
        case .event(let event): "event \(event.data)"
        case .comment(let text): "comment \(text)"
        case .reconnecting(let wait, let error?): "again in \(wait) after stage \(error.stage?.rawValue ?? "")"
        case .reconnecting(let wait, nil): "again in \(wait)"
        }
    }

    @Test("Signals arrive in order: connections, heads, comments, events, and the reasons for reconnecting")
    func signals() async throws {
        let transport = MockTransport(
            .events(": hi\ndata: a\n\n"), .disconnect, .events("data: b\n\n").disconnecting(afterBodyBytes: 9), .status(204))
        let signals = try await bench.client(transport).events(.get("feed"), options: bench.options()).signals.all().map(words)
        #expect(
            signals == [
                "connecting 1", "open 200", "comment hi", "event a", "again in 3.0 seconds", "connecting 2",
                "again in 3.0 seconds after stage exchange", "connecting 3", "open 200", "event b",
                "again in 3.0 seconds after stage body", "connecting 4",
            ])
    }

    @Test("The first connection can be delayed")
    func initialDelay() async throws {
        let transport = MockTransport(.status(204))
        let options = bench.options { $0.initialDelay = .seconds(9) }
        #expect(try await bench.client(transport).events(.get("feed"), options: options).signals.all().map(words) == ["connecting 1"])
        #expect(bench.time.sleeps == [.seconds(9)])
    }

    @Test("The head has its header fields and its request")
    func head() async throws {
        let transport = MockTransport(.events("").changed(to: ["X-Feed": "7"]), .status(204))
        for try await signal in bench.client(transport).events(.get("feed"), options: bench.options()).signals {
            guard case .open(let response) = signal else { continue }
            #expect(response.headers["X-Feed"] == "7" && response.metadata.url?.path == "/v1/feed")
        }
        #expect(transport.requests.count == 2)
    }
}

extension MockReply {
    fileprivate func changed(to fields: HTTPFields) -> MockReply {
        var reply = self
        reply.headers.addMissing(fields)
        return reply
    }
}
