public import MartletEssentials

/// A GraphQL request as an endpoint of HTTP: what a `GraphQLClient` sends through its `HTTPClient`.
///
/// ```swift
/// mock.on(GraphQLEndpoint.self, where: { $0.operationName == "Hero" }, .json(#"{"data":{"hero":null}}"#))
/// ```
///
/// Interceptors and doubles of the HTTP client meet it; it is not made by hand.
public struct GraphQLEndpoint: Endpoint {
    /// The answer as bytes: any status may have a GraphQL answer.
    public typealias Response = Data

    /// What operations it sends: one, or those of a batch.
    public let operations: [AnyGraphQLOperation]
    /// The full URL, when the client was given one.
    public let url: URL?
    /// The path below the base URL.
    public let path: Path
    /// POST, or GET for queries when it was asked for.
    public internal(set) var method = HTTPMethod.post
    /// The parameters of a GET.
    public internal(set) var query: Query = [:]
    /// The fields.
    public internal(set) var headers: HTTPFields
    /// The parameters of a POST.
    public internal(set) var body: RequestBody?
    /// How long the call may take in all.
    public internal(set) var timeout: Duration?
    /// What else is particular to the call.
    public internal(set) var options: CallOptions

    /// Every status: which is an answer depends on the body.
    public var validation: StatusValidation { .none }

    /// The name of its only operation; nil for a batch, and for one without a name.
    public var operationName: String? { operations.count == 1 ? operations[0].operationName : nil }

    /// The name for logs and metrics: the kinds and names of its operations, such as `query Hero`.
    public var endpointName: String {
        operations.map { operation in
            [operation.kind?.rawValue ?? "operation", operation.operationName].compactMap(\.self).joined(separator: " ")
        }.joined(separator: ", ")
    }

    /// What its only operation does; nil for a batch.
    public var kind: GraphQLOperationKind? { operations.count == 1 ? operations[0].kind : nil }

    init(_ operations: [AnyGraphQLOperation], target: GraphQLTarget, headers: HTTPFields, timeout: Duration?, options: CallOptions) {
        self.operations = operations
        url = target.url
        path = target.path
        self.headers = headers
        self.timeout = timeout
        self.options = options
        // A query may be asked twice, whatever its method.
        if operations.allSatisfy({ $0.kind == .query }) { self.options.context.isIdempotent = true }
    }
}

extension GraphQLEndpoint {
    /// Sends operations as JSON, or as a form when there are uploads.
    mutating func post(_ payload: EncodedPayload) {
        method = .post
        guard !payload.uploads.isEmpty else {
            body = .data(payload.json, contentType: "application/json")
            return
        }
        body = UploadForm.body(payload)
        headers[GraphQLMedia.preflight] = "true"
    }

    /// Asks by GET: parameters in the query, those of JSON as its text (GraphQL over HTTP §5.3).
    mutating func get(_ payload: OperationPayload, encoder: any BodyEncoder) throws(GraphQLError) {
        method = .get
        query = [:]
        query.append("query", payload.query)
        query.append("documentId", payload.documentId)
        query.append("operationName", payload.operationName)
        // An operation's struct may have no properties.
        let variables = payload.variables.isEmpty ? "{}" : try text(of: payload.variables, payload, encoder)
        if variables != "{}" { query.append("variables", variables) }
        if !payload.extensions.isEmpty { query.append("extensions", try text(of: payload.extensions, payload, encoder)) }
        headers[GraphQLMedia.preflight] = "true"
    }

    private func text(of value: some Encodable, _ payload: OperationPayload, _ encoder: any BodyEncoder) throws(GraphQLError) -> String {
        String(decoding: try EncodedPayload(of: value, inputs: [payload.variables], encoder).json, as: UTF8.self)
    }
}

/// Where a server's GraphQL is.
struct GraphQLTarget: Sendable {
    var path: Path = ""
    var url: URL?
}

/// The media types of GraphQL over HTTP §4.
enum GraphQLMedia {
    /// Both types, the one with rules for every status first.
    static let accept = "application/graphql-response+json, application/json;q=0.9"
    static let response = "application/graphql-response+json"
    /// With it a browser asks first whether it may send a request of another site. Servers that insist refuse what could do without.
    static let preflight: HTTPFieldName = "Apollo-Require-Preflight"
    /// Answers that come in pieces in the current format and in the older one (specs.apollo.dev/incremental), or whole.
    static let acceptIncremental = "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, " + accept
}
