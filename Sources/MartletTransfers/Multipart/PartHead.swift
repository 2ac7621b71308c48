/// Parses the header fields of a part.
enum PartHead {
    /// Returns the fields in lines that each end with CRLF, or nil if a line is not a field. A line that begins with white space continues
    /// the previous one (RFC 5322 §2.2.3).
    static func fields(_ bytes: ArraySlice<UInt8>) -> HTTPFields? {
        var fields = HTTPFields(), line: [UInt8] = [], rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let next = rest[..<end].dropLast()
            rest = rest[end...].dropFirst()
            if let first = next.first, Token.isWhitespace(first) {
                guard !line.isEmpty else { return nil }
                line.append(UInt8(ascii: " "))
                line.append(contentsOf: next.drop(while: Token.isWhitespace))
                continue
            }
            guard append(line, to: &fields) else { return nil }
            line = Array(next)
        }
        return append(line, to: &fields) && fields.firstInvalidLine == nil ? fields : nil
    }

    private static func append(_ line: [UInt8], to fields: inout HTTPFields) -> Bool {
        guard !line.isEmpty else { return true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        fields.append(nameBytes: line[..<colon], valueBytes: line[(colon + 1)...])
        return true
    }
}
