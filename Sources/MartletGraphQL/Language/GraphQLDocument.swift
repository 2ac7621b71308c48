internal import MartletEssentials
internal import MartletSystem

/// A GraphQL document, with one or several operations and the fragments that they spread, which is parsed once.
///
/// ```swift
/// let hero: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { level \(personFragment) } }"   // personFragment is a GraphQLFragment
/// ```
///
/// A literal never traps. A document keeps its `GraphQLSyntaxError`, with line and column in `text`, until it is used. Besides syntax
/// errors, these are errors: undefined fragments and variables, names defined twice, and fragments that form a cycle. Copies share the
/// parsed document.
public struct GraphQLDocument: Sendable, Hashable, CustomStringConvertible {
    private let content: DocumentContent

    /// Creates a document from its text, which is parsed but never traps; a mistake is thrown when the document is used.
    ///
    /// - Parameters:
    ///   - text: The text with at least one operation.
    ///   - fragments: The fragments that `text` spreads but does not define. Default: none.
    public init(_ text: String, fragments: [GraphQLFragment] = []) {
        content = DocumentContent(text, parts: FragmentPart.distinct(fragments.flatMap(\.parts)))
    }

    private init(_ content: DocumentContent) { self.content = content }

    /// The complete text of the document, followed by each fragment and the fragments that it spreads, once, in the given order. A client
    /// with a document cache sends it with `__typename` added, and a client with persisted queries may send a hash or an ID instead.
    public var text: String { content.text }

    /// The complete text of the document, with its fragments.
    public var description: String { text }

    package var parsed: Result<ExecutableDocument, GraphQLSyntaxError> { content.parsed }

    /// Returns whether the complete texts are equal byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.content === right.content || left.text.hasSameBytes(as: right.text)
    }

    /// Hashes the complete text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension GraphQLDocument: ExpressibleByStringInterpolation {
    /// Creates a document from a literal without interpolated fragments.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a document that spreads each interpolated fragment.
    public init(stringInterpolation: GraphQLInterpolation) {
        self.init(stringInterpolation.text, fragments: stringInterpolation.fragments)
    }
}

extension GraphQLDocument {
    /// Returns the operation with a name, or for nil the only operation.
    ///
    /// - Throws: The syntax error of the document, or an error that lists the operations it has.
    func operation(named name: String?) throws(GraphQLSyntaxError) -> OperationDefinition {
        let operations = try parsed.get().operations
        guard let first = operations.first else { throw GraphQLSyntaxError("the document has no operation", at: .start) }
        if name == nil, operations.count == 1 { return first }
        if let name, let found = operations.first(where: { $0.name == name }) { return found }
        let names = operations.compactMap(\.name).joined(separator: ", ")
        guard let name else {
            throw GraphQLSyntaxError("the document has \(operations.count) operations: name one of \(names)", at: operations[1].place)
        }
        let has = first.name == nil ? "its only operation has no name" : "it has \(names)"
        throw GraphQLSyntaxError("the document has no operation \"\(name)\": \(has)", at: first.place)
    }

    /// Whether the response may arrive in parts, because the document contains `@defer` or `@stream`. False if it cannot be parsed.
    var usesIncrementalDelivery: Bool { content.usesIncrementalDelivery }

    /// The text as a JSON string.
    var json: [UInt8] { content.json }

    /// Returns the document with `__typename` in each selection set, so that responses name their types.
    ///
    /// It is not repeated where it exists. It is not added at the root of operations, including fragments spread there, because a
    /// subscription may have only one root field (GraphQL, September 2025, §5.2.4.1). A document that cannot be parsed is returned
    /// unchanged.
    func withTypenames() -> GraphQLDocument { GraphQLDocument(content.withTypenames()) }
}

/// The content shared by copies of a document.
final class DocumentContent: Sendable {
    let text: String
    let parsed: Result<ExecutableDocument, GraphQLSyntaxError>
    let usesIncrementalDelivery: Bool
    /// The text as a JSON string, written once.
    let json: [UInt8]
    private let typed = Locked<DocumentContent?>(nil)

    init(_ text: String, parts: [FragmentPart]) {
        let composition = DocumentComposition(text, parts)
        self.text = composition.text
        parsed = composition.parsed
        usesIncrementalDelivery = (try? parsed.get())?.usesIncrementalDelivery ?? false
        json = DocumentContent.json(self.text)
    }

    private init(typed text: String) {
        self.text = text
        // Insertion adds tokens, and the original was within the limit.
        parsed = Result { () throws(GraphQLSyntaxError) in
            try ExecutableDocument.parse(text, limits: SyntaxLimits(tokens: .max))
        }
        usesIncrementalDelivery = (try? parsed.get())?.usesIncrementalDelivery ?? false
        json = DocumentContent.json(text)
    }

    private static func json(_ text: String) -> [UInt8] { Array(JSONValue.string(text).description.utf8) }

    func withTypenames() -> DocumentContent {
        if let made = typed.withLock({ $0 }) { return made }
        guard let document = try? parsed.get() else { return self }
        let offsets = TypenameInsertion.offsets(in: document)
        // Storing `self` would create a reference cycle.
        if offsets.isEmpty { return self }
        let made = DocumentContent(typed: TypenameInsertion.text(text, inserting: offsets))
        return typed.withLock { held in
            let first = held ?? made
            held = first
            return first
        }
    }
}

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

/// A position in the text of a document. JSON positions have the same type.
package typealias SourcePlace = JSONPosition

extension GraphQLSyntaxError {
    package init(_ message: String, at place: SourcePlace) {
        self.init(message: message, line: place.line, column: place.column)
    }
}
