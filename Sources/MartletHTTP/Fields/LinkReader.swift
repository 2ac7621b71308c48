/// Reads the value of a `Link` field (RFC 8288 §3, with the tolerance of its appendix B.2) in linear time.
struct LinkReader {
    struct Found {
        let target: String
        let parameters: [WebLink.Parameter]
    }

    // A quote without an end must not consume the links after it.
    private var reader: FieldReader

    init(_ text: some StringProtocol) { reader = FieldReader(text, openQuote: .isCharacter) }

    /// Returns the next well-formed link, or nil at the end.
    mutating func next() -> Found? {
        while !reader.isAtEnd {
            reader.skip { Token.isWhitespace($0) || $0 == FieldReader.comma }
            if reader.skip(UInt8(ascii: "<")) {
                if let target = target() { return Found(target: target, parameters: parameters()) }
            } else {
                reader.skipElement { $0 == FieldReader.comma }
            }
        }
        return nil
    }

    /// The text between the angle brackets. Nil if another one opens before it closes.
    private mutating func target() -> String? {
        let target = reader.text { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        return reader.skip(UInt8(ascii: ">")) ? target : nil
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var found: [WebLink.Parameter] = []
        while true {
            reader.skip(while: Token.isWhitespace)
            guard reader.skip(FieldReader.semicolon) else {
                // A malformed parameter makes the rest of the link malformed.
                reader.skipElement { $0 == FieldReader.comma }
                return found
            }
            if let parameter = parameter() { found.append(parameter) }
        }
    }

    /// Reads `name`, `name=token` or `name="quoted string"`. Nil for empty parameters (`;;`) and malformed ones.
    private mutating func parameter() -> WebLink.Parameter? {
        let isEnd = { (byte: UInt8) in byte == FieldReader.semicolon || byte == FieldReader.comma }
        let parameter = reader.parameter { name, reader in
            let value = reader.quoted { $0.text { !isEnd($0) } }
            return name.hasSuffix("*") ? value.flatMap(ExtendedValue.decode) : value
        }
        if let parameter, let value = parameter.value { return WebLink.Parameter(name: parameter.name, value: value) }
        guard !reader.skipElement(before: isEnd), let parameter else { return nil }
        return WebLink.Parameter(name: parameter.name, value: "")
    }
}
