/// One operation of a document with its variables, and the type of its data.
///
/// ```swift
/// let operation = GraphQLOperation<HeroData>("query Hero($id: ID!) { hero(id: $id) { name } }", variables: ["id": id])
/// let data = try await graphQL.execute(operation)
/// ```
///
/// The document is parsed once, when the operation is made; one that does not parse is ``GraphQLError/invalidDocument(_:)`` when it is
/// sent, with line and column. A struct per operation is written as a ``GraphQLQuery``, ``GraphQLMutation`` or ``GraphQLSubscription``.
public struct GraphQLOperation<Data: Decodable & Sendable>: Sendable {
    /// The operation without the type of its data.
    public let erased: AnyGraphQLOperation

    /// An operation with literal variables, or none.
    ///
    /// - Parameters:
    ///   - document: a literal, or a `GraphQLDocument` made of a text.
    ///   - operationName: which operation of the document is meant. Default: nil, the only one.
    ///   - variables: by name. A variable that is left out has its default; `nil` is `null`.
    public init(_ document: GraphQLDocument, operationName: String? = nil, variables: [String: GraphQLVariable] = [:]) {
        self.init(document, operationName, OperationInput(own: variables))
    }

    /// An operation with variables that are Swift values: texts, numbers, dates, IDs, input objects, anything `Encodable`; nil is `null`.
    ///
    /// A literal object or list of several types is no Swift value. With one among them all are ``GraphQLVariable``s, and Swift values are
    /// written `.init(value)`: `["id": .init(id), "filter": ["tags": .init(tags), "exact": true]]`.
    @_disfavoredOverload
    public init(_ document: GraphQLDocument, operationName: String? = nil, variables: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        let members = Dictionary(variables.map { ($0.key, GraphQLVariable($0.value)) }, uniquingKeysWith: { $1 })
        self.init(document, operationName, OperationInput(own: members))
    }

    /// An operation whose variables are the members of one value; a member that is not encoded is left out.
    public init(_ document: GraphQLDocument, operationName: String? = nil, variablesOf value: some Encodable & Sendable) {
        self.init(document, operationName, OperationInput(base: value))
    }

    init(_ document: GraphQLDocument, _ name: String?, _ input: OperationInput, promisedKind: GraphQLOperationKind? = nil) {
        erased = AnyGraphQLOperation(document: document, chosenName: name, input: input, promisedKind: promisedKind)
    }

    init(erased: AnyGraphQLOperation) { self.erased = erased }

    /// The document that is sent.
    public var document: GraphQLDocument { erased.document }

    /// The operation's name: as it was asked for, or that of the document's only operation; nil when that has none.
    public var operationName: String? { erased.operationName }

    /// What the operation does; nil when the document can't be parsed.
    public var kind: GraphQLOperationKind? { erased.kind }

    /// The variables by name. Those that are members of one value are shown as the JSON that is made of it.
    public var variables: [String: GraphQLVariable] { erased.variables }

    /// The same operation with another value for a variable: a literal, or `.init(value)` of a Swift value.
    public func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var operation = erased
        operation.input = operation.input.setting(name, to: value)
        return Self(erased: operation)
    }

    /// The same operation with another value for a variable: any Swift value that can be encoded; nil is `null`.
    @_disfavoredOverload
    public func setting(_ name: String, to value: (any Encodable & Sendable)?) -> Self { setting(name, to: GraphQLVariable(value)) }

    /// The same operation, with its data decoded as another type.
    public func decoding<NewData: Decodable & Sendable>(as type: NewData.Type) -> GraphQLOperation<NewData> {
        GraphQLOperation<NewData>(erased: erased)
    }
}

extension GraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name; nothing of the variables.
    public var description: String { erased.description }
}
