/// An operation defined as a type: the document is a static property, and the variables are stored properties.
///
/// Conform to ``GraphQLQuery``, ``GraphQLMutation`` or ``GraphQLSubscription`` instead of this protocol.
public protocol GraphQLOperationDefinition: Encodable, Sendable {
    /// The type of the operation's data.
    associatedtype Data: Decodable & Sendable

    /// The document. Write it as a stored `static let`, so that it is parsed once.
    static var document: GraphQLDocument { get }

    /// The name of the operation to run. Default: nil, the document's only operation.
    static var operationName: String? { get }

    /// The required kind of the operation.
    static var kind: GraphQLOperationKind { get }
}

extension GraphQLOperationDefinition {
    /// Nil: the document's only operation.
    public static var operationName: String? { nil }

    /// The operation whose variables are this value's properties.
    public var operation: GraphQLOperation<Data> {
        GraphQLOperation(Self.document, Self.operationName, OperationInput(base: self), promisedKind: Self.kind)
    }
}

/// A query defined as a type.
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
    /// Always `.query`.
    public static var kind: GraphQLOperationKind { .query }
}

/// A mutation defined as a type, written like a ``GraphQLQuery``.
///
/// If you do not need its data, declare `typealias Data = EmptyResponse`, which accepts any data. Errors are still thrown.
public protocol GraphQLMutation: GraphQLOperationDefinition {}

extension GraphQLMutation {
    /// The kind of every mutation.
    public static var kind: GraphQLOperationKind { .mutation }
}

/// A subscription defined as a type, written like a ``GraphQLQuery``.
public protocol GraphQLSubscription: GraphQLOperationDefinition {}

extension GraphQLSubscription {
    /// The kind of every subscription.
    public static var kind: GraphQLOperationKind { .subscription }
}
