/// What one operation of a batch gave: its answer, or why there is none.
///
/// ```swift
/// let (hero, reviews) = try await graphQL.batch(HeroQuery(id: "1000"), ReviewsQuery())
/// show(try hero.data())
/// if case .success(let response) = reviews { show(response.result) }
/// ```
public typealias GraphQLOutcome<Data: Sendable> = Result<GraphQLResponse<Data>, GraphQLError>

extension Result where Failure == GraphQLError {
    /// The data, when there is enough of it for a policy. Throws `.response` with the errors otherwise, and what the operation failed with.
    public func data<Data>(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data where Success == GraphQLResponse<Data> {
        try get().result.get(policy)
    }
}
