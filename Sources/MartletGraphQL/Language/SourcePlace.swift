/// Where something stands in a document.
package struct SourcePlace: Sendable, Hashable {
    /// In UTF-8 bytes, from 0.
    package let offset: Int
    /// From 1.
    package let line: Int
    /// In Unicode scalars, from 1.
    package let column: Int

    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The beginning of a document.
    package static let start = SourcePlace(offset: 0, line: 1, column: 1)
}

extension GraphQLSyntaxError {
    package init(_ message: String, at place: SourcePlace) {
        self.init(message: message, line: place.line, column: place.column)
    }
}
