internal import MartletEssentials

/// gzip (RFC 1952) without compression: a wrapper around the bytes as they are (stored blocks, RFC 1951 §3.2.4), made by hand because
/// a test double has no library for it.
enum StoredGzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    private static let blockHeaderCount = 5
    private static let blockLimit = 0xFFFF

    static func wrapped(_ content: Data) -> Data {
        var bytes = Data(header)
        var rest = content[...]
        repeat {
            let block = rest.prefix(blockLimit)
            rest = rest.dropFirst(block.count)
            bytes.append(rest.isEmpty ? 1 : 0)
            bytes.append(littleEndian: UInt16(block.count))
            bytes.append(littleEndian: ~UInt16(block.count))
            bytes.append(block)
        } while !rest.isEmpty
        bytes.append(littleEndian: content.withUnsafeBytes { CRC32.of($0) })
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: content.count))
        return bytes
    }

    /// What ``wrapped(_:)`` gave with one byte wrong, of the content or of the checks behind it.
    static func corrupted(_ wrapped: Data, seed: UInt64) -> Data {
        var chance = SeededGenerator(seed: seed)
        var place = Int.random(in: (header.count + blockHeaderCount)..<wrapped.count, using: &chance)
        // The head of a later block has bits that nobody looks at; behind it there is always a byte of content.
        if (place - header.count) % (blockHeaderCount + blockLimit) < blockHeaderCount { place += blockHeaderCount }
        return changed(wrapped, at: place, by: &chance)
    }

    /// Bytes that came coded, with one of their last eight wrong: those are gzip's checks.
    static func corrupted(coded bytes: Data, seed: UInt64) -> Data {
        guard !bytes.isEmpty else { return bytes }
        var chance = SeededGenerator(seed: seed)
        return changed(bytes, at: Int.random(in: max(0, bytes.count - 8)..<bytes.count, using: &chance), by: &chance)
    }

    private static func changed(_ data: Data, at place: Int, by chance: inout SeededGenerator) -> Data {
        var bytes = Array(data)
        bytes[place] ^= UInt8.random(in: 1...255, using: &chance)
        return Data(bytes)
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
