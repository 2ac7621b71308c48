/// An operation defined as a type, with the document as a static property and the variables as stored properties.
///
/// Conform to ``GraphQLQuery``, ``GraphQLMutation`` or ``GraphQLSubscription`` instead of this protocol.
public protocol GraphQLOperationDefinition: _GraphQLOperationNaming, Encodable {
    /// The type of the operation's data.
    associatedtype Data: Decodable & Sendable

    /// The document that contains the operation. Write it as a stored `static let`, so that it is parsed once.
    static var document: GraphQLDocument { get }

    /// The name of the operation to run, or nil for the document's only operation. Default: nil.
    static var operationName: String? { get }

    /// The kind that the operation in the document must have; otherwise sending it throws.
    static var kind: GraphQLOperationKind { get }

    // The name of an operation that declares none, or declares it with another type. As SPI, it does not appear in code completion.
    @_spi(OperationSpelling) static func _operationName() -> String?
}

extension GraphQLOperationDefinition {
    /// The default: nil, for the document's only operation.
    public static var operationName: String? { _operationName() }

    /// The operation to send, whose variables are this value's properties.
    public var operation: GraphQLOperation<Data> {
        GraphQLOperation(Self.document, Self.operationName, OperationInput(base: self), promisedKind: Self.kind)
    }
}

/// The name of an operation, with the type that the operation declares. ``GraphQLOperationDefinition`` inherits it.
///
/// A name with another type would otherwise be ignored, because its default satisfies the requirement.
public protocol _GraphQLOperationNaming: Sendable {
    associatedtype _OperationNameType = String?

    @_disfavoredOverload static var operationName: _OperationNameType { get }
}

extension _GraphQLOperationNaming {
    fileprivate static var declaredOperationName: _OperationNameType { operationName }
}

extension GraphQLOperationDefinition {
    /// Unavailable: the property has another type.
    @available(*, unavailable, message: "declare 'operationName' as String?, such as \"Hero\"")
    public static func _operationName() -> String? { nil }
}

extension GraphQLOperationDefinition where _OperationNameType == String? {
    /// The default of an operation that declares no name.
    public static func _operationName() -> String? { nil }
}

extension GraphQLOperationDefinition where _OperationNameType == String {
    /// The name that is declared without `?`.
    public static func _operationName() -> String? { declaredOperationName }
}

/// A query defined as a type, with the document as a static property and the variables as stored properties.
///
/// ```swift
/// struct HeroQuery: GraphQLQuery {
///     struct Data: Decodable { let hero: Hero? }
///     static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { name } }"
///     let id: GraphQLID
/// }
/// let data = try await graphQL.execute(HeroQuery(id: "1000"))
/// ```
///
/// The `Encodable` properties are the variables, by name. An Optional that is nil is left out, so that the server's default applies. Use a
/// ``GraphQLNullable`` to send `null`. If the document's operation is not a query, sending it throws ``GraphQLError/invalidOperation(_:)``.
public protocol GraphQLQuery: GraphQLOperationDefinition {}

extension GraphQLQuery {
    /// The kind of every query, `.query`.
    public static var kind: GraphQLOperationKind { .query }
}

/// A mutation defined as a type, with a document and its variables, written like a ``GraphQLQuery``.
///
/// If you do not need its data, declare `typealias Data = EmptyResponse`, which accepts any data. Errors are still thrown.
public protocol GraphQLMutation: GraphQLOperationDefinition {}

extension GraphQLMutation {
    /// The kind of every mutation, `.mutation`.
    public static var kind: GraphQLOperationKind { .mutation }
}

/// A subscription defined as a type, with a document and its variables, written like a ``GraphQLQuery``.
public protocol GraphQLSubscription: GraphQLOperationDefinition {}

extension GraphQLSubscription {
    /// The kind of every subscription, `.subscription`.
    public static var kind: GraphQLOperationKind { .subscription }
}
