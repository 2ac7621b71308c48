extension JSONOutput {
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
