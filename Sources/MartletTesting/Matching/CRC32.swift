#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The checksum of gzip and PNG (RFC 1952 §8), enough to tell two bodies apart in a text.
enum CRC32 {
    static func of(_ data: Data) -> UInt32 {
        var sum = UInt32.max
        data.withUnsafeBytes { bytes in
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
