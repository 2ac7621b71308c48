internal import MartletSystem

/// The text of one operation or several, with the fragments that they spread, parsed once.
///
/// ```swift
/// let hero: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { level \(person) } }"   // person is a GraphQLFragment
/// ```
///
/// A literal never traps: a document that can't be parsed, or that breaks a rule for which no schema is needed (a fragment or a
/// variable that is not defined, a name that is given twice, fragments that spread each other without end), keeps its
/// `GraphQLSyntaxError`, with line and column in `text`, until it is used. It costs nothing to copy.
public struct GraphQLDocument: Sendable, Hashable, CustomStringConvertible {
    private let content: DocumentContent

    /// A document, and the fragments that it spreads and that are not in `text`.
    public init(_ text: String, fragments: [GraphQLFragment] = []) {
        content = DocumentContent(text, parts: FragmentPart.distinct(fragments.flatMap(\.parts)))
    }

    private init(_ content: DocumentContent) { self.content = content }

    /// What is sent: the document, then each fragment that it was given, and theirs, once, in the order in which they were given.
    public var text: String { content.text }

    /// What is sent.
    public var description: String { text }

    package var parsed: Result<ExecutableDocument, GraphQLSyntaxError> { content.parsed }

    /// Whether the texts are the same, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.content === right.content || left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension GraphQLDocument: ExpressibleByStringInterpolation {
    /// A document that is given no fragments.
    public init(stringLiteral value: String) { self.init(value) }

    /// A document that spreads each interpolated fragment.
    public init(stringInterpolation: GraphQLInterpolation) {
        self.init(stringInterpolation.text, fragments: stringInterpolation.fragments)
    }
}

extension GraphQLDocument {
    /// The operation of that name; for nil, the only one there is.
    ///
    /// - Throws: Why the document can't be parsed, or which names there are.
    package func operation(named name: String?) throws(GraphQLSyntaxError) -> OperationDefinition {
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

    /// Whether an answer may come in parts: `@defer` or `@stream` is written somewhere. False when it can't be parsed.
    package var usesIncrementalDelivery: Bool { content.usesIncrementalDelivery }

    /// The document with `__typename` in each selection set, so that answers say of which types they are.
    ///
    /// It is left out where it stands already, and at the root of operations, fragments that are spread there included: a
    /// subscription may have one field only (GraphQL, September 2025, §5.2.4.1). A document that can't be parsed is given back as it is.
    package func withTypenames() -> GraphQLDocument { GraphQLDocument(content.withTypenames()) }
}

/// What copies of a document share.
final class DocumentContent: Sendable {
    let text: String
    let parsed: Result<ExecutableDocument, GraphQLSyntaxError>
    let usesIncrementalDelivery: Bool
    private let typed = Locked<DocumentContent?>(nil)

    init(_ text: String, parts: [FragmentPart]) {
        let composition = DocumentComposition(text, parts)
        self.text = composition.text
        parsed = composition.parsed
        usesIncrementalDelivery = (try? parsed.get())?.usesIncrementalDelivery ?? false
    }

    private init(typed text: String) {
        self.text = text
        // It has more tokens than what it was made of, and that was not too long.
        parsed = Result { () throws(GraphQLSyntaxError) in
            try ExecutableDocument.parse(text, limits: SyntaxLimits(tokens: .max))
        }
        usesIncrementalDelivery = (try? parsed.get())?.usesIncrementalDelivery ?? false
    }

    func withTypenames() -> DocumentContent {
        if let made = typed.withLock({ $0 }) { return made }
        guard let document = try? parsed.get() else { return self }
        let offsets = TypenameInsertion.offsets(in: document)
        // It must not hold itself.
        if offsets.isEmpty { return self }
        let made = DocumentContent(typed: TypenameInsertion.text(text, inserting: offsets))
        return typed.withLock { held in
            let first = held ?? made
            held = first
            return first
        }
    }
}
