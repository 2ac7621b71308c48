/// The error of bytes that are not a JSON document (RFC 8259), or that exceed a limit of the decoder.
///
/// Its text contains no content of the document except the names in ``path``.
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a syntax error.
    public enum Kind: Sendable, Hashable {
        /// The bytes violate the grammar, or a string is not valid UTF-8.
        case malformed
        /// The document ends inside a value.
        case truncated
        /// Arrays and objects are nested deeper than the limit, such as ``JSONBodyDecoder/maxDepth``. The associated value is the limit.
        case tooDeep(limit: Int)
        /// The document has more values than the limit, such as ``JSONBodyDecoder/maxValues``. The associated value is the limit.
        case tooManyValues(limit: Int)
        /// The document has 4 GiB or more, which is not supported.
        case tooLarge
    }

    /// The kind of the error.
    public let kind: Kind
    /// The reason as text, such as `a comma or the end of the object was expected`.
    public let reason: String
    package let position: JSONPosition
    /// The number of valid bytes before the error.
    public var offset: Int { position.offset }
    /// The line of the error, starting at 1. A line ends with a line feed.
    public var line: Int { position.line }
    /// The column of the error in Unicode scalars, starting at 1.
    public var column: Int { position.column }
    /// The path from the root to the innermost value that contains the error, such as `$.items[3].name`.
    public let path: String

    /// The reason, the position and the path of the error.
    public var description: String {
        "\(reason), at \(position)" + (path == "$" ? "" : ", in \(path)")
    }
}

extension DecodingError {
    /// Returns the decoding error for data that is not valid JSON.
    static func invalidJSON(_ error: JSONSyntaxError, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: "The data is not valid JSON: \(error)", underlyingError: error))
    }
}

/// The cause and the offset of a failure. Creating it allocates no memory.
struct JSONFailure: Error {
    enum Cause {
        case value, literal, digit, key, colon, memberEnd, elementEnd, end
        case control, escape, hexadecimal, surrogate, encoding
        case truncated, tooDeep, tooManyValues, tooLarge
    }

    let cause: Cause
    let offset: Int

    var reason: String {
        switch cause {
        case .value: "a value was expected"
        case .literal: "the literal is not true, false or null"
        case .digit: "a digit was expected"
        case .key: "a name in quotes was expected"
        case .colon: "a colon was expected"
        case .memberEnd: "a comma or the end of the object was expected"
        case .elementEnd: "a comma or the end of the array was expected"
        case .end: "the document was expected to end"
        case .control: "a string contains an unescaped control character"
        case .escape: "the escape is unknown"
        case .hexadecimal: "four hexadecimal digits were expected"
        case .surrogate: "half of a surrogate pair is missing"
        case .encoding: "the bytes are not valid UTF-8"
        case .truncated: "the document ends too early"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .tooManyValues: "there are too many values"
        case .tooLarge: "the document is too large"
        }
    }

    /// Whether the failure is in a container but outside its values.
    var isAfterValue: Bool { cause == .key || cause == .memberEnd || cause == .elementEnd }

    func kind(_ limits: JSONLimits) -> JSONSyntaxError.Kind {
        switch cause {
        case .truncated: .truncated
        case .tooDeep: .tooDeep(limit: limits.maxDepth)
        case .tooManyValues: .tooManyValues(limit: limits.maxValues)
        case .tooLarge: .tooLarge
        default: .malformed
        }
    }
}

/// A position in the text of a JSON document.
package struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes before the position.
    package let offset: Int
    /// The line, starting at 1. A line ends with a line feed.
    package let line: Int
    /// The column in Unicode scalars, starting at 1.
    package let column: Int

    /// Creates a position.
    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static let start = JSONPosition(offset: 0, line: 1, column: 1)

    /// Computes the line and column of a byte. A byte order mark at the start has no column.
    init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let end = min(max(offset, 0), bytes.count)
        var line = 1, start = JSONIndexer.startsWithMark(bytes) ? min(3, end) : 0
        for place in 0..<end where bytes[place] == UInt8(ascii: "\n") {
            line += 1
            start = place + 1
        }
        var column = 1
        for place in start..<max(start, end) where bytes[place] & 0b1100_0000 != 0b1000_0000 { column += 1 }
        self.init(offset: offset, line: line, column: column)
    }

    /// The line, column and offset: `line 3, column 7 (byte 41)`.
    package var description: String { "line \(line), column \(column) (byte \(offset))" }
}
