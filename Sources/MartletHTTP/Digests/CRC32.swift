/// The checksum of gzip (RFC 1952 §8). It detects accidental corruption, not tampering.
package enum CRC32 {
    /// Returns the checksum of the bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum = UInt32.max
        table.withUnsafeBufferPointer { table in
            for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
        }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var sum = UInt32(index)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        return sum
    }
}
