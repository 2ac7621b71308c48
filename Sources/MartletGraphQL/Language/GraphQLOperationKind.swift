/// The kind of an operation: query, mutation or subscription (GraphQL, September 2025, §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable, CaseIterable {
    /// Reads data without side effects.
    case query
    /// Changes data, then reads it.
    case mutation
    /// Delivers data for each event.
    case subscription
}
