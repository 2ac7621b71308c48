internal import MartletEssentials

/// Writes gzip (RFC 1952) without compression: the bytes unchanged in stored blocks (RFC 1951 §3.2.4). Written by hand, so that a test
/// double needs no library.
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

    /// Returns wrapped content with one wrong byte, in the content or in the checksum and size after it.
    static func corrupted(_ wrapped: Data, seed: UInt64) -> Data {
        var chance = SeededGenerator(seed: seed)
        var place = Int.random(in: (header.count + blockHeaderCount)..<wrapped.count, using: &chance)
        // The head of a later block has unused bits. After the head there is always a byte of content.
        if (place - header.count) % (blockHeaderCount + blockLimit) < blockHeaderCount { place += blockHeaderCount }
        return changed(wrapped, at: place, by: &chance)
    }

    /// Returns coded bytes with one wrong byte among the last eight, gzip's checksum and size.
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
