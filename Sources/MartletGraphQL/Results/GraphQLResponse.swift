public import MartletCore

/// The whole answer to an operation: its result, the server's extensions, and how it came.
public struct GraphQLResponse<Data: Sendable>: Sendable {
    /// The data and the errors.
    public var result: GraphQLResult<Data>
    /// What the server says besides: costs, traces. Left out when it has more than 32 levels or 50,000 values.
    public var extensions: [String: JSONValue]
    /// Status and fields, with the request that was answered in the metadata.
    public var http: HTTPResponse<Void>

    /// An answer.
    public init(result: GraphQLResult<Data>, extensions: [String: JSONValue] = [:], http: HTTPResponse<Void>) {
        self.result = result
        self.extensions = extensions
        self.http = http
    }
}
