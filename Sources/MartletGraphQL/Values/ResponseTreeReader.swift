internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads JSON (RFC 8259) into a tree, in one pass, as deep as its limit allows.
struct ResponseTreeReader {
    private let bytes: [UInt8]
    private let limits: ResponseTreeLimits
    private var place = 0
    private var count = 0

    init(_ json: Data, limits: ResponseTreeLimits) {
        bytes = Array(json)
        self.limits = limits
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// The one value of the document.
    mutating func document() throws(ResponseTreeError) -> ResponseTree {
        skipWhitespace()
        let tree = try value()
        skipWhitespace()
        guard place == bytes.count else { throw error("something follows the value") }
        return tree
    }

    // MARK: Values

    /// An array or an object that is not closed yet.
    private struct Open {
        let isObject: Bool
        var elements: [ResponseTree] = []
        var members: [String: ResponseTree] = [:]
        /// Of the member whose value is read.
        var name = ""

        mutating func add(_ tree: ResponseTree) { if isObject { members[name] = tree } else { elements.append(tree) } }

        var tree: ResponseTree { isObject ? .object(members) : .list(elements) }
    }

    /// Without recursion, so that a document may be deep on a small stack.
    private mutating func value() throws(ResponseTreeError) -> ResponseTree {
        var open: [Open] = []
        while true {
            skipWhitespace()
            guard var tree = try begin(&open) else { continue }
            while true {
                guard !open.isEmpty else { return tree }
                open[open.count - 1].add(tree)
                guard try ends(&open[open.count - 1]) else { break }
                tree = open.removeLast().tree
            }
        }
    }

    /// Reads a value that is in one piece; opens one that is not, and gives nil.
    private mutating func begin(_ open: inout [Open]) throws(ResponseTreeError) -> ResponseTree? {
        count += 1
        guard count <= limits.values else { throw error("there are more than \(limits.values) values") }
        guard let first = peek else { throw error("a value is missing") }
        let isObject = first == UInt8(ascii: "{")
        guard isObject || first == UInt8(ascii: "[") else { return try single(first) }
        guard open.count < limits.depth else { throw error("there are more than \(limits.depth) levels") }
        place += 1
        skipWhitespace()
        if skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return isObject ? .object([:]) : .list([]) }
        open.append(Open(isObject: isObject))
        if isObject { open[open.count - 1].name = try name() }
        return nil
    }

    /// Reads what follows a value: true for the end of what it is in, false when there is another.
    private mutating func ends(_ open: inout Open) throws(ResponseTreeError) -> Bool {
        skipWhitespace()
        if skip(open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return true }
        guard skip(UInt8(ascii: ",")) else { throw error(open.isObject ? "an object is not closed" : "an array is not closed") }
        skipWhitespace()
        if open.isObject { open.name = try name() }
        return false
    }

    private mutating func name() throws(ResponseTreeError) -> String {
        guard peek == UInt8(ascii: "\"") else { throw error("a member's name is missing") }
        let name = try string()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw error("a colon is missing") }
        return name
    }

    private mutating func single(_ first: UInt8) throws(ResponseTreeError) -> ResponseTree {
        switch first {
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number(try number())
        default: throw error("there is no value that begins so")
        }
    }

    private mutating func word(_ word: StaticString, _ tree: ResponseTree) throws(ResponseTreeError) -> ResponseTree {
        for index in 0..<word.utf8CodeUnitCount {
            guard skip(word.utf8Start[index]) else { throw error("there is no value that begins so") }
        }
        return tree
    }

    private mutating func number() throws(ResponseTreeError) -> String {
        let start = place
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func digits() throws(ResponseTreeError) {
        let start = place
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        if place == start { throw error("a digit is missing") }
    }

    // MARK: Texts

    private mutating func string() throws(ResponseTreeError) -> String {
        place += 1
        let start = place
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
        if peek == UInt8(ascii: "\"") {
            defer { place += 1 }
            return try text(bytes[start..<place])
        }
        return try escapedString(Array(bytes[start..<place]))
    }

    /// The rest of a text that has escapes, whose beginning is read.
    private mutating func escapedString(_ beginning: [UInt8]) throws(ResponseTreeError) -> String {
        var content = beginning
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return try text(content[...])
            case UInt8(ascii: "\\"):
                place += 1
                try escape(into: &content)
            case 0..<0x20: throw error("a control character is in a text")
            default:
                content.append(byte)
                place += 1
            }
        }
        throw error("a text is not closed")
    }

    private mutating func escape(into content: inout [UInt8]) throws(ResponseTreeError) {
        guard let byte = peek else { throw error("a text is not closed") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: try scalar().utf8Bytes)
        default: throw error("there is no such escape")
        }
    }

    /// The scalar of `\uXXXX`, or of two that are a surrogate pair.
    private mutating func scalar() throws(ResponseTreeError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        if UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let second = try hexadecimal()
            if UTF16.isTrailSurrogate(second) {
                let value = 0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                if let scalar = Unicode.Scalar(value) { return scalar }
            }
        }
        throw error("half of a surrogate pair is missing")
    }

    private mutating func hexadecimal() throws(ResponseTreeError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("a hexadecimal digit is missing")
            }
            value = value << 4 | UInt16(digit)
            place += 1
        }
        return value
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(ResponseTreeError) -> String {
        guard let text = String(validUTF8: bytes) else { throw error("a text is not UTF-8") }
        return text
    }

    // MARK: Bytes

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private func error(_ reason: String) -> ResponseTreeError { ResponseTreeError(reason: reason, offset: place) }
}

extension Unicode.Scalar {
    fileprivate var utf8Bytes: UTF8.EncodedScalar { UTF8.encode(self) ?? UTF8.encodedReplacementCharacter }
}

/// Writes trees as JSON.
struct ResponseTreeWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ tree: ResponseTree) {
        switch tree {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): write(text)
        case .list(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
