import Foundation
import Testing

@testable import MartletEngine
@testable import MartletHTTP

@Suite("BodyBuffer", .timeLimit(.minutes(5)))
struct BodyBufferTests {
    private let pool = BodyPool(limit: 8 << 20)

    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }) }

    private static func address(_ data: Data) -> UInt { data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    /// Collects a body in pieces.
    private func collect(_ body: Data, announced: Int? = nil, piece: Int = 16_384, pool: BodyPool?) -> Data {
        var buffer = BodyBuffer(pool)
        if let announced { buffer.announce(announced) }
        for start in stride(from: 0, to: body.count, by: piece) {
            body[start..<min(start + piece, body.count)].withUnsafeBytes { buffer.append($0) }
        }
        #expect(buffer.count == body.count)
        #expect(buffer.isEmpty == body.isEmpty)
        return buffer.take()
    }

    @Test(
        "A body arrives unchanged, with any length, announced or not, recycled or not",
        arguments: [0, 1, 16_384, 16_385, 65_536, 100_000, 1 << 20, 1 << 20 + 1, 3_000_000])
    func lengths(count: Int) {
        let body = Self.bytes(count)
        for pool in [pool, BodyPool(limit: 64 * 1024), BodyPool(limit: 0), nil] {
            #expect(collect(body, pool: pool) == body)
            #expect(collect(body, announced: count, pool: pool) == body)
            #expect(collect(body, announced: count / 2, pool: pool) == body)
            #expect(collect(body, piece: 5_000_000, pool: pool) == body)
        }
    }

    @Test("A body of announced length is copied once: its bytes stay where they were received")
    func once() throws {
        let kept = pool.block(for: 100_000).map { UInt(bitPattern: $0.start) }
        let body = collect(Self.bytes(100_000), announced: 100_000, pool: pool)
        #expect(Self.address(body) == kept)
        // Nothing was copied to another block on the way.
        #expect(pool.keptBytes == 0)
    }

    @Test("A body of unknown length moves to larger blocks, and the smaller ones return")
    func growth() {
        let body = collect(Self.bytes(200_000), pool: pool)
        #expect(pool.keptBytes == (32 + 64 + 128) * 1024)
        #expect(body == Self.bytes(200_000))
    }

    @Test("A body that outgrows the largest block returns all blocks")
    func outgrown() {
        let body = collect(Self.bytes(1_500_000), pool: pool)
        #expect(pool.keptBytes == (32 + 64 + 128 + 256 + 512 + 1024) * 1024)
        #expect(body == Self.bytes(1_500_000))
    }

    @Test("A small body uses no block")
    func small() {
        _ = collect(Self.bytes(16_384), announced: 16_384, pool: pool)
        #expect(pool.keptBytes == 0)
    }

    @Test("A body that is far shorter than announced does not keep a large block", arguments: [1, 10, 20_000, 500_000])
    func shrunk(count: Int) {
        let body = collect(Self.bytes(count), announced: 1 << 20, pool: pool)
        #expect(pool.keptBytes == 1 << 20)
        #expect(body == Self.bytes(count))
    }

    @Test("An announced length takes no memory before the first byte")
    func lazy() {
        _ = pool.block(for: 100_000)
        var buffer = BodyBuffer(pool)
        buffer.announce(100_000)
        buffer.append(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(pool.keptBytes == 128 * 1024)
        Data([1]).withUnsafeBytes { buffer.append($0) }
        #expect(pool.keptBytes == 0)
    }

    @Test("A body that is dropped while it arrives returns its memory")
    func dropped() {
        var buffer = BodyBuffer(pool)
        Self.bytes(100_000).withUnsafeBytes { buffer.append($0) }
        #expect(pool.keptBytes == 0)
        buffer = BodyBuffer()
        #expect(buffer.isEmpty)
        #expect(pool.keptBytes == 128 * 1024)
    }

    @Test("The pieces of a streamed body use recycled memory, and a kept slice of one stays unchanged")
    func streamed() async throws {
        let pipe = BodyPipe(capacity: 262_144, pending: BodyBuffer(pool)) { _ in }
        func piece(_ number: Int) -> Data { Data(repeating: UInt8(number), count: 65_536) }
        var kept = Data()
        var addresses: Set<UInt> = []
        for number in 0..<50 {
            let written = piece(number).withUnsafeBytes { pipe.write($0) }
            #expect(written == .stored)
            let read = try #require(try await pipe.next())
            #expect(read == piece(number))
            addresses.insert(Self.address(read))
            if number == 3 { kept = read[1_000..<2_000] }
        }
        #expect(kept == piece(3)[1_000..<2_000])
        // The kept slice holds one block; the pipe and its reader use the others in turn.
        #expect(addresses.count <= 3)
    }

    @Test(
        "The block of a stream that outgrows its first one is for a whole network read",
        arguments: [(2, [32]), (16, [32, 256]), (3, [32, 256, 64])])
    func readLength(pieces: Int, blocks: [Int]) {
        let pool = BodyPool(limit: 1 << 20)
        var buffer = BodyBuffer(pool, readLength: 262_144)
        buffer.announce(2 * 16_384)
        for _ in 0..<pieces { Self.bytes(16_384).withUnsafeBytes { buffer.append($0) } }
        #expect(buffer.take().count == pieces * 16_384)
        // All blocks that were used, in KiB. A body that fills less than half of its block was moved to a smaller one.
        #expect(pool.keptBytes == blocks.reduce(0, +) * 1024)
    }

    @Test("A Data is appended like bytes")
    func data() {
        var buffer = BodyBuffer(pool)
        let halves = (Self.bytes(40_000), Self.bytes(7))
        buffer.append(halves.0)
        buffer.append(halves.1)
        #expect(buffer.take() == halves.0 + halves.1)
    }
}
