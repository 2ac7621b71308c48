import Foundation
import Testing

@testable import MartletJSON

@Suite("Unread chunks", .timeLimit(.minutes(5)))
struct StreamedChunksTests {
    @Test("Chunks are returned in order and empty ones are ignored")
    func order() {
        var chunks = StreamedChunks()
        for text in ["a", "", "bc", "d"] { chunks.append(Data(text.utf8)) }
        #expect(chunks.byteCount == 4)
        #expect(chunks.popFirst() == Data("a".utf8))
        chunks.append(Data("e".utf8))
        #expect(chunks.popFirst() == Data("bc".utf8))
        #expect(chunks.popFirst() == Data("d".utf8))
        #expect(chunks.popFirst() == Data("e".utf8))
        #expect(chunks.popFirst() == nil)
        #expect(chunks.byteCount == 0)
    }

    @Test("Removing all chunks empties the queue")
    func removeAll() {
        var chunks = StreamedChunks()
        chunks.append(Data("a".utf8))
        chunks.removeAll()
        #expect(chunks.byteCount == 0)
        #expect(chunks.popFirst() == nil)
    }
}
