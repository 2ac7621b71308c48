/// The kind of an operation (GraphQL, September 2025, §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable, CaseIterable {
    /// A query, which reads data without side effects.
    case query
    /// A mutation, which changes data and then reads it.
    case mutation
    /// A subscription, which delivers data for each event.
    case subscription
}
