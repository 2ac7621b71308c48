/// Takes the value of a `Link` apart, byte by byte and never back (RFC 8288 §3, with the tolerance of its appendix B.2).
struct LinkReader {
    struct Found {
        let target: String
        let parameters: [WebLink.Parameter]
    }

    private let bytes: [UInt8]
    private var place = 0
    /// Whether a quote was met that nothing closes.
    private var hasOpenQuote = false

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The next link that can be read; nil at the end.
    mutating func next() -> Found? {
        while place < bytes.count {
            skip { Token.isWhitespace($0) || $0 == comma }
            guard place < bytes.count else { return nil }
            guard bytes[place] == UInt8(ascii: "<") else {
                skipElement()
                continue
            }
            if let target = target() { return Found(target: target, parameters: parameters()) }
        }
        return nil
    }

    /// What stands between the angle brackets; nil when there is no closing one before another opens.
    private mutating func target() -> String? {
        let start = place + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ">") else {
            // Not a byte is read twice: what follows begins with the bracket that should not be there, or is nothing.
            place = end
            return nil
        }
        place = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self).trimmingWhitespace.description
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var found: [WebLink.Parameter] = []
        while true {
            skip(Token.isWhitespace)
            guard place < bytes.count, bytes[place] != comma else { return found }
            guard bytes[place] == semicolon else {
                // Something that belongs to no parameter: what is left of the link is skipped.
                skipElement()
                return found
            }
            place += 1
            if let parameter = parameter() { found.append(parameter) }
        }
    }

    /// `name`, `name=token` or `name="quoted string"`; nil for what is none of these, and for an empty one (`;;`).
    private mutating func parameter() -> WebLink.Parameter? {
        skip(Token.isWhitespace)
        let name = text { $0 != equals && $0 != semicolon && $0 != comma }
        let isName = !name.isEmpty && name.utf8.allSatisfy(Token.contains)
        guard place < bytes.count, bytes[place] == equals else {
            return isName ? WebLink.Parameter(name: name.lowercased(), value: "") : nil
        }
        place += 1
        skip(Token.isWhitespace)
        let isQuoted = place < bytes.count && bytes[place] == quote
        var value = isQuoted ? quoted() : nil
        if value == nil {
            let rest = text { $0 != semicolon && $0 != comma }
            if !isQuoted { value = rest }
        }
        guard isName, let value else { return nil }
        guard name.hasSuffix("*") else { return WebLink.Parameter(name: name.lowercased(), value: value) }
        return ExtendedValue.decode(value).map { WebLink.Parameter(name: name.lowercased(), value: $0) }
    }

    // There is one of these in MediaType and in ContentDisposition too: they differ in what becomes of a string that is not closed, which
    // here must not take the links behind it along, and there ends the field.

    /// A quoted string, its escapes undone; nil, without going anywhere, when it is not closed.
    private mutating func quoted() -> String? {
        guard !hasOpenQuote else { return nil }
        var value: [UInt8] = []
        let start = place
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case quote:
                place += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\") where place + 1 < bytes.count:
                value.append(bytes[place + 1])
                place += 2
            case let byte:
                value.append(byte)
                place += 1
            }
        }
        // No other string is looked for after this, so that nothing is read more than twice.
        hasOpenQuote = true
        place = start
        return nil
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = place
        skip(isPart)
        return String(String(decoding: bytes[start..<place], as: UTF8.self).trimmingWhitespace)
    }

    /// Goes to the comma behind which the next link may begin; quoted strings are passed over.
    private mutating func skipElement() {
        while place < bytes.count, bytes[place] != comma {
            if bytes[place] != quote || quoted() == nil { place += 1 }
        }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
    }
}

private let comma = UInt8(ascii: ","), semicolon = UInt8(ascii: ";"), equals = UInt8(ascii: "="), quote = UInt8(ascii: "\"")
