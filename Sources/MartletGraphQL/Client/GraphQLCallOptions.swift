public import MartletCore

/// What is particular to one operation's call; what is nil is the client's.
public struct GraphQLCallOptions: Sendable {
    /// Fields of the request.
    public var headers: HTTPFields
    /// How long the call may take in all.
    public var timeout: Duration?
    /// What errors beside data mean. Default: the client's; without one, `execute` throws them and `result(of:)` gives both.
    public var errorPolicy: ErrorPolicy?
    /// Members of the request's `extensions`.
    public var extensions: [String: JSONValue]
    /// Everything else that a call of HTTP may differ in.
    public var call: CallOptions

    /// Options that differ from the client's.
    public init(
        headers: HTTPFields = [:], timeout: Duration? = nil, errorPolicy: ErrorPolicy? = nil, extensions: [String: JSONValue] = [:],
        call: CallOptions = CallOptions()
    ) {
        self.headers = headers
        self.timeout = timeout
        self.errorPolicy = errorPolicy
        self.extensions = extensions
        self.call = call
    }
}
