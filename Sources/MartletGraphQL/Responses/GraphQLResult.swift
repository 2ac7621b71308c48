/// The result of an operation: complete data, partial data with errors, or errors only.
///
/// ```swift
/// switch try await graphQL.result(of: operation) {
/// case .complete(let data): show(data)
/// case .partial(let data, let errors): show(data); report(errors)
/// case .failed(let errors): report(errors)
/// }
/// ```
///
/// Data that does not match its type counts as ``failed(_:)`` if the response also has errors: an error may be the reason that a field is
/// missing.
public enum GraphQLResult<Data: Sendable>: Sendable {
    /// Data without errors.
    case complete(Data)
    /// Data in which some fields are null because of the errors.
    case partial(Data, [GraphQLResponseError])
    /// Errors without data.
    case failed([GraphQLResponseError])

    /// The data, or nil for ``failed(_:)``.
    public var data: Data? {
        switch self {
        case .complete(let data), .partial(let data, _): data
        case .failed: nil
        }
    }

    /// The errors. Empty for ``complete(_:)``.
    public var errors: [GraphQLResponseError] {
        switch self {
        case .complete: []
        case .partial(_, let errors), .failed(let errors): errors
        }
    }

    /// Whether there is data and no error.
    public var isComplete: Bool { if case .complete = self { true } else { false } }

    /// Returns the data, if the policy accepts it.
    ///
    /// - Parameter policy: How errors beside data are treated. Default: `.none`, any error makes this method throw.
    /// - Throws: `.response` with the errors when the policy rejects them or data is missing.
    public func get(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data {
        switch applying(policy == .standard ? .none : policy) {
        case .complete(let data), .partial(let data, _): return data
        case .failed(let errors): throw .response(errors)
        }
    }

    /// Returns the result under an error policy: `.none` drops partial data, `.ignore` drops the errors beside data.
    public func applying(_ policy: ErrorPolicy) -> Self {
        switch (self, policy) {
        case (.partial(_, let errors), .none): .failed(errors)
        case (.partial(let data, _), .ignore): .complete(data)
        default: self
        }
    }

    /// Returns the result with its data transformed. The errors are unchanged.
    public func map<NewData: Sendable, Failure: Error>(
        _ transform: (Data) throws(Failure) -> NewData
    ) throws(Failure) -> GraphQLResult<NewData> {
        switch self {
        case .complete(let data): .complete(try transform(data))
        case .partial(let data, let errors): .partial(try transform(data), errors)
        case .failed(let errors): .failed(errors)
        }
    }
}

extension GraphQLResult: Equatable where Data: Equatable {}
extension GraphQLResult: Hashable where Data: Hashable {}

/// How errors beside data are treated.
///
/// Where a policy is Optional, `.none` means nil: write `ErrorPolicy.none` there.
public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
    /// For a call, the client's policy. For a client, the behaviour of each method: `execute` returns data and throws when there are errors
    /// beside it; `result(of:)` and the sequences return both data and errors.
    case standard
    /// Any error makes the operation fail, even if there is data.
    case none
    /// Data and errors are both returned. Methods that return data only drop the errors.
    case all
    /// Errors beside data are dropped. Without data they make the operation fail.
    case ignore

    /// Resolves a call's policy: `.standard` becomes the client's policy.
    package func of(client: ErrorPolicy) -> ErrorPolicy { self == .standard ? client : self }
}
