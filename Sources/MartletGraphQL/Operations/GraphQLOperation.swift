/// One operation of a document with its variables and the type of its data.
///
/// ```swift
/// let operation = GraphQLOperation<HeroQuery.Data>("query Hero($id: ID!) { hero(id: $id) { name } }", variables: ["id": id])
/// let data = try await graphQL.execute(operation)
/// ```
///
/// The document is parsed once, when the operation is created. A document that does not parse throws ``GraphQLError/invalidDocument(_:)``
/// with line and column when it is sent. To define an operation as a type, write a ``GraphQLQuery``, ``GraphQLMutation`` or
/// ``GraphQLSubscription``.
public struct GraphQLOperation<Data: Decodable & Sendable>: Sendable {
    /// The operation without the type of its data.
    public let erased: AnyGraphQLOperation

    /// Creates an operation with literal variables, or without variables.
    ///
    /// - Parameters:
    ///   - document: A string literal, or a `GraphQLDocument` made from a string.
    ///   - operationName: The name of the operation to run. Default: nil, the document's only operation.
    ///   - variables: The variables by name. A variable that is left out has its default value; `nil` is sent as `null`.
    public init(_ document: GraphQLDocument, operationName: String? = nil, variables: [String: GraphQLVariable] = [:]) {
        self.init(document, operationName, OperationInput(own: variables))
    }

    /// Creates an operation whose variables are Swift values: strings, numbers, dates, IDs, input objects, anything `Encodable`. Nil is
    /// sent as `null`.
    ///
    /// A literal object or list with elements of several types is not a Swift value. If one of the variables is such a literal, write each
    /// Swift value as `.init(value)`: `["id": .init(id), "filter": ["tags": .init(tags), "exact": true]]`.
    @_disfavoredOverload
    public init(_ document: GraphQLDocument, operationName: String? = nil, variables: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        let members = Dictionary(variables.map { ($0.key, GraphQLVariable($0.value)) }, uniquingKeysWith: { $1 })
        self.init(document, operationName, OperationInput(own: members))
    }

    /// Creates an operation whose variables are the encoded properties of a value. A property that is not encoded is left out.
    public init(_ document: GraphQLDocument, operationName: String? = nil, variablesOf value: some Encodable & Sendable) {
        self.init(document, operationName, OperationInput(base: value))
    }

    init(_ document: GraphQLDocument, _ name: String?, _ input: OperationInput, promisedKind: GraphQLOperationKind? = nil) {
        erased = AnyGraphQLOperation(document: document, chosenName: name, input: input, promisedKind: promisedKind)
    }

    init(erased: AnyGraphQLOperation) { self.erased = erased }

    /// The document that is sent.
    public var document: GraphQLDocument { erased.document }

    /// The name of the operation: the selected one, or that of the document's only operation. Nil if it has no name.
    public var operationName: String? { erased.operationName }

    /// The kind of the operation: query, mutation or subscription. Nil if the document cannot be parsed.
    public var kind: GraphQLOperationKind? { erased.kind }

    /// The variables by name. If they are properties of a value, they are shown as the JSON it encodes to.
    public var variables: [String: GraphQLVariable] { erased.variables }

    /// Returns the operation with one variable changed, to a literal or to a Swift value written as `.init(value)`.
    public func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var operation = erased
        operation.input = operation.input.setting(name, to: value)
        return Self(erased: operation)
    }

    /// Returns the operation with one variable changed to any encodable Swift value. Nil is sent as `null`.
    @_disfavoredOverload
    public func setting(_ name: String, to value: (any Encodable & Sendable)?) -> Self { setting(name, to: GraphQLVariable(value)) }

    /// Returns the operation with another type for its data.
    public func decoding<NewData: Decodable & Sendable>(as type: NewData.Type) -> GraphQLOperation<NewData> {
        GraphQLOperation<NewData>(erased: erased)
    }
}

extension GraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name of the operation. Variables are left out because they may be secret.
    public var description: String { erased.description }
}
