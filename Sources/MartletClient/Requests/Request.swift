public import MartletEssentials

/// An HTTP request and the type of its response.
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
/// The response can be any `Decodable`, an Optional of one (nil for 204 or an empty body), `Data`, `String`, `EmptyResponse` or `Void`.
/// ``map(_:)`` converts it to any other type. A request is a value, which can be changed and sent any number of times.
public struct Request<Response: Sendable>: Endpoint {
    /// The base URL of this request. Default: nil, the client's base URL.
    public var baseURL: URL?
    /// A full URL, which replaces the base URL and the path and is sent unchanged. Default: nil.
    public var url: URL?
    /// The path, relative to the base URL.
    public var path: Path
    /// The HTTP method.
    public var method: HTTPMethod
    /// The query, added to the URL. Default: none.
    public var query: Query
    /// The header fields. The client adds its default fields if they are missing. Default: none.
    public var headers: HTTPFields
    /// The body. Default: nil, no body.
    public var body: RequestBody?
    /// The time limit for the whole call. Default: nil, that of ``options`` or the client's total timeout.
    public var timeout: Duration?
    /// The statuses that the call accepts. Default: `.clientDefault`, those of ``options`` or 200 to 299.
    public var validation = StatusValidation.clientDefault
    /// Further options of the call. Default: none.
    public var options = CallOptions()
    /// The name for logs and metrics. Default: the method and the path's template, such as `GET users/{}`.
    public var endpointName: String {
        get { givenName ?? [method.rawValue, url == nil ? path.template : ""].filter { !$0.isEmpty }.joined(separator: " ") }
        set { givenName = newValue }
    }
    private var givenName: String?
    package let decoding: ResponseDecoding<Response>

    /// Creates a request that decodes its response with `decoding`. Its target is `url` if it is given, and otherwise `path` below the base
    /// URL.
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

    /// Returns the value of a response.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        try decoding.decode(response, decoder)
    }

    /// Returns a request that converts its response to another type.
    ///
    /// ```swift
    /// let names = Request<[User]>.get("users").map { $0.map(\.name) }  // a Request<[String]>
    /// ```
    ///
    /// - Parameter transform: Converts the response. An `HTTPError` that it throws is passed on; any other error becomes `.decodingFailed`.
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

    /// Returns the request with another base URL.
    public func relative(to baseURL: URL) -> Self {
        var request = self
        request.baseURL = baseURL
        return request
    }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The method and the path or URL, with secrets redacted.
    public var description: String {
        "\(Redaction.line(method.rawValue, limit: 40)) \(url.map { Redaction.url($0) } ?? Redaction.address(path.text))"
    }
}
