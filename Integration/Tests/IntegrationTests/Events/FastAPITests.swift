import Foundation
import Martlet
import Testing

/// Event streams of Integration/servers/sse_server.py: FastAPI over uvicorn.
@Suite("FastAPI", .timeLimit(.minutes(1)))
struct FastAPITests {
    private func client() throws -> HTTPClient { HTTPClient(baseURL: try Servers.url("SSE", scheme: "http")) }

    private let session = UUID().uuidString

    @Test("A broken stream resumes after the last complete event, and ends when the server ends it")
    func feed() async throws {
        let client = try client()
        var events: [ServerSentEvent] = [], waits: [Duration] = [], comments: [String] = []
        for try await signal in client.events(.get("feed/\(session)")).signals {
            switch signal {
            case .event(let event): events.append(event)
            case .comment(let text): comments.append(text)
            case .reconnecting(let wait, _): waits.append(wait)
            default: break
            }
        }
        #expect(
            events == [
                ServerSentEvent(type: "bird", data: "swift", id: "1", retry: .milliseconds(20)),
                ServerSentEvent(data: "two\nlines", id: "2"), ServerSentEvent(data: "three", id: "3"),
                ServerSentEvent(data: "four", id: "4"),
                ServerSentEvent(data: "fünf €", id: "4"), ServerSentEvent(data: "six", id: "ü6"),
            ])
        #expect(comments == ["welcome"])
        // The server's 20 ms are below the minimum of 100 ms, and the jitter adds up to a half.
        #expect(waits.count == 3 && waits.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(150) })
        #expect(try await client.send(Request<[String?]>.get("asked/\(session)")) == [nil, "2", "4", "ü6"])
    }

    @Test("A stream resumes after the event ID that another process stored")
    func resumed() async throws {
        let options = EventOptions(reconnection: .init(delay: .milliseconds(10)), lastEventID: "2")
        var seen: [String] = []
        for try await event in try client().events(.get("feed/\(session)"), options: options) { seen.append(event.id) }
        #expect(seen == ["3", "4", "4", "ü6"])
    }

    private struct Word: Decodable, Sendable { let word: String }

    @Test("The events of a POST arrive one by one, up to the end marker")
    func chat() async throws {
        var words: [String] = []
        let prompt = (0..<200).map { "w\($0)" }
        let chunks = try client().events(
            .post("chat", body: .json(["text": prompt.joined(separator: " ")])), as: Word.self, options: .init(endMarker: "[DONE]"))
        for try await chunk in chunks { words.append(chunk.word) }
        #expect(words == prompt)
    }

    @Test("Ending the loop or cancelling the task closes each of fifty streams at the server")
    func closing() async throws {
        let client = try client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { [session] in
                    let task = Task {
                        for try await event in client.events(.get("silent/\(session)")) {
                            #expect(event.data == "here")
                            if number.isMultiple(of: 2) { return }
                            withUnsafeCurrentTask { $0?.cancel() }
                        }
                    }
                    guard !number.isMultiple(of: 2) else { return try await task.value }
                    await #expect(throws: HTTPError.cancelled) { try await task.value }
                }
            }
            try await group.waitForAll()
        }
        for _ in 0..<500 {
            if try await client.send(Request<Int>.get("open/\(session)")) == 0 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the server still has open streams after 5 s")
    }

    @Test("The client reconnects after the idle timeout")
    func idle() async throws {
        let options = EventOptions(reconnection: .init(delay: .milliseconds(10), minDelay: .zero), idleTimeout: .milliseconds(200))
        var count = 0
        for try await _ in try client().events(.get("silent/\(session)"), options: options) {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
    }

    @Test("An HTML page, a 401 and a 404 are errors with the response, and the right token opens the stream")
    func refusals() async throws {
        let client = try client()
        let page = await #expect(throws: HTTPError.self) { for try await _ in client.events(.get("page")) {} }
        #expect(page.map { "\($0)".contains("text/html") } == true && page?.response?.body == Data("<p>no stream</p>".utf8))
        let refused = await #expect(throws: HTTPError.self) { for try await _ in client.events(.get("private")) {} }
        #expect(refused?.status == .unauthorized && refused?.problem != nil)
        let missing = await #expect(throws: HTTPError.self) { for try await _ in client.events(.get("nothing")) {} }
        #expect(missing?.status == .notFound)
        for try await event in client.events(.get("private", headers: [.authorization: "Bearer feather"])) {
            #expect(event.data == "welcome")
            break
        }
    }
}
