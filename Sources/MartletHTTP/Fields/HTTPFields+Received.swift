internal import MartletEssentials
internal import MartletSystem

extension HTTPFields {
    /// Creates the fields of a received head, or of trailers, from one block of lines. Each line ends with a line feed.
    ///
    /// Accepts what servers write (RFC 9112 §5): white space around names and values, and bytes outside ASCII. Ignores lines without a name
    /// or a colon. In values, a carriage return or NUL becomes a space, because a later reader could take it for the end of a line (RFC
    /// 9110 §5.5).
    ///
    /// - Parameters:
    ///   - block: The bytes of the lines.
    ///   - lineCount: The number of lines, for which memory is reserved.
    package init(block: UnsafeBufferPointer<UInt8>, lineCount: Int) {
        self.init()
        guard let start = block.baseAddress else { return }
        var lines: [Line] = []
        lines.reserveCapacity(lineCount)
        var count = 0
        // Not `unsafeUninitializedCapacity`, which looks up the metadata of its storage.
        bytes = Array(repeating: 0, count: block.count)
        bytes.withUnsafeMutableBufferPointer { target in
            var position = 0
            while position < block.count {
                let end = HTTPFields.position(of: UInt8(ascii: "\n"), in: start + position, block.count - position)
                let length = end ?? block.count - position
                if let line = HTTPFields.copy(start + position, length, to: target, &count) { lines.append(line) }
                position += length + 1
            }
        }
        bytes.removeLast(block.count - count)
        self.lines = lines
    }

    /// Creates empty fields with memory for received lines.
    ///
    /// - Parameters:
    ///   - lineCount: The number of lines.
    ///   - byteCount: The number of bytes of all names and values.
    package init(lineCount: Int, byteCount: Int) {
        self.init()
        lines.reserveCapacity(lineCount)
        bytes.reserveCapacity(byteCount)
    }

    /// Appends a received line, without white space around its value, for libraries that have parsed the head.
    ///
    /// - Returns: Whether the line can be sent. Otherwise the name is not a token, or the value contains control characters.
    package mutating func append(receivedName name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
        var (start, end) = (0, value.count)
        while end > start, Token.isWhitespace(value[end - 1]) { end -= 1 }
        while start < end, Token.isWhitespace(value[start]) { start += 1 }
        let value = UnsafeBufferPointer(rebasing: value[start..<end])
        let isValid = name.baseAddress.map { HTTPFields.isToken($0, name.count) } ?? false && Token.isFieldContent(value)
        lines.append(
            Line(start: bytes.count, nameLength: name.count, valueLength: value.count, isValid: isValid, isCredential: false))
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
        return isValid
    }

    /// Copies the name and the value of a line to `target`, after the first `count` bytes. Returns nil if the line has no name.
    private static func copy(
        _ line: UnsafePointer<UInt8>, _ length: Int, to target: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Line? {
        guard let colon = position(of: UInt8(ascii: ":"), in: line, length), let base = target.baseAddress else { return nil }
        var nameLength = colon
        while nameLength > 0, Token.isWhitespace(line[nameLength - 1]) { nameLength -= 1 }
        guard nameLength > 0 else { return nil }
        var (start, end) = (colon + 1, length)
        while end > start, isBlank(line[end - 1]) { end -= 1 }
        while start < end, isBlank(line[start]) { start += 1 }
        let (name, value) = (base + count, base + count + nameLength)
        name.initialize(from: line, count: nameLength)
        value.initialize(from: line + start, count: end - start)
        let isValid = isToken(name, nameLength)
        let hasText = replaceLineEnds(value, end - start)
        defer { count += nameLength + end - start }
        return Line(start: count, nameLength: nameLength, valueLength: end - start, isValid: isValid && hasText, isCredential: false)
    }

    private static func position(of byte: UInt8, in bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        memchr(bytes, Int32(byte), count).map { UnsafeRawPointer($0) - UnsafeRawPointer(bytes) }
    }

    private static func isToken(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for position in 0..<count where !Token.contains(bytes[position]) { return false }
        return true
    }

    /// Replaces the bytes that a value must not contain. Returns whether the value can be sent.
    private static func replaceLineEnds(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        var isValid = true
        for position in 0..<count where !Token.isFieldContent(bytes[position]) {
            if isBlank(bytes[position]) { bytes[position] = UInt8(ascii: " ") } else { isValid = false }
        }
        return isValid
    }

    /// Whether a byte of a value is white space, or becomes white space when the value is read.
    private static func isBlank(_ byte: UInt8) -> Bool { Token.isWhitespace(byte) || byte == UInt8(ascii: "\r") || byte == 0 }
}
