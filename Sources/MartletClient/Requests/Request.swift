public import MartletEssentials

/// What to ask for, and the type of the answer.
///
/// ```swift
/// let user = try await client.send(Request<User>.get("users/\(id)"))
///
/// extension Request where Response == [User] {
///     static func users(page: Int) -> Self { .get("users", query: ["page": page]) }
/// }
/// let users = try await client.send(.users(page: 2))
/// ```
///
/// The answer may be any `Decodable`, an Optional of one (nil for 204 or an empty body), `Data`, `String`, `EmptyResponse` or
/// `Void`; ``map(_:)`` makes any other. A request is a value: make it once, change it, send it often.
public struct Request<Response: Sendable>: Endpoint {
    /// The base URL, when it is not the client's.
    public var baseURL: URL?
    /// A full URL in place of base URL and path.
    public var url: URL?
    /// The path below the base URL.
    public var path: Path
    /// The method.
    public var method: HTTPMethod
    /// The query.
    public var query: Query
    /// The fields.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody?
    /// The time limit for the whole call. Default: nil, that of ``options`` or the client's total timeout.
    public var timeout: Duration?
    /// The statuses that the call accepts. Default: `.clientDefault`, those of ``options`` or 200 to 299.
    public var validation = StatusValidation.clientDefault
    /// Further options.
    public var options = CallOptions()
    /// The name for logs and metrics. Default: the method and the path's template, such as `GET users/{}`.
    public var endpointName: String {
        get { givenName ?? [method.rawValue, url == nil ? path.template : ""].filter { !$0.isEmpty }.joined(separator: " ") }
        set { givenName = newValue }
    }
    private var givenName: String?
    package let decoding: ResponseDecoding<Response>

    /// A request whose answer is made in a way of its own. The target is `path` below the base URL, or `url` when it is given.
    public init(
        method: HTTPMethod, path: Path = "", url: URL? = nil, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil,
        decoding: ResponseDecoding<Response>
    ) {
        self.method = method
        self.path = path
        self.url = url
        self.query = query
        self.headers = headers
        self.body = body
        self.decoding = decoding
    }

    /// Makes the answer of a response.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        try decoding.decode(response, decoder)
    }

    /// The same request with its answer made into another.
    ///
    /// ```swift
    /// Request<Data>.get("logo.png").map { try Image(png: $0) }
    /// ```
    /// What `transform` throws is `.decodingFailed`, unless it is an `HTTPError`.
    public func map<NewResponse: Sendable>(_ transform: @escaping @Sendable (Response) throws -> NewResponse) -> Request<NewResponse> {
        var request = Request<NewResponse>(
            method: method, path: path, url: url, query: query, headers: headers, body: body, decoding: decoding.map(transform))
        request.baseURL = baseURL
        request.timeout = timeout
        request.validation = validation
        request.options = options
        request.givenName = givenName
        return request
    }

    /// The same request below another base URL.
    public func relative(to baseURL: URL) -> Self {
        var request = self
        request.baseURL = baseURL
        return request
    }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The method and the path or URL, with what is secret in them hidden.
    public var description: String {
        "\(Redaction.line(method.rawValue, limit: 40)) \(url.map { Redaction.url($0) } ?? Redaction.address(path.text))"
    }
}
