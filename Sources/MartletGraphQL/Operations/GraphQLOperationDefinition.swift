/// An operation as a type of its own: its document once, its variables as properties.
///
/// Write a ``GraphQLQuery``, a ``GraphQLMutation`` or a ``GraphQLSubscription``.
public protocol GraphQLOperationDefinition: Encodable, Sendable {
    /// The type of the operation's data.
    associatedtype Data: Decodable & Sendable

    /// The document: a stored `static let`, so that it is parsed once.
    static var document: GraphQLDocument { get }

    /// Which operation of the document is meant. Default: nil, the only one.
    static var operationName: String? { get }

    /// What kind of operation it must be.
    static var kind: GraphQLOperationKind { get }
}

extension GraphQLOperationDefinition {
    /// The only one.
    public static var operationName: String? { nil }

    /// The operation with this value's properties as its variables.
    public var operation: GraphQLOperation<Data> {
        GraphQLOperation(Self.document, Self.operationName, OperationInput(base: self), promisedKind: Self.kind)
    }
}

/// A query as a type of its own.
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
/// The `Encodable` properties are the variables, by their names. An Optional that is nil is left out, so that the server's default
/// applies; `null` is sent by a ``GraphQLNullable``. A document whose operation is of another kind is ``GraphQLError/invalidOperation(_:)``
/// when it is sent.
public protocol GraphQLQuery: GraphQLOperationDefinition {}

extension GraphQLQuery {
    /// A query.
    public static var kind: GraphQLOperationKind { .query }
}

/// A mutation as a type of its own, written like a ``GraphQLQuery``.
///
/// Where nobody looks at what it answers, `typealias Data = EmptyResponse` takes anything; its errors are thrown as ever.
public protocol GraphQLMutation: GraphQLOperationDefinition {}

extension GraphQLMutation {
    /// A mutation.
    public static var kind: GraphQLOperationKind { .mutation }
}

/// A subscription as a type of its own, written like a ``GraphQLQuery``.
public protocol GraphQLSubscription: GraphQLOperationDefinition {}

extension GraphQLSubscription {
    /// A subscription.
    public static var kind: GraphQLOperationKind { .subscription }
}
