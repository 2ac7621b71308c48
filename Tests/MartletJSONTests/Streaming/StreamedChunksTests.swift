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

@Suite("Captured bytes", .timeLimit(.minutes(5)))
struct StreamedCaptureTests {
    @Test("A capture within one chunk is a slice of the chunk")
    func slice() {
        var capture = StreamedCapture()
        let chunk = Data("..abc..".utf8).dropFirst()
        capture.begin(at: 11)
        #expect(capture.start == 11)
        #expect(capture.end(at: 14, in: chunk, at: 10) == Data("abc".utf8))
        #expect(capture.start == nil)
    }

    @Test("A capture joins its parts of several chunks")
    func parts() {
        var capture = StreamedCapture()
        capture.begin(at: 2)
        capture.carry(Data("..ab".utf8), at: 0, limit: 10)
        capture.carry(Data("cd".utf8), at: 4, limit: 10)
        #expect(capture.byteCount == 4)
        #expect(capture.end(at: 7, in: Data("e..".utf8), at: 6) == Data("abcde".utf8))
        #expect(capture.byteCount == 0)
    }

    @Test("A capture over the limit is not stored")
    func limit() {
        var capture = StreamedCapture()
        capture.begin(at: 0)
        capture.carry(Data("abc".utf8), at: 0, limit: 4)
        capture.carry(Data("de".utf8), at: 3, limit: 4)
        #expect(capture.byteCount == 3)
        capture.cancel()
        #expect(capture.byteCount == 0)
        #expect(capture.start == nil)
    }
}

@Suite("Reading bytes of a chunk", .timeLimit(.minutes(5)))
struct StreamedCursorTests {
    /// Returns the number of bytes that an operation skips.
    private func skipped(_ bytes: [UInt8], _ operation: (inout StreamedCursor) -> Void) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            var cursor = StreamedCursor(base: base, count: buffer.count, position: 0, baseOffset: 100)
            operation(&cursor)
            return cursor.offset - 100
        }
    }

    @Test("Plain text ends at every byte that needs attention, at every place in a word")
    func plainText() {
        for byte in UInt8.min...UInt8.max {
            let isPlain = byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
            for place in 0..<20 {
                var bytes = [UInt8](repeating: 0x7F, count: 20)
                bytes[place] = byte
                #expect(skipped(bytes) { $0.skipPlainText() } == (isPlain ? 20 : place))
            }
        }
    }

    @Test("Complete UTF-8 sequences are skipped up to four bytes before the end")
    func sequences() {
        let bytes = Array("é€😀é€😀abcd".utf8)
        var continuations = 0
        #expect(skipped(bytes) { continuations = $0.skipSequences() } == 18)
        #expect(continuations == 12)
    }

    @Test("Exactly the sequences that the standard library accepts are skipped")
    func malformedSequences() {
        let interesting: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2]
        for lead in UInt8(0x80)...UInt8.max {
            for second in interesting {
                for third in interesting {
                    let bytes = [lead, second, third, 0x80]
                    let length = skipped(bytes) { _ = $0.skipSequences() }
                    let expected = (2...4).first { String(validating: bytes.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
                    #expect(length == expected ?? 0)
                }
            }
        }
    }

    @Test("Spaces and digits are skipped up to the first other byte")
    func spacesAndDigits() {
        for count in 0..<20 {
            #expect(skipped([UInt8](repeating: 0x20, count: count) + [0x0A, 0x20]) { $0.skipSpaces() } == count)
            #expect(skipped([UInt8](repeating: 0x39, count: count) + [0x3A, 0x30]) { $0.skipDigits() } == count)
        }
    }
}
