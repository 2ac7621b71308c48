/// The reason why the elements of a streamed JSON array cannot be read, and the place in the stream.
package struct JSONElementError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Kind: Sendable, Equatable {
        /// The document violates the grammar of RFC 8259.
        case syntax(SyntaxReason)
        /// The stream ended before the document did.
        case truncated
        /// An object on the path ended without the next member. The names lead from the root to the missing member.
        case pathMissing([String])
        /// The value at the end of the path is not an array.
        case notAnArray(path: [String], found: FoundKind)
        /// A value before the end of the path is not an object.
        case notAnObject(path: [String], found: FoundKind)
        /// An element has more bytes than the limit.
        case elementTooLarge(limit: Int)
        /// Arrays and objects are nested more deeply than the limit.
        case tooDeep(limit: Int)
    }

    /// The kind of a JSON value.
    package enum FoundKind: String, Sendable {
        case object = "an object"
        case array = "an array"
        case string = "a string"
        case number = "a number"
        case boolean = "a Boolean value"
        case null = "null"

        /// Returns the kind of the value that starts with a byte.
        init(firstByte: UInt8) {
            switch firstByte {
            case UInt8(ascii: "{"): self = .object
            case UInt8(ascii: "["): self = .array
            case UInt8(ascii: "\""): self = .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
            case UInt8(ascii: "n"): self = .null
            default: self = .number
            }
        }
    }

    /// The ways in which a document violates the grammar. The raw value is a description.
    package enum SyntaxReason: String, Sendable {
        case valueExpected = "expected a value"
        case nameExpected = "expected a member name"
        case colonExpected = "expected a colon after the member name"
        case elementSeparatorExpected = "expected a comma or the end of the array"
        case memberSeparatorExpected = "expected a comma or the end of the object"
        case trailingBytes = "unexpected bytes after the document"
        case invalidLiteral = "expected true, false or null"
        case invalidNumber = "malformed number"
        case leadingZero = "number with a leading zero"
        case controlCharacter = "unescaped control character in a string"
        case invalidEscape = "malformed escape in a string"
        case unpairedSurrogate = "unpaired surrogate in a string"
        case invalidUTF8 = "malformed UTF-8 in a string"
    }

    package let kind: Kind
    /// The place of the failure: the first byte that is not allowed, the first byte of a malformed escape, of an element that is too large
    /// or of a value of the wrong kind, the closing bracket of an object without the member, or the end of a truncated stream.
    let position: JSONPosition

    init(_ kind: Kind, at position: JSONPosition) {
        self.kind = kind
        self.position = position
    }

    /// The failure and its place as text, without any content of the document.
    package var description: String { "\(failure) at \(position)" }

    private var failure: String {
        switch kind {
        case .syntax(let reason): "invalid JSON: \(reason.rawValue)"
        case .truncated: "truncated JSON: the document ends too early"
        case .pathMissing(let path): "no member at \(Self.text(of: path))"
        case .notAnArray(let path, let found): "expected an array at \(Self.text(of: path)), found \(found.rawValue)"
        case .notAnObject(let path, let found): "expected an object at \(Self.text(of: path)), found \(found.rawValue)"
        case .elementTooLarge(let limit): "element of more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) nested arrays and objects"
        }
    }

    private static func text(of path: [String]) -> String {
        path.isEmpty ? "the root" : "\"\(path.joined(separator: "."))\""
    }
}
