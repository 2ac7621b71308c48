/// What an operation gave: all of its data, some of it with the errors that explain the rest, or errors alone.
///
/// ```swift
/// switch try await graphQL.result(of: operation) {
/// case .complete(let data): show(data)
/// case .partial(let data, let errors): show(data); report(errors)
/// case .failed(let errors): report(errors)
/// }
/// ```
///
/// Data that does not fit its type while there are errors is ``failed(_:)``: a field that is missing because of an error is no mistake of
/// the type.
public enum GraphQLResult<Data: Sendable>: Sendable {
    /// Data, and no errors.
    case complete(Data)
    /// Data in which something is null because of these errors.
    case partial(Data, [GraphQLResponseError])
    /// Errors, and no data.
    case failed([GraphQLResponseError])

    /// The data, if there is any.
    public var data: Data? {
        switch self {
        case .complete(let data), .partial(let data, _): data
        case .failed: nil
        }
    }

    /// The errors; empty when there are none.
    public var errors: [GraphQLResponseError] {
        switch self {
        case .complete: []
        case .partial(_, let errors), .failed(let errors): errors
        }
    }

    /// Whether there are data and no errors.
    public var isComplete: Bool { if case .complete = self { true } else { false } }

    /// The data, when there is enough of it for a policy. Throws `.response` with the errors otherwise.
    public func get(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data {
        switch applying(policy == .standard ? .none : policy) {
        case .complete(let data), .partial(let data, _): return data
        case .failed(let errors): throw .response(errors)
        }
    }

    /// The result as a policy sees it.
    public func applying(_ policy: ErrorPolicy) -> Self {
        switch (self, policy) {
        case (.partial(_, let errors), .none): .failed(errors)
        case (.partial(let data, _), .ignore): .complete(data)
        default: self
        }
    }

    /// The result with its data made into another.
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

/// What errors beside data mean.
///
/// Where a policy is Optional, as in `GraphQLCallOptions`, `.none` is nil and so the client's policy: write `ErrorPolicy.none` there.
public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
    /// Of a call: as its client says. Of a client: as the call's name says. `execute` gives data, and throws when there are errors beside them;
    /// `result(of:)` and whatever comes in pieces give both.
    case standard
    /// Any error makes the operation fail.
    case none
    /// Data and errors are both given. Where only data can be, the errors are left out.
    case all
    /// Errors beside data are left out. Without data they still make it fail.
    case ignore

    /// The policy of a call whose client has another.
    package func of(client: ErrorPolicy) -> ErrorPolicy { self == .standard ? client : self }
}
