package import MartletEssentials
internal import MartletHTTP

/// The bytes of a body while they arrive, or wait for their reader. Each received byte is copied once if the length of the body is known.
///
/// A small or very large body is collected in a `Data`, any other in memory of a ``BodyPool``. A body of unknown length moves to a block of
/// twice the capacity when it outgrows its block, or at least to one for a whole network read.
package struct BodyBuffer: PendingBytes {
    /// The maximum number of bytes that are reserved in a `Data` because a server announced them.
    private static let maxReserved = 1 << 20

    private let pool: BodyPool?
    private let readLength: Int
    /// The bytes, unless they are in `block`.
    private var plain = Data()
    private var block: BodyBlock?
    /// The number of bytes in `block`.
    private var filled = 0
    private var announced = 0

    /// - Parameters:
    ///   - pool: The pool of the memory; nil to recycle none.
    ///   - readLength: The maximum number of bytes of a network read, if the buffer is emptied after each; 0 otherwise.
    package init(_ pool: BodyPool? = nil, readLength: Int = 0) {
        self.pool = pool
        self.readLength = readLength
    }

    package var count: Int { block == nil ? plain.count : filled }

    /// Announces the length of the body, or of the part that waits. Memory is taken when the first byte arrives.
    package mutating func announce(_ length: Int) { announced = length }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let total = count + bytes.count
        if total > block?.capacity ?? 0 { makeRoom(for: max(total, announced, block == nil ? 0 : readLength)) }
        if let block {
            (block.start + filled).copyMemory(from: start, byteCount: bytes.count)
            filled = total
        } else {
            plain.append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
    }

    package mutating func append(_ bytes: Data) { bytes.withUnsafeBytes { append($0) } }

    /// Removes and returns the bytes. They are copied only if most of their memory is unused, so that a kept body does not waste it.
    package mutating func take() -> Data {
        defer { self = BodyBuffer(pool, readLength: readLength) }
        guard let block else { return plain }
        guard filled * 2 < block.capacity else { return block.data(count: filled) }
        guard let smaller = pool?.block(for: filled) else { return Data(bytes: block.start, count: filled) }
        smaller.start.copyMemory(from: block.start, byteCount: filled)
        return smaller.data(count: filled)
    }

    private mutating func makeRoom(for size: Int) {
        if let larger = pool?.block(for: size) {
            if let block {
                larger.start.copyMemory(from: block.start, byteCount: filled)
            } else {
                filled = plain.count
                plain.copyBytes(to: UnsafeMutableRawBufferPointer(start: larger.start, count: filled), count: filled)
                plain = Data()
            }
            block = larger
        } else if let old = block.take() {
            plain.append(old.start.assumingMemoryBound(to: UInt8.self), count: filled)
        } else if plain.isEmpty, announced > 0 {
            plain.reserveCapacity(min(announced, BodyBuffer.maxReserved))
        }
    }
}
