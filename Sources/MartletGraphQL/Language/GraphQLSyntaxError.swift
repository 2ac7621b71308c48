/// An error in a document, with its position, which is a syntax error or the violation of a rule that needs no schema.
///
/// Lines and columns start at 1. A column counts Unicode scalars. A line ends with CR, LF or CR LF (GraphQL, September 2025, §2.1.2).
public struct GraphQLSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found, or which rule is violated.
    public let message: String
    /// The line, starting at 1.
    public let line: Int
    /// The column in Unicode scalars, starting at 1.
    public let column: Int

    /// Creates an error at a position of a document.
    public init(message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// The position and the message, such as `3:14: expected a name, found "}"`.
    public var description: String { "\(line):\(column): \(message)" }
}
