internal import MartletSystem

extension String {
    /// Creates a text from valid UTF-8 bytes. Nil for invalid UTF-8.
    ///
    /// Equivalent to `String(validating:as:)`, which requires macOS 15 or iOS 18.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        // Invalid bytes have become replacement characters, whose bytes differ.
        let isSame = text.withUTF8 { written in
            bytes.withContiguousStorageIfAvailable { $0.holdsSame(as: written) } ?? written.elementsEqual(bytes)
        }
        guard isSame else { return nil }
        self = text
    }

    /// Creates a text from bytes in ISO-8859-1 (Latin-1), the first 256 characters of Unicode.
    package init(latin1 bytes: some Sequence<UInt8>) {
        var text = UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        self.init(text)
    }

    /// Creates a text from bytes in UTF-16, with or without a byte order mark. Nil if neither a mark nor the zeros of the first two
    /// characters (RFC 4627 §3) indicate that charset.
    init?(utf16 bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        let isBigEndian: Bool
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): isBigEndian = true
        case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): isBigEndian = false
        default: return nil
        }
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low]) }
        self.init(decoding: units, as: UTF16.self)
    }

    /// The text as bytes in ISO-8859-1. Nil if it has a character outside that charset.
    package var latin1Bytes: [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes equal `other`, compared with `memcmp`.
    func holdsSame(as other: Self) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}
