import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCodings

@Suite("ContentDecoder (RFC 9110 §8.4)", .timeLimit(.minutes(5)))
struct ContentDecoderTests {
    /// Decodes `bytes` with input and output pieces of the given sizes.
    private func decode(_ coding: String, _ bytes: Data, inputs: Int, outputs: Int) throws -> Data {
        let decoder = ContentDecoder(try #require(ContentCoding.applied(to: ["Content-Encoding": coding])))
        var decoded = Data()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: outputs, alignment: 1)
        defer { room.deallocate() }
        for start in stride(from: 0, to: bytes.count, by: inputs) {
            try Data(bytes[start..<min(start + inputs, bytes.count)]).withUnsafeBytes { piece in
                var piece = piece
                var work = Int.max
                while case let count = try decoder.read(from: &piece, into: room, work: &work), count > 0 {
                    decoded.append(contentsOf: room[..<count])
                }
                #expect(piece.isEmpty)
            }
        }
        try decoder.finish()
        return decoded
    }

    @Test(
        "Data coded by the reference tools is decoded, whatever the sizes of the pieces", arguments: CodedSamples.all.indices, [1, 7, 1000])
    func samples(index: Int, size: Int) throws {
        let (name, bytes) = CodedSamples.all[index]
        #expect(try decode(name, bytes, inputs: size, outputs: 1000) == CodedSamples.text)
        #expect(try decode(name, bytes, inputs: 1000, outputs: size) == CodedSamples.text)
    }

    @Test("Data that is cut short at any point is never reported as complete", arguments: CodedSamples.all.indices)
    func cutShort(index: Int) throws {
        let (name, bytes) = CodedSamples.all[index]
        for count in 1..<bytes.count {
            #expect(throws: ContentDecoder.Fault.self, "\(count) bytes") {
                try decode(name, bytes.prefix(count), inputs: 1000, outputs: 1000)
            }
        }
    }

    @Test("An empty body is complete with any coding")
    func empty() throws { #expect(try decode("gzip", Data(), inputs: 10, outputs: 10) == Data()) }

    @Test("Several gzip or zstd members form one body (RFC 1952 §2.2, RFC 8878 §3.1), and other data after the end is ignored")
    func members() throws {
        let text = CodedSamples.text
        for (name, bytes) in [("gzip", CodedSamples.gzip), ("zstd", CodedSamples.zstd)] {
            for size in [1, 1000] {
                #expect(try decode(name, bytes + bytes, inputs: size, outputs: 1000) == text + text)
                #expect(try decode(name, bytes + Data("junk".utf8), inputs: size, outputs: 1000) == text)
                #expect(try decode(name, bytes + Data("junk".utf8) + bytes.prefix(9), inputs: size, outputs: 1000) == text)
                #expect(throws: ContentDecoder.Fault.self) { try decode(name, bytes + bytes.prefix(9), inputs: size, outputs: 1000) }
            }
        }
    }

    @Test("An inner coding continues correctly after a long time without input", arguments: CodedSamples.all.indices)
    func nothingToRead(index: Int) throws {
        let (name, bytes) = CodedSamples.all[index]
        // A file name of 300 bytes (RFC 1952 §2.3.1) precedes the first byte of the content.
        let outer = CodedSamples.storedGzip(bytes, fileName: String(repeating: "x", count: 300))
        #expect(try decode("\(name), gzip", outer, inputs: 1, outputs: 1000) == CodedSamples.text)
    }

    @Test("A doubly coded body that decodes to almost nothing fails soon, however far it expands in between")
    func silentBomb() throws {
        let empty = CodedSamples.storedGzip(Data())
        let many = CodedSamples.repeated(empty, 300_000)
        #expect(throws: ContentDecoder.Fault.wasteful(.gzip)) {
            try decode("gzip, gzip", CodedSamples.storedGzip(many, checksum: 0), inputs: 1000, outputs: 1000)
        }
        let junk = CodedSamples.gzip + Data(count: 5_000_000)
        #expect(throws: ContentDecoder.Fault.wasteful(.gzip)) {
            try decode("gzip, gzip", CodedSamples.storedGzip(junk, checksum: 0), inputs: 1000, outputs: 1000)
        }
        // Small members are wasteful, but not a bomb.
        let letters = CodedSamples.repeated(CodedSamples.storedGzip(Data("a".utf8)), 60_000)
        #expect(try decode("gzip, gzip", CodedSamples.storedGzip(letters), inputs: 1000, outputs: 1000).count == 60_000)
    }

    @Test(
        "With any number of codings, a read exceeds its allowed work only slightly",
        arguments: CodedSamples.wasteful.indices)
    func work(index: Int) throws {
        try #require(ContentCoding.available.contains(.deflate))
        let decoder = ContentDecoder(Array(repeating: .deflate, count: index + 2))
        let bytes = CodedSamples.repeated(CodedSamples.wasteful[index], 200)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
        defer { room.deallocate() }
        let allowed = 256 * 1024
        var largest = 0, total = 0
        #expect(throws: ContentDecoder.Fault.wasteful(.deflate)) {
            try bytes.withUnsafeBytes { bytes in
                var input = bytes
                for _ in 0..<1000 {
                    var work = allowed
                    defer {
                        largest = max(largest, allowed - work)
                        total += allowed - work
                    }
                    _ = try decoder.read(from: &input, into: room, work: &work)
                }
            }
        }
        #expect(largest <= allowed + 64 * 1024)
        // The budget for the bytes between codings, plus the received bytes and the allowance for them.
        #expect((ContentDecoder.intermediateBytes / 2...ContentDecoder.intermediateBytes * 2).contains(total))
    }

    @Test("Many bytes may pass between two codings if the body has many bytes")
    func bomb() throws {
        let body = try decode("gzip, gzip", CodedSamples.bomb, inputs: 1000, outputs: 64 * 1024)
        #expect(body.count == CodedSamples.bombSize)
    }

    @Test("A zstd frame that needs a window of more than 8 MiB is rejected (RFC 9659)")
    func wideWindow() {
        #expect(throws: ContentDecoder.Fault.broken(.zstd)) { try decode("zstd", CodedSamples.wideZstd, inputs: 1000, outputs: 1000) }
    }

    @Test("A body with an unknown coding is passed on coded, and identity is ignored")
    func unknown() {
        #expect(ContentCoding.applied(to: ["Content-Encoding": "compress"]) == nil)
        #expect(ContentCoding.applied(to: ["Content-Encoding": "gzip", "Content-Encoding": "frob"]) == nil)
        #expect(ContentCoding.applied(to: ["Content-Encoding": "gzip,gzip,gzip,gzip,gzip"]) == Array(repeating: .gzip, count: 5))
        #expect(ContentCoding.applied(to: ["Content-Encoding": "identity"]) == nil)
        #expect(ContentCoding.applied(to: [:]) == nil)
        #expect(ContentCoding.applied(to: ["Content-Encoding": "deflate", "Content-Encoding": " identity ,\tbr"]) == [.deflate, .brotli])
    }
}
