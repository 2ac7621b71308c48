/// What an operation does (GraphQL, September 2025, §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable, CaseIterable {
    /// Reads.
    case query
    /// Writes, then reads.
    case mutation
    /// Reads again whenever something happens.
    case subscription
}
