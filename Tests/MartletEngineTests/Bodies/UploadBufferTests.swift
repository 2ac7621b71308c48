import Foundation
import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("UploadBuffer", .timeLimit(.minutes(5)))
struct UploadBufferTests {
    private func read(_ count: Int, from buffer: inout UploadBuffer) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        switch bytes.withUnsafeMutableBytes({ buffer.read(into: $0) }) {
        case .bytes(let count): return String(decoding: bytes[..<count], as: UTF8.self)
        case .stalled: return "stalled"
        case .failed: return "failed"
        }
    }

    @Test("Chunks are copied in order, piece by piece, and then the end")
    func reading() {
        var buffer = UploadBuffer()
        #expect(buffer.append(Data("abc".utf8).dropFirst()) == nil)
        #expect(buffer.append(Data("d".utf8)) == nil)
        #expect(buffer.finish(.success(())) == nil)
        #expect(read(1, from: &buffer) == "b")
        #expect(buffer.count == 2)
        #expect(read(8, from: &buffer) == "c")
        #expect(buffer.count == 1)
        #expect(read(8, from: &buffer) == "d")
        #expect(read(8, from: &buffer) == "")
    }

    @Test("Only a reader that found no bytes is woken, and none is woken after the transfer has ended")
    func waking() {
        var buffer = UploadBuffer()
        buffer.setWake {}
        #expect(buffer.append(Data("a".utf8)) == nil)
        #expect(read(8, from: &buffer) == "a")
        #expect(read(8, from: &buffer) == "stalled")
        #expect(buffer.append(Data("b".utf8)) != nil)
        #expect(buffer.append(Data("c".utf8)) == nil)
        buffer.rewind()
        #expect(read(8, from: &buffer) == "stalled")
        #expect(buffer.finish(.failure(.timeout)) != nil)
        #expect(read(8, from: &buffer) == "failed")
        buffer.rewind()
        #expect(read(8, from: &buffer) == "stalled")
        buffer.close()
        #expect(buffer.append(Data("d".utf8)) == nil)
    }
}
