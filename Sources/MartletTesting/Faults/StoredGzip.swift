#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
        bytes.append(littleEndian: CRC32.of(content))
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: content.count))
        return bytes
    }

    /// A wrapped content with one byte wrong, of the content or of the checks behind it.
    static func corrupted(_ content: Data, seed: UInt64) -> Data {
        let bytes = wrapped(content)
        return changed(bytes, within: (header.count + blockHeaderCount)..<bytes.count, seed: seed)
    }

    /// Bytes that came coded, with one of their last eight wrong: those are gzip's checks.
    static func corrupted(coded bytes: Data, seed: UInt64) -> Data { changed(bytes, within: max(0, bytes.count - 8)..<bytes.count, seed: seed) }

    private static func changed(_ data: Data, within places: Range<Int>, seed: UInt64) -> Data {
        guard !places.isEmpty else { return data }
        var chance = SeededGenerator(seed: seed)
        var place = Int.random(in: places, using: &chance)
        // The head of a later block has bits that nobody looks at; behind it there is always a byte of content.
        if place >= header.count, (place - header.count) % (blockHeaderCount + blockLimit) < blockHeaderCount { place += blockHeaderCount }
        var bytes = Array(data)
        bytes[min(place, bytes.count - 1)] ^= UInt8.random(in: 1...255, using: &chance)
        return Data(bytes)
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
