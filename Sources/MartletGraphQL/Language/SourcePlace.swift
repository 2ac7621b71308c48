/// A position in the text of a document. JSON positions have the same type.
package typealias SourcePlace = JSONPosition

extension GraphQLSyntaxError {
    package init(_ message: String, at place: SourcePlace) {
        self.init(message: message, line: place.line, column: place.column)
    }
}
