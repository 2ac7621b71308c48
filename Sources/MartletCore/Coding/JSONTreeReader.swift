#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What JSON is read into.
package protocol JSONTree {
    /// `null`
    static var null: Self { get }
    /// `true` or `false`
    static func bool(_ value: Bool) -> Self
    /// A text.
    static func string(_ text: String) -> Self
    /// An array.
    static func array(_ elements: [Self]) -> Self
    /// An object.
    static func object(_ members: [String: Self]) -> Self
    /// A number, as it is written; nil for one that can't be kept.
    static func number(written: String) -> Self?
}

/// Why bytes are no tree: they are no JSON, or pass a limit.
package struct JSONReadingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong, without anything of the content.
    package let reason: String
    /// After how many bytes.
    package let offset: Int
    /// The limit on values, if it was exceeded; nil for any other failure.
    package var valueLimit: Int?

    /// What was wrong and where.
    package var description: String { "\(reason), at byte \(offset)" }

    package init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Reads JSON (RFC 8259) in UTF-8 into a tree, in one pass, as deep as its limit allows.
///
/// `JSONDecoder` does not say what comes: a type that takes anything has to try, and each failure costs the square of its depth. Of a name
/// that comes twice it is the first value that counts, as for `JSONDecoder`.
package struct JSONTreeReader<Tree: JSONTree> {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private let valueLimit: Int
    private var place = 0
    private var count = 0

    /// A reader of a document.
    ///
    /// - Parameters:
    ///   - json: the document, with or without a byte order mark.
    ///   - depth: how deep arrays and objects may be in each other.
    ///   - values: how many values there may be in all.
    package init(_ json: Data, depth: Int, values: Int) {
        bytes = Array(json)
        depthLimit = depth
        valueLimit = values
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// The one value of the document.
    package mutating func document() throws(JSONReadingError) -> Tree {
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
        var elements: [Tree] = []
        var members: [String: Tree] = [:]
        /// Of the member whose value is read.
        var name = ""

        mutating func add(_ tree: Tree) {
            guard isObject else { return elements.append(tree) }
            if let first = members.updateValue(tree, forKey: name) { members[name] = first }
        }

        var tree: Tree { isObject ? .object(members) : .array(elements) }
    }

    /// Without recursion, so that a document may be deep on a small stack.
    private mutating func value() throws(JSONReadingError) -> Tree {
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
    private mutating func begin(_ open: inout [Open]) throws(JSONReadingError) -> Tree? {
        count += 1
        guard count <= valueLimit else {
            var error = error("there are more than \(valueLimit) values")
            error.valueLimit = valueLimit
            throw error
        }
        guard let first = peek else { throw error("a value is missing") }
        let isObject = first == UInt8(ascii: "{")
        guard isObject || first == UInt8(ascii: "[") else { return try single(first) }
        guard open.count < depthLimit else { throw error("there are more than \(depthLimit) levels") }
        place += 1
        skipWhitespace()
        if skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return isObject ? .object([:]) : .array([]) }
        open.append(Open(isObject: isObject))
        if isObject { open[open.count - 1].name = try name() }
        return nil
    }

    /// Reads what follows a value: true for the end of what it is in, false when there is another.
    private mutating func ends(_ open: inout Open) throws(JSONReadingError) -> Bool {
        skipWhitespace()
        if skip(open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return true }
        guard skip(UInt8(ascii: ",")) else { throw error(open.isObject ? "an object is not closed" : "an array is not closed") }
        skipWhitespace()
        if open.isObject { open.name = try name() }
        return false
    }

    private mutating func name() throws(JSONReadingError) -> String {
        guard peek == UInt8(ascii: "\"") else { throw error("a member's name is missing") }
        let name = try string()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw error("a colon is missing") }
        return name
    }

    private mutating func single(_ first: UInt8) throws(JSONReadingError) -> Tree {
        switch first {
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw error("there is no value that begins so")
        }
    }

    private mutating func word(_ word: StaticString, _ tree: Tree) throws(JSONReadingError) -> Tree {
        for index in 0..<word.utf8CodeUnitCount {
            guard skip(word.utf8Start[index]) else { throw error("there is no value that begins so") }
        }
        return tree
    }

    private mutating func number() throws(JSONReadingError) -> Tree {
        let start = place
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        guard let tree = Tree.number(written: String(decoding: bytes[start..<place], as: UTF8.self)) else {
            throw error("a number is too large")
        }
        return tree
    }

    private mutating func digits() throws(JSONReadingError) {
        let start = place
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        if place == start { throw error("a digit is missing") }
    }

    // MARK: Texts

    private mutating func string() throws(JSONReadingError) -> String {
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
    private mutating func escapedString(_ beginning: [UInt8]) throws(JSONReadingError) -> String {
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

    private mutating func escape(into content: inout [UInt8]) throws(JSONReadingError) {
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
    private mutating func scalar() throws(JSONReadingError) -> Unicode.Scalar {
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

    private mutating func hexadecimal() throws(JSONReadingError) -> UInt16 {
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

    private func text(_ bytes: ArraySlice<UInt8>) throws(JSONReadingError) -> String {
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

    private func error(_ reason: String) -> JSONReadingError { JSONReadingError(reason: reason, offset: place) }
}

extension Unicode.Scalar {
    fileprivate var utf8Bytes: UTF8.EncodedScalar { UTF8.encode(self) ?? UTF8.encodedReplacementCharacter }
}
