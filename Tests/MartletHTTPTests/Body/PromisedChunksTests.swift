import Foundation
import MartletSystem
import TestSupport
import Testing

@testable import MartletHTTP
@testable import MartletTesting

@Suite("PromisedChunks", .timeLimit(.minutes(5)))
struct PromisedChunksTests {
    private func chunks(_ texts: [String], length: Int64?) -> PromisedChunks {
        let rest = Locked(texts)
        return PromisedChunks(HTTPBody(length: length) { rest.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } })
    }

    @Test("A body of the declared length, or without one, is read unchanged", arguments: [nil, 3] as [Int64?])
    func kept(length: Int64?) async throws {
        var chunks = chunks(["a", "bc"], length: length)
        #expect(try await chunks.next() == Data("a".utf8))
        #expect(try await chunks.next() == Data("bc".utf8))
        #expect(try await chunks.next() == nil)
        #expect(try await chunks.next() == nil)
    }

    @Test("A longer body fails before the last declared byte is returned")
    func longer() async throws {
        var chunks = chunks(["a", "bc", "d"], length: 3)
        #expect(try await chunks.next() == Data("a".utf8))
        let failure = HTTPError.invalidRequest("the streamed body has more than the 3 bytes that it declared")
        await #expect(throws: failure) { try await chunks.next() }
    }

    @Test("A shorter body fails at its end")
    func shorter() async throws {
        var chunks = chunks(["a"], length: 3)
        #expect(try await chunks.next() == Data("a".utf8))
        let failure = HTTPError.invalidRequest("the streamed body has 1 bytes and not the 3 that it declared")
        await #expect(throws: failure) { try await chunks.next() }
    }

    @Test("A declared length of 0 allows only an empty body")
    func empty() async throws {
        var empty = chunks([], length: 0)
        #expect(try await empty.next() == nil)
        var other = chunks(["a"], length: 0)
        await #expect(throws: HTTPError.self) { try await other.next() }
    }
}

@Suite("Streams with a declared length of 0", .timeLimit(.minutes(5)))
struct HTTPRequestEmptyStreamTests {
    private func request(_ body: HTTPBody?) -> HTTPRequest { HTTPRequest(method: .post, url: URL(string: "http://a.test/")!, body: body) }

    private func stream(_ chunks: [String], length: Int64?) -> HTTPBody {
        let rest = Locked(chunks)
        return HTTPBody(length: length) { rest.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } }
    }

    @Test("A stream with a declared length of 0 that yields bytes fails")
    func notEmpty() async {
        let request = request(stream(["", "a"], length: 0))
        #expect(request.hasEmptyStream)
        await #expect(throws: HTTPError.invalidRequest("the streamed body has more than the 0 bytes that it declared")) {
            try await request.readingEmptyStream()
        }
    }

    @Test("A stream with a declared length of 0 that yields no bytes is sent as an empty body")
    func empty() async throws {
        let read = try await request(stream([], length: 0)).readingEmptyStream()
        #expect(read.body?.buffered == Data())
    }

    @Test("Other bodies are not read")
    func others() async throws {
        for body in [nil, HTTPBody(""), HTTPBody("a"), stream(["a"], length: 1), stream(["a"], length: nil)] {
            let request = request(body)
            #expect(!request.hasEmptyStream)
            #expect(try await request.readingEmptyStream().body?.length == body?.length)
        }
    }

    @Test("The deadline and a cancellation stop an empty stream that does not end")
    func endless() async {
        let body = SentBody()
        var late = request(HTTPBody(reader: body, length: 0))
        late.context.streamsBody = false
        late.context.deadline = SystemTime().instant
        do {
            _ = try await late.readingEmptyStream()
            Issue.record("it was read")
        } catch { #expect(error == .timeout) }
        let other = SentBody(), waiting = request(HTTPBody(reader: other, length: 0))
        let task = Task { try await waiting.readingEmptyStream() }
        await other.waitUntilRead()
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
    }

    @Test("A stream of no bytes that does not end is stopped when its call is cancelled")
    func cancelledCall() async {
        let calls = CallGroup(), body = SentBody()
        var waiting = request(HTTPBody(reader: body, length: 0))
        waiting.context.call = calls.begin()
        let request = waiting
        let task = Task { try await request.readingEmptyStream() }
        await body.waitUntilRead()
        calls.cancelAll()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
    }
}
