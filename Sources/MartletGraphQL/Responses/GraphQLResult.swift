/// The result of an operation, which is complete data, partial data with errors, or errors only.
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
    /// The response has data and no errors.
    case complete(Data)
    /// The response has data, in which some fields are null because of the errors.
    case partial(Data, [GraphQLResponseError])
    /// The response has errors and no data, or data that could not be decoded because of them.
    case failed([GraphQLResponseError])

    /// The data, or nil for ``failed(_:)``.
    public var data: Data? {
        switch self {
        case .complete(let data), .partial(let data, _): data
        case .failed: nil
        }
    }

    /// The server's errors, or an empty array for ``complete(_:)``.
    public var errors: [GraphQLResponseError] {
        switch self {
        case .complete: []
        case .partial(_, let errors), .failed(let errors): errors
        }
    }

    /// Whether there is data and no error.
    public var isComplete: Bool { if case .complete = self { true } else { false } }

    /// Returns the data, or throws the server's errors unless the policy allows them.
    ///
    /// - Parameter policy: How errors beside data are treated. Default: `.none`, any error makes this method throw.
    /// - Throws: `.response` with the errors when the policy rejects them or data is missing.
    public func get(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data {
        switch applying(policy == .standard ? .none : policy) {
        case .complete(let data), .partial(let data, _): return data
        case .failed(let errors): throw .response(errors)
        }
    }

    /// Returns the result without its partial data if the policy is `.none`, or without the errors beside data if it is `.ignore`. Any
    /// other policy returns it unchanged.
    public func applying(_ policy: ErrorPolicy) -> Self {
        switch (self, policy) {
        case (.partial(_, let errors), .none): .failed(errors)
        case (.partial(let data, _), .ignore): .complete(data)
        default: self
        }
    }

    /// Returns the result with its data transformed and the same errors.
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

/// How errors in a response that also has data are treated.
///
/// Where a policy is Optional, `.none` means nil: write `ErrorPolicy.none` there.
public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
    /// For a call, the policy of the client applies; for a client, `execute` throws the errors, and `result(of:)` and sequences return
    /// both.
    case standard
    /// Any error makes the operation fail, even if there is data, which is dropped.
    case none
    /// Data and errors are both returned; methods that return only data drop the errors.
    case all
    /// Errors beside data are dropped; without data they make the operation fail.
    case ignore

    /// Resolves a call's policy: `.standard` becomes the client's policy.
    package func of(client: ErrorPolicy) -> ErrorPolicy { self == .standard ? client : self }
}

/// The complete response to an operation, with its data and errors, the server's extensions, and the HTTP response that carried it.
public struct GraphQLResponse<Data: Sendable>: Sendable {
    /// The data, the server's errors, or both.
    public var result: GraphQLResult<Data>
    /// The `extensions` of the response, such as costs and traces; empty if they have more than 32 levels or 50,000 values.
    public var extensions: [String: JSONValue]
    /// The status and header fields of the HTTP response that carried it, which for a cached response is the stored one. Its metadata
    /// contains the request.
    public var http: HTTPResponse<Void>
    /// How long the response was stored in the client's document cache, or nil if the server sent it for this call.
    public var cacheAge: Duration?
    /// Whether the response has errors and data that could not be decoded.
    var hasUnreadData = false

    /// Creates a response, for tests and for clients of your own.
    public init(
        result: GraphQLResult<Data>, extensions: [String: JSONValue] = [:], http: HTTPResponse<Void>, cacheAge: Duration? = nil
    ) {
        self.result = result
        self.extensions = extensions
        self.http = http
        self.cacheAge = cacheAge
    }

    /// The response with its result after applying an error policy.
    func applying(_ policy: ErrorPolicy) -> Self {
        var response = self
        response.result = result.applying(policy)
        return response
    }
}

/// The outcome of one operation of a batch, which is its response or the error with which it failed.
///
/// ```swift
/// let (hero, reviews) = try await graphQL.batch(HeroQuery(id: "1000"), BirdsQuery())
/// show(try hero.data())
/// if case .success(let response) = reviews { show(response.result) }
/// ```
public typealias GraphQLOutcome<Data: Sendable> = Result<GraphQLResponse<Data>, GraphQLError>

extension Result where Failure == GraphQLError {
    /// Returns the data, or throws the operation's error, or the server's errors unless the policy allows them.
    ///
    /// - Parameter policy: How errors beside data are treated. Default: `.none`, any error makes this method throw.
    /// - Throws: The error of the operation, or `.response` with the server's errors when the policy rejects them or data is missing.
    public func data<Data>(_ policy: ErrorPolicy = .none) throws(GraphQLError) -> Data where Success == GraphQLResponse<Data> {
        try get().result.get(policy)
    }
}
