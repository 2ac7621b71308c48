extension JSONOutput {
    /// Writes a quoted string.
    @inline(__always)
    mutating func putString(_ text: String) {
        var text = text
        text.withUTF8 { _ = putQuoted($0) }
    }

    /// Writes a quoted string with escapes.
    ///
    /// - Returns: Whether a byte was escaped.
    @inline(__always)
    mutating func putQuoted(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let length = bytes.count
        reserve(length &+ 2)
        putReserved(0x22)
        guard length > 0, let source = UnsafeRawPointer(bytes.baseAddress) else {
            putReserved(0x22)
            return false
        }
        let target = base + count
        var index = 0
        if length < 8 {
            while index < length {
                let byte = source.load(fromByteOffset: index, as: UInt8.self)
                if needsEscape(byte) { return putEscaped(source, length: length, from: index) }
                target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                index &+= 1
            }
        } else {
            while true {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if hasEscapes(word) { return putEscaped(source, length: length, from: index) }
                target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
                index &+= 8
                if index &+ 8 > length {
                    if index == length { break }
                    // The last block overlaps the previous one, so some bytes are written twice.
                    index = length &- 8
                }
            }
        }
        count &+= length
        putReserved(0x22)
        return false
    }

    /// Writes the rest of a string that has escapes. The bytes before `start` are in the buffer but not yet counted.
    @inline(never)
    private mutating func putEscaped(_ source: UnsafeRawPointer, length: Int, from start: Int) -> Bool {
        count += start
        var index = start
        var isEscaped = false
        while index < length {
            reserve(length - index + 16)
            while index + 8 <= length {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if hasEscapes(word) { break }
                base.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                index += 8
                count += 8
            }
            let blockEnd = min(index + 8, length)
            while index < blockEnd {
                let byte = source.load(fromByteOffset: index, as: UInt8.self)
                index += 1
                if needsEscape(byte) {
                    isEscaped = true
                    putEscape(byte)
                    reserve(length - index + 16)
                } else {
                    putReserved(byte)
                }
            }
        }
        put(0x22)
        return isEscaped
    }

    private mutating func putEscape(_ byte: UInt8) {
        reserve(6)
        putReserved(0x5C)
        switch byte {
        case 0x08: putReserved(0x62)
        case 0x09: putReserved(0x74)
        case 0x0A: putReserved(0x6E)
        case 0x0C: putReserved(0x66)
        case 0x0D: putReserved(0x72)
        case 0x00..<0x20:
            putASCII("u00")
            putReserved(0x30 + (byte >> 4))
            let digit = byte & 15
            putReserved(digit < 10 ? 0x30 + digit : 0x57 + digit)
        default: putReserved(byte)
        }
    }

    @inline(__always)
    private func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || (byte == 0x2F && options.escapesSlashes)
    }

    /// Whether one of eight bytes may need an escape.
    ///
    /// False positives are possible; `needsEscape` decides.
    @inline(__always)
    private func hasEscapes(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        var found = (word &- ones &* 0x20) & ~word
        found |= (quotes &- ones) & ~quotes
        found |= (backslashes &- ones) & ~backslashes
        if options.escapesSlashes {
            let slashes = word ^ (ones &* 0x2F)
            found |= (slashes &- ones) & ~slashes
        }
        return found & (ones &* 0x80) != 0
    }

    // MARK: Base64

    private static let base64Alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Writes bytes as a quoted Base64 string with padding (RFC 4648 §4).
    mutating func putBase64(_ bytes: UnsafeRawBufferPointer) {
        // Each group of four characters may contain escaped slashes only.
        reserve((bytes.count + 2) / 3 * 8 + 2)
        let alphabet = Self.base64Alphabet.utf8Start
        putReserved(0x22)
        var index = 0
        while index < bytes.count {
            let left = bytes.count &- index
            var group = UInt32(bytes[index]) << 16
            if left > 1 { group |= UInt32(bytes[index &+ 1]) << 8 }
            if left > 2 { group |= UInt32(bytes[index &+ 2]) }
            putSextet(alphabet, group >> 18)
            putSextet(alphabet, group >> 12)
            if left > 1 { putSextet(alphabet, group >> 6) } else { putReserved(0x3D) }
            if left > 2 { putSextet(alphabet, group) } else { putReserved(0x3D) }
            index &+= 3
        }
        putReserved(0x22)
    }

    @inline(__always)
    private mutating func putSextet(_ alphabet: UnsafePointer<UInt8>, _ bits: UInt32) {
        let character = alphabet[Int(bits & 63)]
        if character == 0x2F, options.escapesSlashes { putReserved(0x5C) }
        putReserved(character)
    }
}
