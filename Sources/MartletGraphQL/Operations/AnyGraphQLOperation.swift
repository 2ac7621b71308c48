/// An operation without the type of its data, as clients send it and mocks record it.
public struct AnyGraphQLOperation: Sendable {
    /// The document that contains the operation, with its fragments.
    public private(set) var document: GraphQLDocument
    /// The name of the selected operation of the document, or nil for the only one.
    let chosenName: String?
    var input: OperationInput
    /// The kind that the operation's Swift type requires, or nil for any.
    let promisedKind: GraphQLOperationKind?

    /// The name under which the operation is sent, which is the selected one or that of the document's only operation, or nil.
    ///
    /// It is nil if that operation is anonymous, or if the document cannot be parsed.
    public var operationName: String? { chosenName ?? (try? document.operation(named: nil))?.name }

    /// The kind of the operation, or nil if the document cannot be parsed or does not determine the operation.
    public var kind: GraphQLOperationKind? { (try? document.operation(named: chosenName))?.kind }

    /// The variables by name. If they are properties of a value, they are shown as the JSON it encodes to.
    public var variables: [String: GraphQLVariable] { input.members }

    /// Returns the operation with a document that requests `__typename` in every selection.
    func withTypenames() -> Self {
        var operation = self
        operation.document = document.withTypenames()
        return operation
    }

    /// The value whose properties are the variables, such as a `GraphQLQuery`. Nil if the variables were given by name.
    package var variablesValue: (any Encodable & Sendable)? { input.base }

    /// Throws the errors that sending the operation as one of these kinds would throw before the request.
    package func check(for kinds: Set<GraphQLOperationKind>) throws(GraphQLError) {
        _ = try definition(of: kinds, for: "a call for a \(kinds.map(\.rawValue).sorted().joined(separator: " or a "))")
    }

    /// Returns the operation's definition in the document, which must be of one of these kinds.
    ///
    /// - Throws: `.invalidDocument`, or `.invalidOperation` for another kind.
    package func definition(
        of kinds: Set<GraphQLOperationKind>, for use: String
    ) throws(GraphQLError) -> OperationDefinition {
        let definition: OperationDefinition
        do throws(GraphQLSyntaxError) { definition = try document.operation(named: chosenName) } catch { throw .invalidDocument(error) }
        if let promisedKind, definition.kind != promisedKind {
            throw .invalidOperation(
                Explanation("\(self) is declared as a \(promisedKind.rawValue) in Swift, but its document says otherwise"))
        }
        guard kinds.contains(definition.kind) else {
            throw .invalidOperation(Explanation("\(self) cannot be sent by \(use)"))
        }
        return definition
    }
}

extension AnyGraphQLOperation {
    /// The name for logs and metrics: the kind, and the name if there is one.
    package var callName: String { [kind?.rawValue ?? "operation", operationName].compactMap(\.self).joined(separator: " ") }
}

extension AnyGraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name of the operation. Variables are left out because they may be secret.
    public var description: String { "\(kind?.rawValue ?? "operation") \(operationName ?? "without a name")" }
}
