import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

/// Returns scripted chunks, then an end or an error, and records how it is used.
private final class ScriptedReader: HTTPBodyReader {
    private let state: Locked<(chunks: [String], reads: Int, cancelled: [HTTPError])>
    private let failure: HTTPError?

    init(_ chunks: [String], failure: HTTPError? = nil) {
        state = Locked((chunks, 0, []))
        self.failure = failure
    }

    var reads: Int { state.withLock { $0.reads } }
    var cancelled: [HTTPError] { state.withLock { $0.cancelled } }

    func next() async throws(HTTPError) -> Data? {
        let chunk = state.withLock { state in
            state.reads += 1
            return state.chunks.isEmpty ? nil : state.chunks.removeFirst()
        }
        if let chunk { return Data(chunk.utf8) }
        if let failure { throw failure }
        return nil
    }

    func cancel(_ reason: HTTPError) { state.withLock { $0.cancelled.append(reason) } }
}

@Suite("BodyStream", .timeLimit(.minutes(5)))
struct BodyStreamTests {
    private func rest(_ stream: BodyStream) async throws(HTTPError) -> [String] {
        var chunks: [String] = []
        while let chunk = try await stream.next() { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        return chunks
    }

    @Test("Chunks arrive in order, and nil is returned repeatedly after the last")
    func order() async throws {
        let reader = ScriptedReader(["a", "b"]), stream = BodyStream(reader)
        #expect(try await rest(stream) == ["a", "b"])
        #expect(try await stream.next() == nil)
        #expect(reader.reads == 3)
    }

    @Test("Only the first consumer can take a stream")
    func taking() {
        let stream = BodyStream(ScriptedReader([]))
        #expect(stream.take())
        #expect(!stream.take())
    }

    @Test("Peeking reads only as much as needed and leaves all bytes to be read")
    func peeking() async throws {
        let reader = ScriptedReader(["ab", "cd", "ef"]), stream = BodyStream(reader)
        #expect(try await stream.peek(upTo: 3) == Data("abc".utf8))
        #expect(reader.reads == 2)
        #expect(try await stream.peek(upTo: 1) == Data("a".utf8))
        #expect(try await stream.peek(upTo: 0) == Data())
        #expect(reader.reads == 2)
        #expect(try await rest(stream) == ["ab", "cd", "ef"])
    }

    @Test("Peeking beyond the end of the body returns the whole body")
    func peekingPastTheEnd() async throws {
        let stream = BodyStream(ScriptedReader(["ab"]))
        #expect(try await stream.peek(upTo: 100) == Data("ab".utf8))
        #expect(try await stream.peek(upTo: 100) == Data("ab".utf8))
        #expect(try await rest(stream) == ["ab"])
    }

    @Test("An error during a peek is also thrown to the reader, so that the body never looks complete")
    func peekError() async throws {
        let failure = HTTPError.invalidResponse("the body ended early")
        let stream = BodyStream(ScriptedReader(["ab"], failure: failure))
        await #expect(throws: failure) { try await stream.peek(upTo: 10) }
        #expect(try await stream.next() == Data("ab".utf8))
        await #expect(throws: failure) { try await stream.next() }
        await #expect(throws: failure) { try await stream.next() }
    }

    @Test("Dropping a stream unread or partly read cancels the reader once")
    func dropping() async throws {
        let unread = ScriptedReader(["a"]), half = ScriptedReader(["a", "b"])
        _ = BodyStream(unread)
        var stream: BodyStream? = BodyStream(half)
        _ = try await stream?.next()
        stream = nil
        #expect(unread.cancelled == [.cancelled])
        #expect(half.cancelled == [.cancelled])
    }

    @Test("Dropping a stream after its end or an error cancels nothing")
    func droppingAtTheEnd() async throws {
        let ended = ScriptedReader([]), failed = ScriptedReader([], failure: .timeout)
        var stream: BodyStream? = BodyStream(ended)
        _ = try await stream?.next()
        stream = BodyStream(failed)
        _ = try? await stream?.next()
        stream = nil
        #expect(ended.cancelled.isEmpty)
        #expect(failed.cancelled.isEmpty)
    }

    @Test("A stream that released its reader neither cancels it nor can be read")
    func releasing() async throws {
        let reader = ScriptedReader(["a"])
        var stream: BodyStream? = BodyStream(reader)
        #expect(stream?.releaseReader() === reader)
        #expect(stream?.take() == false)
        await #expect(throws: HTTPError.bodyNotReplayable("the body has been handed on")) { _ = try await stream?.next() }
        stream = nil
        #expect(reader.cancelled.isEmpty)
    }

    @Test("A second concurrent read is refused and does not disturb the first")
    func concurrentReads() async throws {
        let (gate, opened) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let body = HTTPBody {
            opened.continuation.yield()
            for await _ in gate.stream { break }
            return Data("a".utf8)
        }
        guard case .stream(let stream) = body.storage else { return }
        async let first = stream.next()
        for await _ in opened.stream { break }
        await #expect(throws: HTTPError.bodyNotReplayable("the body is being read by another task")) {
            try await stream.next()
        }
        gate.continuation.yield()
        #expect(try await first == Data("a".utf8))
    }

    @Test("A stream that another task peeks at does not release its reader, so that reads never overlap")
    func releasedWhilePeeked() async throws {
        let entered = OneShot<Void>(), chunk = OneShot<Data>()
        let stream = BodyStream(
            ClosureBodyReader {
                entered.set(())
                return await chunk.value()
            })
        let peek = Task { try await stream.peek(upTo: 1) }
        await entered.value()
        let released = stream.releaseReader()
        chunk.set(Data("a".utf8))
        await #expect(throws: HTTPError.bodyNotReplayable("the body is being read by another task")) { try await released.next() }
        #expect(try await peek.value == Data("a".utf8))
        #expect(try await stream.next() == Data("a".utf8))
    }
}
