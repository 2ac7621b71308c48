import Foundation
import Testing

@testable import MartletJSON

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
