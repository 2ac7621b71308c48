internal import MartletEssentials

/// A checksum that detects accidental corruption, not tampering.
enum Checksum {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the checksum of bytes and their position. Each step is invertible, so data that differs in one word always has another
    /// checksum.
    static func of(_ data: Data, at place: Int64...) -> Int64 {
        var sum = mixed(prime, UInt64(data.count))
        for number in place { sum = mixed(sum, UInt64(bitPattern: number)) }
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                sum = mixed(sum, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            sum = mixed(sum, rest)
        }
        return Int64(bitPattern: sum)
    }

    @inline(__always)
    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* prime
        return product ^ product >> 32
    }
}
