/// A value of a JSON text and where it stands: what `JSONValue` forgets, and an error or a careful change of the text needs.
struct JSONNode {
    indirect enum Kind {
        case null
        case bool(Bool)
        case number
        case string
        case array([JSONNode])
        case object([(name: String, value: JSONNode)])
    }

    let kind: Kind
    /// Which bytes of the text it takes, quotes and brackets included.
    let range: Range<Int>

    /// What it is, for reports.
    var name: String {
        switch kind {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A place in a text where JSON ends to be JSON.
struct JSONSyntaxError: Error {
    let reason: String
    let offset: Int
}

/// A JSON text (RFC 8259) with its value.
struct JSONDocument {
    let bytes: [UInt8]
    let root: JSONNode

    /// Reads a text in UTF-8, with or without a byte order mark. Strict, but for what JSON leaves open: of two members with one name the
    /// last one counts, and half a surrogate pair becomes a replacement character.
    ///
    /// - Parameter depth: how deep arrays and objects may be nested.
    init(_ bytes: [UInt8], depth: Int = 200) throws(JSONSyntaxError) {
        var reader = JSONReader(bytes, depth: depth)
        self.bytes = bytes
        root = try reader.document()
    }

    /// The text of a string.
    func text(_ node: JSONNode) -> String { JSONReader.string(bytes[node.range.dropFirst().dropLast()]) }

    /// A number as it is written.
    func number(_ node: JSONNode) -> String { String(decoding: bytes[node.range], as: UTF8.self) }

    /// Line and column of a byte, counted from 1; a column is a character of Unicode's code points.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var start = bytes.starts(with: JSONReader.byteOrderMark) ? JSONReader.byteOrderMark.count : 0
        for place in 0..<min(offset, bytes.count) where bytes[place] == UInt8(ascii: "\n") {
            line += 1
            start = place + 1
        }
        let column = bytes[min(start, bytes.count)..<max(min(offset, bytes.count), min(start, bytes.count))]
            .reduce(1) { $1 & 0b1100_0000 == 0b1000_0000 ? $0 : $0 + 1 }
        return (line, column)
    }
}
