import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("HTTPBody", .timeLimit(.minutes(5)))
struct HTTPBodyTests {
    private func stream(_ chunks: [String], length: Int64? = nil) -> HTTPBody {
        let rest = Locked(chunks)
        return HTTPBody(length: length) { rest.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } }
    }

    @Test("Bytes in memory know their length and can be read repeatedly")
    func buffered() async throws {
        let body = HTTPBody("héllo")
        #expect(body.length == 6)
        #expect(body.isReplayable)
        #expect(body.buffered == Data("héllo".utf8))
        for _ in 0..<2 {
            var chunks: [Data] = []
            for try await chunk in body { chunks.append(chunk) }
            #expect(chunks == [Data("héllo".utf8)])
        }
        #expect(try await body.collect() == Data("héllo".utf8))
    }

    @Test("An empty body has no chunks")
    func empty() async throws {
        #expect(HTTPBody.empty.length == 0)
        for try await _ in HTTPBody.empty { Issue.record("there is nothing") }
        #expect(try await HTTPBody.empty.collect() == Data())
    }

    @Test("A stream is read once: a second reader gets .bodyNotReplayable on every read")
    func readOnce() async throws {
        let body = stream(["a", "b"])
        #expect(!body.isReplayable)
        #expect(body.buffered == nil)
        #expect(body.length == nil)
        #expect(try await body.collect() == Data("ab".utf8))
        let error = HTTPError.bodyNotReplayable("the body is a stream and has been read already")
        await #expect(throws: error) { try await body.collect() }
        var iterator = body.makeAsyncIterator()
        await #expect(throws: error) { try await iterator.next() }
        await #expect(throws: error) { try await iterator.next() }
    }

    @Test("Of two concurrent readers, the first to begin gets the stream")
    func twoReaders() async throws {
        let body = stream(["a"])
        var first = body.makeAsyncIterator(), second = body.makeAsyncIterator()
        await #expect(throws: HTTPError.self) { try await second.next() }
        #expect(try await first.next() == Data("a".utf8))
    }

    @Test("Peeking leaves a body in memory or a stream unchanged")
    func peeking() async throws {
        for body in [HTTPBody("hello"), stream(["he", "l", "lo"])] {
            #expect(try await body.peek(upTo: 3) == Data("hel".utf8))
            #expect(try await body.peek(upTo: 100) == Data("hello".utf8))
            #expect(try await body.collect() == Data("hello".utf8))
        }
    }

    @Test("Peeked bytes of sliced data have indices from 0")
    func peekingSlices() async throws {
        let body = HTTPBody(Data("xxhello".utf8).dropFirst(2))
        let prefix = try await body.peek(upTo: 2)
        #expect(prefix == Data("he".utf8))
        #expect(prefix.startIndex == 0)
    }

    @Test("Collecting allows exactly the limit; one more byte throws .responseTooLarge")
    func limits() async throws {
        let tooLarge = HTTPError.responseTooLarge(SizeLimitFailure(limit: 4))
        await #expect(throws: tooLarge) { try await HTTPBody("hello").collect(upTo: 4) }
        await #expect(throws: tooLarge) { try await self.stream(["hel", "lo"]).collect(upTo: 4) }
        #expect(try await HTTPBody("hello").collect(upTo: 5) == Data("hello".utf8))
        #expect(try await stream(["hel", "lo"]).collect(upTo: 5) == Data("hello".utf8))
        #expect(try await stream([]).collect(upTo: 0) == Data())
    }

    @Test("A declared length over the limit is refused before anything is read")
    func announcedLength() async throws {
        let body = HTTPBody(length: 5) {
            Issue.record("nothing should be read")
            return nil
        }
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(limit: 4))) { try await body.collect(upTo: 4) }
    }

    @Test("A false length does not reserve memory", arguments: [Int64.max, 1 << 50, -1, 0] as [Int64])
    func lyingLength(length: Int64) async throws {
        #expect(try await stream(["a", "b"], length: length).collect(upTo: .max) == Data("ab".utf8))
    }

    @Test("An endless stream stops at the limit and is released")
    func endless() async throws {
        let reader = Endless()
        await #expect(throws: HTTPError.self) { try await HTTPBody(reader: reader).collect(upTo: 10_000) }
        #expect(reader.reads.withLock { $0 } == 11)
        #expect(reader.cancelled.withLock { $0 } == [.cancelled])
    }

    @Test("Dropping the last copy of a stream cancels its reader")
    func dropping() {
        let reader = Endless()
        var body: HTTPBody? = HTTPBody(reader: reader), copy = body
        body = nil
        #expect(reader.cancelled.withLock { $0 } == [])
        copy = nil
        #expect(reader.cancelled.withLock { $0 } == [.cancelled])
        #expect(body == nil && copy == nil)
    }

    @Test("After leaving a loop, only its iterator can read the rest of the stream")
    func leavingALoop() async throws {
        let reader = Endless()
        do {
            let body = HTTPBody(reader: reader)
            for try await _ in body { break }
        }
        #expect(reader.cancelled.withLock { $0 } == [.cancelled])
    }

    @Test("An error within a stream is thrown at its position")
    func midStreamError() async throws {
        let count = Locked(0)
        let body = HTTPBody {
            if count.withLock({
                $0 += 1; return $0
            }) > 2 {
                throw HTTPError.invalidResponse("truncated")
            }
            return Data("a".utf8)
        }
        var received = 0
        do {
            for try await _ in body { received += 1 }
            Issue.record("it should have failed")
        } catch {
            #expect(error == .invalidResponse("truncated"))
        }
        #expect(received == 2)
    }
}

/// Returns a thousand bytes for each read, endlessly.
private final class Endless: HTTPBodyReader {
    let reads = Locked(0)
    let cancelled = Locked<[HTTPError]>([])

    func next() async throws(HTTPError) -> Data? {
        reads.withLock { $0 += 1 }
        return Data(count: 1_000)
    }

    func cancel(_ reason: HTTPError) { cancelled.withLock { $0.append(reason) } }
}
