/// The complete response to an operation, with its data and errors, the server's extensions, and the HTTP response that carried it.
public struct GraphQLResponse<Data: Sendable>: Sendable {
    /// The data, the server's errors, or both.
    public var result: GraphQLResult<Data>
    /// The `extensions` of the response, such as costs and traces; empty if they have more than 32 levels or 50,000 values.
    public var extensions: [String: JSONValue]
    /// The status and header fields of the HTTP response that carried it, which for a cached response is the stored one. Its metadata
    /// contains the request.
    public var http: HTTPResponse<Void>
    /// Whether the response came from the server or from the client's document cache.
    public var source: GraphQLResponseSource
    /// Whether the response has errors and data that could not be decoded.
    var hasUnreadData = false

    /// Creates a response, for tests and for clients of your own.
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
    /// The response with its result after applying an error policy.
    func applying(_ policy: ErrorPolicy) -> Self {
        var response = self
        response.result = result.applying(policy)
        return response
    }
}

/// Whether a response came from the server or from the document cache.
public enum GraphQLResponseSource: Sendable, Hashable {
    /// The server sent the response for this call.
    case server
    /// The response came from the client's document cache, where it was stored for `age`.
    case cache(age: Duration)
}
