/// The mistakes of a schema, all of them: syntax errors of SDL, malformed members of an introspection response, and violations of the
/// rules for type systems (GraphQL, September 2025, §3).
public struct GraphQLSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A mistake of a schema, with its position if the schema was read from SDL.
    public struct Mistake: Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found, or which rule is violated.
        public let message: String
        /// The name of the file, or nil if it has none.
        public let file: String?
        /// The line, starting at 1. Nil for an introspection response.
        public let line: Int?
        /// The column in Unicode scalars, starting at 1. Nil for an introspection response.
        public let column: Int?

        init(_ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
            self.message = message
            self.file = file
            self.line = line
            self.column = column
        }

        /// The file, the position and the message, such as `schema.graphqls:3:14: the type "Her" is not defined`.
        public var description: String {
            let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
            return (place + [" " + message]).joined(separator: ":").trimmingPrefix(" ").description
        }
    }

    /// The mistakes, in the order of the files and positions. There is at least one.
    public let mistakes: [Mistake]

    /// The mistakes, one in each line.
    public var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
