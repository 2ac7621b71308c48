/// Reads JSON byte by byte, so that it can say where it stopped making sense.
struct JSONReader {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let depth: Int
    private var place = 0

    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    mutating func document() throws(JSONSyntaxError) -> JSONNode {
        if bytes.starts(with: JSONReader.byteOrderMark) { place = JSONReader.byteOrderMark.count }
        skipSpaces()
        let node = try value(within: 0)
        skipSpaces()
        if place < bytes.count { throw unexpected("nothing more") }
        return node
    }

    private mutating func value(within open: Int) throws(JSONSyntaxError) -> JSONNode {
        let start = place
        let kind: JSONNode.Kind
        guard let next else { throw unexpected("a value") }
        switch next {
        case UInt8(ascii: "{"): kind = .object(try members(within: open + 1))
        case UInt8(ascii: "["): kind = .array(try elements(within: open + 1))
        case UInt8(ascii: "\""):
            try skipString()
            kind = .string
        case UInt8(ascii: "t"): kind = .bool(try word("true", true))
        case UInt8(ascii: "f"): kind = .bool(try word("false", false))
        case UInt8(ascii: "n"): kind = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            kind = .number
        default: throw unexpected("a value")
        }
        return JSONNode(kind: kind, range: start..<place)
    }

    private mutating func members(within open: Int) throws(JSONSyntaxError) -> [(name: String, value: JSONNode)] {
        var members: [(name: String, value: JSONNode)] = []
        try enter(open)
        if skip("}") { return members }
        repeat {
            skipSpaces()
            guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
            let start = place
            try skipString()
            let name = JSONReader.string(bytes[start + 1..<place - 1])
            skipSpaces()
            guard skip(":") else { throw unexpected("a colon") }
            skipSpaces()
            members.append((name, try value(within: open)))
            skipSpaces()
        } while skip(",")
        guard skip("}") else { throw unexpected("a comma or the end of the object") }
        return members
    }

    private mutating func elements(within open: Int) throws(JSONSyntaxError) -> [JSONNode] {
        var elements: [JSONNode] = []
        try enter(open)
        if skip("]") { return elements }
        repeat {
            skipSpaces()
            elements.append(try value(within: open))
            skipSpaces()
        } while skip(",")
        guard skip("]") else { throw unexpected("a comma or the end of the array") }
        return elements
    }

    private mutating func enter(_ open: Int) throws(JSONSyntaxError) {
        guard open <= depth else { throw JSONSyntaxError(reason: "nested deeper than \(depth) levels", offset: place) }
        place += 1
        skipSpaces()
    }

    private mutating func word<Value>(_ word: String, _ value: Value) throws(JSONSyntaxError) -> Value {
        for byte in word.utf8 {
            guard next == byte else { throw unexpected(word) }
            place += 1
        }
        return value
    }

    private mutating func skipNumber() throws(JSONSyntaxError) {
        _ = skip("-")
        if !skip("0") { try skipDigits() }
        if skip(".") { try skipDigits() }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = place
        while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
        if place == start { throw unexpected("a digit") }
    }

    private mutating func skipString() throws(JSONSyntaxError) {
        let start = place
        var isASCII = true
        place += 1
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                place += 1
                return isASCII ? () : try checkText(start + 1..<place - 1)
            }
            if byte < 0x20 { throw JSONSyntaxError(reason: "a control character within a string", offset: place) }
            if byte == UInt8(ascii: "\\") {
                try skipEscape()
            } else {
                if byte >= 0x80 { isASCII = false }
                place += 1
            }
        }
        throw unexpected("the end of a string")
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        place += 1
        guard let escape = next else { throw unexpected("the end of an escape") }
        guard #""\/bfnrtu"#.utf8.contains(escape) else { throw unexpected("an escape of JSON") }
        place += 1
        guard escape == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = next, JSONReader.hex(digit) != nil else { throw unexpected("a hexadecimal digit") }
            place += 1
        }
    }

    private func checkText(_ range: Range<Int>) throws(JSONSyntaxError) {
        if String(validUTF8: bytes[range]) != nil { return }
        throw JSONSyntaxError(reason: "a string that is not UTF-8", offset: range.lowerBound - 1)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private func unexpected(_ wanted: String) -> JSONSyntaxError {
        guard let next else { return JSONSyntaxError(reason: "the text ends where \(wanted) was expected", offset: place) }
        let found = next > 0x20 && next < 0x7F ? "“\(Character(Unicode.Scalar(next)))”" : "the byte \(next)"
        return JSONSyntaxError(reason: "\(found) where \(wanted) was expected", offset: place)
    }

    // MARK: Strings

    /// The text of a string's content, which has been checked.
    static func string(_ content: ArraySlice<UInt8>) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var place = content.startIndex
        while place < content.endIndex {
            guard content[place] == UInt8(ascii: "\\") else {
                text.append(content[place])
                place += 1
                continue
            }
            let escape = content[place + 1]
            place += 2
            guard escape == UInt8(ascii: "u") else {
                text.append(plain(escape))
                continue
            }
            let unit = number(content[place..<place + 4])
            place += 4
            text += Character(scalar(unit, content, &place)).utf8
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The character of a `\u` escape, with the second half of a pair, which it then skips.
    private static func scalar(_ unit: UInt32, _ content: ArraySlice<UInt8>, _ place: inout Int) -> Unicode.Scalar {
        let rest = content[place...]
        if (0xD800..<0xDC00).contains(unit), rest.count >= 6, rest.starts(with: #"\u"#.utf8) {
            let low = number(rest.dropFirst(2).prefix(4))
            if (0xDC00..<0xE000).contains(low) {
                place += 6
                return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
            }
        }
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }

    private static func plain(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt32 { digits.reduce(0) { $0 << 4 | (hex($1) ?? 0) } }

    private static func hex(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit | 0x20) - 0x61 + 10
        default: nil
        }
    }
}
