import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

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
        let failure = HTTPError.invalidRequest("the streamed body gave more than the 3 bytes that it promised")
        await #expect(throws: failure) { try await chunks.next() }
    }

    @Test("A shorter body fails at its end")
    func shorter() async throws {
        var chunks = chunks(["a"], length: 3)
        #expect(try await chunks.next() == Data("a".utf8))
        let failure = HTTPError.invalidRequest("the streamed body gave 1 bytes and not the 3 that it promised")
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
