package import MartletEssentials
internal import MartletSystem

/// The memory of received bodies, kept for later bodies when it is released.
///
/// The allocator returns memory of this size to the system. The next body then takes a page fault for every 4 KiB. A released block is
/// kept here instead, up to a limit on the bytes that are kept unused.
package final class BodyPool: Sendable {
    /// The number of bytes up to which a body uses memory of a `Data`. The allocator recycles such small memory itself.
    package static let maxPlain = 16 * 1024
    /// The capacity of the largest block. A larger body uses memory of a `Data`, because the cost of a fault is small beside its transfer.
    package static let maxBlock = 1 << 20

    private static let minBlock = 2 * maxPlain

    private struct State {
        /// The unused blocks of each capacity, which doubles from one element to the next.
        var kept: [[BodyMemory]]
        var keptBytes = 0

        mutating func take(_ index: Int) -> BodyMemory? {
            guard let memory = kept[index].popLast() else { return nil }
            keptBytes -= memory.capacity
            return memory
        }

        /// Keeps a block if the limit allows it. Otherwise returns the block that must be released first, which may be the same one.
        ///
        /// The capacity with the most kept bytes makes room, so that blocks of an unused capacity do not occupy the pool forever.
        mutating func keep(_ memory: BodyMemory, _ limit: Int) -> (surplus: BodyMemory, isDone: Bool)? {
            let index = BodyPool.index(of: memory.capacity)
            guard keptBytes + memory.capacity > limit else {
                kept[index].append(memory)
                keptBytes += memory.capacity
                return nil
            }
            let heaviest = kept.indices.max { BodyPool.bytes(kept[$0]) < BodyPool.bytes(kept[$1]) } ?? index
            guard heaviest != index, let surplus = take(heaviest) else { return (memory, true) }
            return (surplus, false)
        }
    }

    private let limit: Int
    private let owner = OwnerProcess()
    private let state: Locked<State>

    /// - Parameter limit: The maximum number of bytes that are kept unused. With 0, no memory is recycled.
    package init(limit: Int) {
        self.limit = limit
        state = Locked(State(kept: Array(repeating: [], count: BodyPool.index(of: BodyPool.maxBlock) + 1)))
    }

    /// Blocks in use keep a reference to the pool, so all memory is here or released.
    deinit {
        // In a forked child, another thread may have held the lock during the fork. The memory is then left to the end of the process.
        guard owner.isCurrent else { return }
        for memory in state.withLock({ exchange(&$0.kept, with: []).joined() }) { memory.release() }
    }

    /// The number of bytes that are kept unused.
    package var keptBytes: Int { state.withLock { $0.keptBytes } }

    /// Returns a block for `count` bytes. Its capacity is less than twice as large. Returns nil if bodies of this size are not recycled.
    package func block(for count: Int) -> BodyBlock? {
        guard count > BodyPool.maxPlain, count <= BodyPool.maxBlock else { return nil }
        let capacity = 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
        guard capacity <= limit, owner.isCurrent else { return nil }
        let memory = state.withLock { $0.take(BodyPool.index(of: capacity)) }
        return BodyBlock(memory ?? BodyMemory(capacity: capacity), of: self)
    }

    /// Keeps the memory of a block that was released, or releases it. Called on any thread.
    fileprivate func recycle(_ memory: BodyMemory) {
        // A forked child may release a body of its parent, and must not wait for a lock that another thread held during the fork.
        guard owner.isCurrent else { return memory.release() }
        while let (surplus, isDone) = state.withLock({ $0.keep(memory, limit) }) {
            surplus.release()
            if isDone { return }
        }
    }

    private static func index(of capacity: Int) -> Int { capacity.trailingZeroBitCount - minBlock.trailingZeroBitCount }

    private static func bytes(_ blocks: [BodyMemory]) -> Int { blocks.count * (blocks.first?.capacity ?? 0) }
}

/// Memory of a pool.
private struct BodyMemory: @unchecked Sendable {
    // Proof: the address is used by one owner at a time, the pool or a block. The pool's lock hands it over.
    let start: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        start = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    func release() { start.deallocate() }
}

/// A block of memory in use, which returns to its pool with the last reference to the block.
package final class BodyBlock: Sendable {
    private let memory: BodyMemory
    private let pool: BodyPool

    fileprivate init(_ memory: BodyMemory, of pool: BodyPool) {
        self.memory = memory
        self.pool = pool
    }

    deinit { pool.recycle(memory) }

    package var capacity: Int { memory.capacity }

    /// The first byte. The memory has the bytes of an earlier body until it is written.
    package var start: UnsafeMutableRawPointer { memory.start }

    /// Returns the first bytes without copying them. The `Data` and its slices keep the block. Do not write to the block afterwards.
    package func data(count: Int) -> Data {
        Data(bytesNoCopy: memory.start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }
}
