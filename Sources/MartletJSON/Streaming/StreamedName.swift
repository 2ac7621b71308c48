#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A member name to look for in a document.
struct StreamedName: Sendable {
    private let utf8: [UInt8]

    init(_ name: String) { utf8 = Array(name.utf8) }

    /// The greatest number of bytes that a string equal to the name can have in a document, quotation marks included.
    ///
    /// An escape takes six bytes for each byte of UTF-8 at most.
    var maxStringBytes: Int { utf8.count * 6 + 2 }

    /// Whether a string of a document is equal to the name after its escapes are decoded.
    ///
    /// Both are compared byte by byte in UTF-8, without Unicode normalization.
    /// - Parameter string: A valid JSON string with its quotation marks.
    func matches(_ string: Data) -> Bool {
        string.withUnsafeBytes { bytes in
            let content = bytes.dropFirst().dropLast()
            guard content.contains(UInt8(ascii: "\\")) else { return content.elementsEqual(utf8) }
            return Self.unescaped(content) == utf8
        }
    }

    private static func unescaped(_ content: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var result: [UInt8] = []
        var highSurrogate: UInt16?
        var bytes = content.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "\\"), let escape = bytes.next() else {
                result.append(byte)
                continue
            }
            guard escape == UInt8(ascii: "u") else {
                result.append(character(of: escape))
                continue
            }
            let unit = (0..<4).reduce(into: UInt16(0)) { unit, _ in unit = unit << 4 | UInt16(hexDigit: bytes.next() ?? 0) }
            if unit & 0xFC00 == 0xD800 {
                highSurrogate = unit
            } else {
                result += String(decoding: [highSurrogate, unit].compactMap(\.self), as: UTF16.self).utf8
                highSurrogate = nil
            }
        }
        return result
    }

    private static func character(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }
}

extension UInt16 {
    /// Creates the value of a hexadecimal digit. Bytes that are not such digits yield an unspecified value below 16.
    fileprivate init(hexDigit byte: UInt8) { self = UInt16((byte & 0xF) &+ (byte >> 6) &* 9) & 0xF }
}
