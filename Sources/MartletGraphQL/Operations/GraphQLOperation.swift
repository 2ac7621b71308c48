internal import MartletEssentials

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

    /// Creates an operation whose variables are any `Encodable` Swift values, such as numbers, dates, IDs and input objects. Nil is sent as
    /// `null`.
    ///
    /// A literal object or list with elements of several types is not a Swift value. If one of the variables is such a literal, write each
    /// Swift value as `.init(value)`: `["id": .init(id), "filter": ["tags": .init(tags), "exact": true]]`.
    @_disfavoredOverload
    public init(_ document: GraphQLDocument, operationName: String? = nil, variables: KeyValuePairs<String, (any Encodable & Sendable)?>) {
        let members = Dictionary(variables.map { ($0.key, GraphQLVariable($0.value)) }, uniquingKeysWith: { $1 })
        self.init(document, operationName, OperationInput(own: members))
    }

    /// Creates an operation whose variables are the encoded properties of a value, by their names. A property that is not encoded is left
    /// out.
    public init(_ document: GraphQLDocument, operationName: String? = nil, variablesOf value: some Encodable & Sendable) {
        self.init(document, operationName, OperationInput(base: value))
    }

    init(_ document: GraphQLDocument, _ name: String?, _ input: OperationInput, promisedKind: GraphQLOperationKind? = nil) {
        erased = AnyGraphQLOperation(document: document, chosenName: name, input: input, promisedKind: promisedKind)
    }

    init(erased: AnyGraphQLOperation) { self.erased = erased }

    /// The document that contains the operation, with its fragments.
    public var document: GraphQLDocument { erased.document }

    /// The name of the operation, which is the selected one or that of the document's only operation, or nil if it has no name.
    public var operationName: String? { erased.operationName }

    /// The kind of the operation, or nil if the document cannot be parsed.
    public var kind: GraphQLOperationKind? { erased.kind }

    /// The variables by name. If they are properties of a value, they are shown as the JSON it encodes to.
    public var variables: [String: GraphQLVariable] { erased.variables }

    /// Returns a copy of the operation with one variable set to a literal, or to a Swift value written as `.init(value)`.
    public func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var operation = erased
        operation.input = operation.input.setting(name, to: value)
        return Self(erased: operation)
    }

    /// Returns a copy of the operation with one variable set to any encodable Swift value. Nil is sent as `null`.
    @_disfavoredOverload
    public func setting(_ name: String, to value: (any Encodable & Sendable)?) -> Self { setting(name, to: GraphQLVariable(value)) }

    /// Returns a copy of the operation whose data is decoded as another type.
    public func decoding<NewData: Decodable & Sendable>(as type: NewData.Type) -> GraphQLOperation<NewData> {
        GraphQLOperation<NewData>(erased: erased)
    }
}

extension GraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name of the operation. Variables are left out because they may be secret.
    public var description: String { erased.description }
}

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

    /// The name for logs and metrics: the kind, and the name if there is one.
    package var callName: String { [kind?.rawValue ?? "operation", operationName].compactMap(\.self).joined(separator: " ") }
}

extension AnyGraphQLOperation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name of the operation. Variables are left out because they may be secret.
    public var description: String { "\(kind?.rawValue ?? "operation") \(operationName ?? "without a name")" }
}

/// An operation's variables: the properties of a value, and individual variables that replace them.
struct OperationInput: Sendable, Encodable {
    var base: (any Encodable & Sendable)?
    /// The variables that replace those of `base`.
    var own: [String: GraphQLVariable] = [:]

    /// Whether there is nothing to send.
    var isEmpty: Bool { base == nil && own.isEmpty }

    /// The variables by name. Those of `base` are the JSON it encodes to.
    var members: [String: GraphQLVariable] {
        guard let base, case .object(let members)? = try? JSONValue(encoding: GraphQLEncodable(base)) else { return own }
        return members.dictionary.mapValues(GraphQLVariable.init(json:)).merging(own) { $1 }
    }

    func setting(_ name: String, to value: GraphQLVariable) -> Self {
        var input = self
        input.own[name] = value
        return input
    }

    /// Throws unless the variables form an object. Foundation's encoder traps if it must write both a single value and keyed members.
    func check(with encoder: any BodyEncoder) throws {
        guard let base else { return }
        let first = try encoder.encode(GraphQLEncodable(base)).first
        guard first == UInt8(ascii: "{") else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "the variables of an operation must be a JSON object: encode a type with named properties"
            )
            throw EncodingError.invalidValue(base, context)
        }
    }

    /// Encodes the variables. With an encoder other than Martlet's, call ``check(with:)`` first.
    func encode(to encoder: any Encoder) throws {
        try base?.encode(to: encoder)
        // A member written last replaces an earlier one.
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        for (name, value) in own {
            let key = JSONCodingKey(name: name)
            UploadCollector.current?.forget(below: encoder.codingPath + [key])
            try container.encode(value, forKey: key)
        }
    }
}
