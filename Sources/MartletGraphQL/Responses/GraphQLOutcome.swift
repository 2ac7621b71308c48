/// The outcome of one operation of a batch: its response, or the error it failed with.
///
/// ```swift
/// let (hero, reviews) = try await graphQL.batch(HeroQuery(id: "1000"), BirdsQuery())
/// show(try hero.data())
/// if case .success(let response) = reviews { show(response.result) }
/// ```
public typealias GraphQLOutcome<Data: Sendable> = Result<GraphQLResponse<Data>, GraphQLError>

extension Result where Failure == GraphQLError {
    /// Returns the data, if the policy accepts it.
    ///
    /// - Parameter policy: How errors beside data are treated. Default: `.none`, any error makes this method throw.
    /// - Throws: The error of the operation, or `.response` with the server's errors when the policy rejects them or data is missing.
    public func data<Data>(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data where Success == GraphQLResponse<Data> {
        try get().result.get(policy)
    }
}
