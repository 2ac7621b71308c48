#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A text in UTF-16, which is told by its byte order mark or by the zeros of its first characters (RFC 4627 §3).
struct WideText {
    let text: String
    private let isBigEndian: Bool

    init?(_ body: Data) {
        let start = Array(body.prefix(4))
        guard start.count == 4, body.count.isMultiple(of: 2) else { return nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFE, 0xFF, _, _): isBigEndian = true
        case (0xFF, 0xFE, _, _): isBigEndian = false
        case (0, 1..., 0, 1...): isBigEndian = true
        case (1..., 0, 1..., 0): isBigEndian = false
        default: return nil
        }
        let bytes = Array(body)
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low]) }
        text = String(decoding: units, as: UTF16.self)
    }

    func encoded(_ text: String) -> Data {
        text.utf16.reduce(into: Data()) { data, unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            data += isBigEndian ? [high, low] : [low, high]
        }
    }
}
