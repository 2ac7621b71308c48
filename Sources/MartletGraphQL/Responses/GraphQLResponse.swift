/// The whole answer to an operation: its result, the server's extensions, and how it came.
public struct GraphQLResponse<Data: Sendable>: Sendable {
    /// The data and the errors.
    public var result: GraphQLResult<Data>
    /// What the server says besides: costs, traces. Left out when it has more than 32 levels or 50,000 values.
    public var extensions: [String: JSONValue]
    /// Status and fields, with the request that was answered in the metadata.
    public var http: HTTPResponse<Void>
    /// Whether it was asked of the server, or is from the client's document cache.
    public var source: GraphQLResponseSource
    /// Whether there are data that are not of their type, beside errors.
    var hasUnreadData = false

    /// An answer.
    public init(
        result: GraphQLResult<Data>, extensions: [String: JSONValue] = [:], http: HTTPResponse<Void>,
        source: GraphQLResponseSource = .server
    ) {
        self.result = result
        self.extensions = extensions
        self.http = http
        self.source = source
    }
}

extension GraphQLResponse {
    /// The answer with its result as a policy sees it.
    func applying(_ policy: ErrorPolicy) -> Self {
        var response = self
        response.result = result.applying(policy)
        return response
    }
}

/// Where an answer is from.
public enum GraphQLResponseSource: Sendable, Hashable {
    /// The server was asked.
    case server
    /// It was kept in the client's document cache, for so long.
    case cache(age: Duration)
}
