import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletHAR

@Suite("The log of calls", .timeLimit(.minutes(5)))
struct CallLogTests {
    private struct Log: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    /// Each byte is an event.
    private struct Bytes: EventParsing {
        mutating func events(in piece: Data) -> [(type: String, id: String?, data: String)] { piece.map { ("byte", nil, "\($0)") } }
    }

    private func client(_ log: CallLog, _ handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport(handler), observers: [Log(log: log)])
    }

    @Test("Calls that have ended are removed before running ones")
    func runningLast() async throws {
        let log = CallLog(limits: .init(calls: 2, bytes: 1_000_000, bodyBytes: 1_000))
        let client = client(log) { $0.url.path == "/slow" ? .silence : .json("{}") }
        let slow = Task { try await client.send(Request<Data>.get("slow")) }
        while log.snapshot.calls.isEmpty { await Task.yield() }
        for number in 0..<3 { _ = try await client.send(Request<Data>.get("\(number)")) }
        #expect(log.snapshot.calls.map { $0.target?.url } == ["https://h/slow", "https://h/2"])
        log.clear()
        #expect(log.snapshot.calls.map { $0.target?.url } == ["https://h/slow"])
        slow.cancel()
        _ = await slow.result
        log.clear()
        #expect(log.snapshot.calls.isEmpty)
        #expect(log.bytes == 0)
    }

    @Test("The last events of a stream are kept, and all are counted")
    func events() async throws {
        let log = CallLog(limits: .init(calls: 2, bytes: 10_000_000, bodyBytes: 10), makeParser: { Bytes() })
        let piece = Data(repeating: 7, count: 500)
        let client = client(log) { _ in .stream(Array(repeating: piece, count: 20), headers: ["Content-Type": "text/event-stream"]) }
        for try await _ in try await client.stream(Request<Data>.get("a")).body {}
        let call = try #require(log.snapshot.calls.first)
        #expect(call.eventCount == 10_000)
        #expect((1_000...2_000).contains(call.events.count))
        #expect(call.attempts[0].received.size == 10_000)
        #expect(call.attempts[0].received.bytes.count == 10)
        log.clear()
        #expect(log.bytes == 0)
    }

    @Test("One call larger than the limit is removed, and the count of bytes stays exact")
    func tooLarge() async throws {
        let log = CallLog(limits: .init(calls: 10, bytes: 3_000, bodyBytes: 1_000_000))
        let client = client(log) { _ in .text(String(repeating: "a", count: 10_000)) }
        _ = try await client.send(Request<Data>.get("a"))
        #expect(log.snapshot.calls.isEmpty)
        #expect(log.bytes == 0)
    }
}
