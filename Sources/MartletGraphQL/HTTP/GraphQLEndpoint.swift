public import MartletEssentials

/// The HTTP endpoint that a `GraphQLClient` sends for an operation or a batch.
///
/// ```swift
/// mock.on(GraphQLEndpoint.self, where: { $0.operationName == "Hero" }, .json(#"{"data":{"hero":null}}"#))
/// ```
///
/// Interceptors and mocks of the HTTP client receive it. Only a GraphQL client creates it.
public struct GraphQLEndpoint: Endpoint {
    /// The undecoded body of the response, because a response with any status may contain GraphQL.
    public typealias Response = Data

    /// The operations that the endpoint sends, which are one or those of a batch, or none for the handshake of a WebSocket.
    public let operations: [AnyGraphQLOperation]
    /// The absolute URL of the GraphQL server, or nil if the client was created with a path.
    public let url: URL?
    /// The path below the HTTP client's base URL, or an empty path if ``url`` is set.
    public let path: Path
    /// The HTTP method, which is POST, or GET for queries if the client or the call is configured for it, and for the handshake of a
    /// WebSocket.
    public internal(set) var method = HTTPMethod.post
    /// The operation's parameters for GET, empty for POST.
    public internal(set) var query: Query = [:]
    /// The header fields of the call and of the client's configuration.
    public internal(set) var headers: HTTPFields
    /// The operation's parameters for POST, as JSON or as a multipart form with uploads, or nil for GET.
    public internal(set) var body: RequestBody?
    /// The time limit for the whole call, or nil for the HTTP client's limit.
    public internal(set) var timeout: Duration?
    /// The options for the HTTP call.
    public internal(set) var options: CallOptions

    /// Accepts every status, because the body decides whether the response is GraphQL.
    public var validation: StatusValidation { .none }

    /// The name of the only operation, or nil for a batch and for an operation without a name.
    public var operationName: String? { operations.count == 1 ? operations[0].operationName : nil }

    /// The name for logs and metrics, with the kinds and names of its operations, such as `query Hero`, or `GraphQL over WebSocket`.
    public var endpointName: String {
        operations.isEmpty ? "GraphQL over WebSocket" : operations.map(\.callName).joined(separator: ", ")
    }

    /// The kind of the only operation, or nil for a batch.
    public var kind: GraphQLOperationKind? { operations.count == 1 ? operations[0].kind : nil }

    init(_ operations: [AnyGraphQLOperation], target: GraphQLTarget, headers: HTTPFields, timeout: Duration?, options: CallOptions) {
        self.operations = operations
        url = target.url
        path = target.path
        self.headers = headers
        self.timeout = timeout
        self.options = options
        // Queries have no side effects, so even a POST may be retried.
        if operations.allSatisfy({ $0.kind == .query }) { self.options.context.isIdempotent = true }
    }

    /// Makes this a POST of operations as JSON, or as a multipart form if there are uploads.
    mutating func post(_ payload: EncodedPayload) {
        method = .post
        guard !payload.uploads.isEmpty else {
            body = .data(payload.json, contentType: "application/json")
            return
        }
        body = UploadForm.body(payload)
        headers[GraphQLMedia.preflight] = "true"
    }

    /// Makes this a GET: the parameters become query items, and objects are written as JSON text (GraphQL over HTTP §5.3).
    mutating func get(_ payload: OperationPayload, encoder: any BodyEncoder) throws(GraphQLError) {
        method = .get
        query = [:]
        query.append("query", payload.query)
        query.append("documentId", payload.documentId)
        query.append("operationName", payload.operationName)
        // A query type may have no properties.
        let variables = payload.variables.isEmpty ? "{}" : try text(of: payload.variables, payload, encoder)
        if variables != "{}" { query.append("variables", variables) }
        if !payload.extensions.isEmpty { query.append("extensions", try text(of: payload.extensions, payload, encoder)) }
        headers[GraphQLMedia.preflight] = "true"
    }

    private func text(of value: some Encodable, _ payload: OperationPayload, _ encoder: any BodyEncoder) throws(GraphQLError) -> String {
        String(decoding: try EncodedPayload(of: value, inputs: [payload.variables], encoder).json, as: UTF8.self)
    }
}

/// The location of a GraphQL endpoint.
struct GraphQLTarget: Sendable {
    var path: Path = ""
    var url: URL?
}

/// The media types of GraphQL over HTTP §4.
enum GraphQLMedia {
    /// Both media types. The one that is valid for every status has preference.
    static let accept = "application/graphql-response+json, application/json;q=0.9"
    static let acceptField: HTTPFields = [.accept: accept]
    static let response = "application/graphql-response+json"
    /// Makes browsers send a preflight request for cross-origin requests. Servers that require it otherwise reject requests that need no
    /// preflight.
    static let preflight: HTTPFieldName = "Apollo-Require-Preflight"
    /// Incremental delivery in the current and in the older format (specs.apollo.dev/incremental), or a single response.
    static let acceptIncremental = "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, " + accept
}
