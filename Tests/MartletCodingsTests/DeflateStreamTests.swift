import Foundation
import Testing

@testable import MartletCodings

/// Tests streams of compressed messages (RFC 1951, RFC 7692 §7.2).
@Suite(.timeLimit(.minutes(5)), .enabled(if: DeflateStream.isAvailable, "needs zlib: install zlib1g"))
struct DeflateStreamTests {
    private func compressed(_ message: Data, by stream: DeflateStream) throws -> Data {
        var output = Data()
        try message.withUnsafeBytes { bytes in try stream.compress(bytes, into: &output) }
        return output
    }

    private func expanded(_ message: Data, by stream: DeflateStream, pieces size: Int, limit: Int = .max) throws -> Data {
        var output = Data(), rest = message
        while !rest.isEmpty {
            try rest.prefix(size).withUnsafeBytes { bytes in try stream.expand(bytes, into: &output, limit: limit) }
            rest = rest.dropFirst(size)
        }
        try stream.finishExpanding(into: &output, limit: limit)
        return output
    }

    @Test("Messages of every size pass through every window, in pieces of any size", arguments: 9...15)
    func roundTrip(windowBits: Int) throws {
        let out = try DeflateStream(compressingWith: windowBits), back = try DeflateStream(expandingWith: windowBits)
        for count in [1, 2, 100, 4095, 4096, 4097, 100_000] {
            let message = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
            let wire = try compressed(message, by: out)
            #expect(try expanded(wire, by: back, pieces: count % 7 + 1) == message)
        }
    }

    @Test("A repeated message is smaller, because it refers to the earlier one")
    func context() throws {
        let stream = try DeflateStream(compressingWith: 15)
        let message = Data((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 2) })
        let first = try compressed(message, by: stream), second = try compressed(message, by: stream)
        #expect(second.count < first.count / 4)
    }

    @Test("Output ends at the limit, and before corrupt data")
    func faults() throws {
        let wire = try compressed(Data(count: 1 << 20), by: try DeflateStream(compressingWith: 15))
        var output = Data()
        #expect(throws: DeflateStream.Fault.tooLarge) {
            let stream = try DeflateStream(expandingWith: 15)
            try wire.withUnsafeBytes { bytes in try stream.expand(bytes, into: &output, limit: 10_000) }
        }
        #expect(output == Data(count: 10_000))
        output = Data()
        // A block without compression, and one of a type that does not exist.
        #expect(throws: DeflateStream.Fault.broken) {
            let stream = try DeflateStream(expandingWith: 15)
            try Data([0x00, 0x01, 0x00, 0xFE, 0xFF, 0x61, 0xFF]).withUnsafeBytes { bytes in
                try stream.expand(bytes, into: &output, limit: .max)
            }
        }
        #expect(output == Data("a".utf8))
    }

    @Test("A window of 256 bytes can be expanded but not compressed")
    func smallWindow() throws {
        #expect(throws: DeflateStream.Fault.outOfMemory) { _ = try DeflateStream(compressingWith: 8) }
        _ = try DeflateStream(expandingWith: 8)
    }
}
