/// An operation without the type of its data: what doubles record and clients send.
public struct AnyGraphQLOperation: Sendable {
    /// The document that is sent.
    public private(set) var document: GraphQLDocument
    /// Which operation of the document is meant, as it was asked for; nil for the only one.
    let chosenName: String?
    var input: OperationInput
    /// What kind of operation the type that it was made of promises; nil for any.
    let promisedKind: GraphQLOperationKind?

    /// The operation's name: as it was asked for, or that of the document's only operation; nil when that has none.
    public var operationName: String? { chosenName ?? (try? document.operation(named: nil))?.name }

    /// What the operation does; nil when the document can't be parsed.
    public var kind: GraphQLOperationKind? { (try? document.operation(named: chosenName))?.kind }

    /// The variables by name. Those that are members of one value are shown as the JSON that is made of it.
    public var variables: [String: GraphQLVariable] { input.members }

    /// The operation with a document that asks for `__typename` everywhere.
    func withTypenames() -> Self {
        var operation = self
        operation.document = document.withTypenames()
        return operation
    }

    /// The value that the variables are the members of, such as a `GraphQLQuery`; nil when they are literals.
    package var variablesValue: (any Encodable & Sendable)? { input.base }

    /// Throws what sending it as an operation of one of these kinds would throw before the first byte.
    package func check(for kinds: Set<GraphQLOperationKind>) throws(GraphQLError) {
        _ = try definition(of: kinds, for: "a call for a \(kinds.map(\.rawValue).sorted().joined(separator: " or a "))")
    }

    /// The operation in the document, which is of one of these kinds.
    ///
    /// Throws `.invalidDocument`, and `.invalidOperation` for another kind.
    package func definition(
        of kinds: Set<GraphQLOperationKind>, for use: String
    ) throws(GraphQLError) -> OperationDefinition {
        let definition: OperationDefinition
        do throws(GraphQLSyntaxError) { definition = try document.operation(named: chosenName) } catch { throw .invalidDocument(error) }
        if let promisedKind, definition.kind != promisedKind {
            throw .invalidOperation(Explanation("\(self) was promised to be a \(promisedKind.rawValue)"))
        }
        guard kinds.contains(definition.kind) else {
            throw .invalidOperation(Explanation("\(self) can't be sent by \(use)"))
        }
        return definition
    }
}

extension AnyGraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name; nothing of the variables.
    public var description: String { "\(kind?.rawValue ?? "operation") \(operationName ?? "without a name")" }
}
