import Foundation
import Glibc
import MartletSystem
import Testing

@testable import MartletEngine

@Suite("BodyPool", .timeLimit(.minutes(5)))
struct BodyPoolTests {
    private static let block = 128 * 1024

    /// A body of 100,000 equal bytes in memory of a pool.
    private static func body(_ pool: BodyPool, _ byte: UInt8 = 1) throws -> Data {
        let block = try #require(pool.block(for: 100_000))
        memset(block.start, Int32(byte), 100_000)
        return block.data(count: 100_000)
    }

    private static func address(_ data: Data) -> UInt { data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    @Test("A block holds its body and is less than twice as large", arguments: [16_385, 32_768, 32_769, 100_000, 524_289, 1 << 20])
    func capacities(count: Int) throws {
        let capacity = try #require(BodyPool(limit: 8 << 20).block(for: count)).capacity
        #expect(capacity >= count && capacity < 2 * count)
    }

    @Test("Small and very large bodies, and bodies above the limit, are not recycled")
    func sizes() {
        let pool = BodyPool(limit: Self.block)
        for count in [0, 1, BodyPool.maxPlain, Self.block + 1, .max] { #expect(pool.block(for: count) == nil) }
        for limit in [0, -1, .min] { #expect(BodyPool(limit: limit).block(for: 100_000) == nil) }
        #expect(BodyPool(limit: .max).block(for: BodyPool.maxBlock + 1) == nil)
    }

    @Test("Memory returns when the last slice of a body is released, and the next body uses it")
    func reuse() throws {
        let pool = BodyPool(limit: 8 << 20)
        var body: Data? = try Self.body(pool)
        let start = Self.address(try #require(body))
        var slice = body?[50_000..<60_000]
        body = nil
        #expect(pool.keptBytes == 0)
        #expect(slice == Data(repeating: 1, count: 10_000))
        slice = nil
        #expect(pool.keptBytes == Self.block)
        let next = try Self.body(pool)
        #expect(Self.address(next) == start)
        #expect(pool.keptBytes == 0)
    }

    @Test("Memory returns when a block is dropped without a body")
    func dropped() throws {
        let pool = BodyPool(limit: 8 << 20)
        _ = pool.block(for: 100_000)
        #expect(pool.keptBytes == Self.block)
    }

    @Test("A body that is appended to moves to memory of its own, and its block returns once")
    func appending() throws {
        let pool = BodyPool(limit: 8 << 20)
        var body = try Self.body(pool)
        body.append(contentsOf: [2, 3])
        #expect(pool.keptBytes == Self.block)
        let next = try Self.body(pool, 9)
        #expect(body == Data(repeating: 1, count: 100_000) + [2, 3])
        body = Data()
        #expect(pool.keptBytes == 0)
        #expect(next == Data(repeating: 9, count: 100_000))
    }

    @Test("A copy that is changed leaves the other unchanged, and the last one returns the memory")
    func copies() throws {
        let pool = BodyPool(limit: 8 << 20)
        var body = try Self.body(pool)
        var copy = body
        copy[0] = 7
        #expect(body == Data(repeating: 1, count: 100_000))
        #expect(copy == [7] + Data(repeating: 1, count: 99_999))
        copy.removeFirst()
        body.replaceSubrange(10..<20, with: Data())
        #expect(body == Data(repeating: 1, count: 99_990))
        body = Data()
        #expect(pool.keptBytes == Self.block)
        #expect(copy == Data(repeating: 1, count: 99_999))
    }

    @Test("The bytes of an earlier body are not visible in a later one, however that grows")
    func secrets() throws {
        let pool = BodyPool(limit: 8 << 20)
        _ = try Self.body(pool, 0xEE)
        let block = try #require(pool.block(for: 70_000))
        memset(block.start, 1, 70_000)
        var body = block.data(count: 70_000)
        #expect(body.count == 70_000 && !body.contains(0xEE))
        body.count = 90_000
        #expect(body == Data(repeating: 1, count: 70_000) + Data(count: 20_000))
    }

    @Test("The pool keeps no more than its limit")
    func bound() throws {
        let pool = BodyPool(limit: 2 * Self.block + 1)
        var bodies = try (0..<5).map { _ in try Self.body(pool) }
        bodies.removeAll()
        #expect(pool.keptBytes == 2 * Self.block)
        var blocks = (0..<5).map { _ in pool.block(for: 20_000) }
        blocks.removeAll()
        #expect(pool.keptBytes <= 2 * Self.block + 1)
    }

    @Test("The capacity with the most unused bytes makes room for another")
    func balance() throws {
        let pool = BodyPool(limit: 4 * Self.block)
        var large = (0..<2).map { _ in pool.block(for: 2 * Self.block) }
        large.removeAll()
        #expect(pool.keptBytes == 4 * Self.block)
        var blocks = (0..<4).map { _ in pool.block(for: Self.block) }
        blocks.removeAll()
        #expect(pool.keptBytes == 4 * Self.block)
        let again = (0..<2).map { _ in pool.block(for: Self.block) }
        #expect(pool.keptBytes == 2 * Self.block)
        #expect(again.allSatisfy { $0 != nil })
    }

    @Test("A body outlives the transport's reference to the pool, and the pool is released with the last body")
    func lifetime() throws {
        weak var released: BodyPool?
        var body: Data?
        do {
            let pool = BodyPool(limit: 8 << 20)
            released = pool
            _ = try Self.body(pool)
            body = try Self.body(pool, 5)
        }
        #expect(released != nil)
        #expect(body == Data(repeating: 5, count: 100_000))
        body = nil
        #expect(released == nil)
    }

    @Test("Tasks that fill, hand over and release bodies at once never share memory")
    func concurrency() async {
        let pool = BodyPool(limit: 1 << 20)
        let shelf = Locked([Data](repeating: Data(), count: 16))
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var faults = 0
                    for turn in 0..<300 {
                        let byte = UInt8(truncatingIfNeeded: task * 31 + turn), count = 17_000 + (turn * 7_919 + task * 104_729) % 300_000
                        var buffer = BodyBuffer(pool)
                        if turn.isMultiple(of: 2) { buffer.announce(count) }
                        for part in [count / 3, count - count / 3] {
                            [UInt8](repeating: byte, count: part).withUnsafeBytes { buffer.append($0) }
                        }
                        let body = buffer.take()
                        let other = shelf.withLock { exchange(&$0[(task + turn) % 16], with: body) }
                        if !body.allEqual(byte) || body.count != count || !other.allEqual(other.first ?? 0) { faults += 1 }
                    }
                    return faults
                }
            }
            for await faults in group { #expect(faults == 0) }
        }
        shelf.withLock { $0.removeAll() }
        #expect(pool.keptBytes > 0 && pool.keptBytes <= 1 << 20)
    }

    @Test("A forked child releases its copy of a body without touching the pool")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let pool = BodyPool(limit: 8 << 20)
            var body: Data? = try BodyPoolTests.body(pool)
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> Int32).self)
            let child = fork()
            if child == 0 {
                body = nil
                _exit(pool.keptBytes == 0 && pool.block(for: 100_000) == nil ? 0 : 1)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            #expect(body?.count == 100_000)
            body = nil
            exit(status == 0 && pool.keptBytes == 128 * 1024 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

extension Data {
    fileprivate func allEqual(_ byte: UInt8) -> Bool { self == Data(repeating: byte, count: count) }
}
