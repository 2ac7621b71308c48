/// Parses the line before a chunk (RFC 9112 §7.1): its size in hexadecimal, followed by extensions, which are ignored.
enum ChunkSize {
    static func read(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        var size = 0
        var digits = 0
        for byte in line {
            guard let digit = Hex.value(byte) else { break }
            digits += 1
            guard digits <= 15 else { throw RequestRefusal(400, "a chunk's size is too large") }
            size = size * 16 + Int(digit)
        }
        let rest = line.dropFirst(digits).drop(while: Token.isWhitespace)
        guard digits > 0, rest.isEmpty || rest.first == UInt8(ascii: ";"), rest.allSatisfy(Token.isFieldContent) else {
            throw RequestRefusal(400, "a chunk's size is not a hexadecimal number")
        }
        return size
    }
}
