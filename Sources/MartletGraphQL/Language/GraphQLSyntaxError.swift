/// Why a document can't be used, and where: it doesn't parse, or it breaks a rule that needs no schema to be checked.
///
/// Lines and columns count from 1. A column counts Unicode scalars; a line ends with CR, LF or both (GraphQL, September 2025, §2.1.2).
public struct GraphQLSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found instead, or which rule is broken.
    public let message: String
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int

    /// An error at a place of a document.
    public init(message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// As `3:14: expected a name, found "}"`.
    public var description: String { "\(line):\(column): \(message)" }
}
