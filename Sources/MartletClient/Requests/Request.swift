public import MartletEssentials
internal import MartletSystem

/// An HTTP request and the type of its response.
///
/// ```swift
/// let user: User = try await client.send(.get("users/\(id)"))
/// let friends = try await client.send(.get("users/\(id)/friends"), as: [User].self)
///
/// extension Request where Response == [User] {
///     static func users(page: Int) -> Self { .get("users", query: ["page": page]) }
/// }
/// let users = try await client.send(.users(page: 2))
/// ```
///
/// The members `get`, `head`, `options`, `post`, `put`, `patch` and `delete` create requests. They are those of ``Endpoint``. A GET does
/// not compile where nothing names the type of its response. All others have ``EmptyResponse`` then.
///
/// The response can be any `Decodable`, an Optional of one (nil for 204 or an empty body), `Data`, `String`, `EmptyResponse` or `Void`.
/// ``map(_:)`` converts it to any other type. A request is a value, which can be changed and sent any number of times.
public struct Request<Response: Sendable>: Endpoint {
    /// The base URL of this request. Default: nil, the client's base URL.
    public var baseURL: URL? {
        get { storage.content.baseURL }
        _modify { yield &storage.content.baseURL }
    }
    /// A full URL, which replaces the base URL and the path and is sent unchanged, or nil. Default: nil.
    public var url: URL? {
        get { storage.content.url }
        _modify { yield &storage.content.url }
    }
    /// The path, relative to the base URL.
    public var path: Path {
        get { storage.content.path }
        _modify { yield &storage.content.path }
    }
    /// The HTTP method.
    public var method: HTTPMethod {
        get { storage.content.method }
        _modify { yield &storage.content.method }
    }
    /// The query, added to the URL. Default: none.
    public var query: Query {
        get { storage.content.query }
        _modify { yield &storage.content.query }
    }
    /// The header fields. The client adds its default fields if they are missing. Default: none.
    public var headers: HTTPFields {
        get { storage.content.headers }
        _modify { yield &storage.content.headers }
    }
    /// The body. Default: nil, no body.
    public var body: RequestBody? {
        get { storage.content.body }
        _modify { yield &storage.content.body }
    }
    /// The time limit for the whole call with redirects and retries. Default: nil, that of ``options`` or the client's total timeout.
    public var timeout: Duration? {
        get { storage.content.timeout }
        _modify { yield &storage.content.timeout }
    }
    /// The statuses that the call accepts; any other throws `.statusCode`. Default: `.clientDefault`, those of ``options`` or 200 to 299.
    public var validation: StatusValidation {
        get { storage.content.validation }
        _modify { yield &storage.content.validation }
    }
    /// The options of every call of this request, unless the call overrides them. Default: none.
    public var options: CallOptions {
        get { storage.content.options }
        _modify { yield &storage.content.options }
    }
    /// The name for logs and metrics. Default: the method and the path's template, such as `GET users/{}`.
    public var endpointName: String {
        get {
            if let name = storage.content.givenName { return name }
            let template = url == nil ? path.template : ""
            return method.rawValue + (template.isEmpty || method.rawValue.isEmpty ? "" : " ") + template
        }
        set { storage.content.givenName = newValue }
    }
    package let decoding: ResponseDecoding<Response>
    // Boxed, because a call copies the request several times, and copying the values themselves would retain each of them.
    private var storage: CopyOnWrite<RequestContent>

    /// Creates a request that decodes its response with `decoding`. Its target is `url` if it is given, and otherwise `path` below the base
    /// URL.
    public init(
        method: HTTPMethod, path: Path = "", url: URL? = nil, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil,
        decoding: ResponseDecoding<Response>
    ) {
        self.init(
            CopyOnWrite(RequestContent(url: url, path: path, method: method, query: query, headers: headers, body: body)), decoding)
    }

    private init(_ storage: CopyOnWrite<RequestContent>, _ decoding: ResponseDecoding<Response>) {
        self.storage = storage
        self.decoding = decoding
    }

    /// The decoding of the request, which endpoints of other types do not have as a value.
    @_spi(EndpointSpelling) public static func _decoding(of endpoint: Self) -> ResponseDecoding<Response> { endpoint.decoding }

    /// Returns the value decoded from a response, without checking its status.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        try decoding.decode(response, decoder)
    }

    /// Returns a copy of the request whose value is converted to another type after decoding.
    ///
    /// ```swift
    /// let names = Request<[User]>.get("users").map { $0.map(\.name) }  // a Request<[String]>
    /// ```
    ///
    /// - Parameter transform: Converts the response. An `HTTPError` that it throws is passed on; any other error becomes `.decodingFailed`.
    public func map<NewResponse: Sendable>(_ transform: @escaping @Sendable (Response) throws -> NewResponse) -> Request<NewResponse> {
        Request<NewResponse>(storage, decoding.map(transform))
    }

    /// Returns a copy of the request with another base URL, or that of the client if it is nil. A full URL of the request ignores it.
    public func relative(to baseURL: URL?) -> Self {
        var request = self
        request.baseURL = baseURL
        return request
    }
}

/// The values of a request, shared by its copies. Not nested in it, so that it does not depend on the type of the response.
private struct RequestContent: Sendable {
    var baseURL: URL?
    var url: URL?
    var path: Path
    var method: HTTPMethod
    var query: Query
    var headers: HTTPFields
    var body: RequestBody?
    var timeout: Duration?
    var validation = StatusValidation.clientDefault
    var options = CallOptions()
    var givenName: String?
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The method and the path or URL, with secrets redacted.
    public var description: String {
        "\(Redaction.line(method.rawValue, limit: 40)) \(url.map { Redaction.url($0) } ?? Redaction.address(path.text))"
    }
}

extension Request where Response: Decodable {
    /// Creates a request with any method for a path below the base URL, and decodes the response as `Response`.
    public init(method: HTTPMethod, path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, path: path, url: nil, query: query, headers: headers, body: body, decoding: .decodable)
    }

    /// Creates a request with any method for a full URL, to whose query `query` is added, and decodes the response as
    /// `Response`. The URL is sent unchanged otherwise.
    public init(method: HTTPMethod, url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, url: url, query: query, headers: headers, body: body, decoding: .decodable)
    }
}

// Void can't conform to a protocol, so it needs an extension apart from the one for decodable responses.
extension Request where Response == Void {
    /// Creates a request with any method for a path below the base URL. The body of its response is ignored.
    public init(method: HTTPMethod, path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, path: path, url: nil, query: query, headers: headers, body: body, decoding: .void)
    }

    /// Creates a request with any method for a full URL, to whose query `query` is added. The body of its response is ignored.
    public init(method: HTTPMethod, url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, url: url, query: query, headers: headers, body: body, decoding: .void)
    }

    /// Unavailable: where nothing names a type, it would be chosen for every GET.
    @available(*, unavailable, message: "use Request<EmptyResponse>, or Request<Void>(method: .get, path: …)")
    public static func get(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .get, path: path, query: query, headers: headers)
    }

    /// Unavailable: where nothing names a type, it would be chosen for every GET.
    @available(*, unavailable, message: "use Request<EmptyResponse>, or Request<Void>(method: .get, path: …)")
    public static func get(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .get, url: url, query: query, headers: headers)
    }

    /// Creates a HEAD request for a path below the base URL.
    public static func head(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .head, path: path, query: query, headers: headers)
    }

    /// Creates a HEAD request for a full URL.
    public static func head(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .head, url: url, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a path below the base URL.
    public static func options(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .options, path: path, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a full URL.
    public static func options(url: URL, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .options, url: url, query: query, headers: headers)
    }

    /// Creates a POST request for a path below the base URL.
    public static func post(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a POST request for a full URL.
    public static func post(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .post, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a path below the base URL.
    public static func put(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a full URL.
    public static func put(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .put, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a path below the base URL.
    public static func patch(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a full URL.
    public static func patch(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .patch, url: url, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a path below the base URL.
    public static func delete(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .delete, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a full URL.
    public static func delete(url: URL, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .delete, url: url, query: query, headers: headers, body: body)
    }
}

extension Request {
    /// Returns a copy of the request with a time limit for the whole call. `.unlimited` removes the limit.
    ///
    /// Modifiers can be chained. They don't change the original:
    ///
    /// ```swift
    /// let request = Request<News>.get("news").timeout(.seconds(5)).header("X-A", "1").cachePolicy(.reload)
    /// ```
    public consuming func timeout(_ timeout: Duration) -> Self { changed { $0.timeout = timeout } }

    /// Returns a copy of the request with a header field, which replaces fields of the same name.
    public consuming func header(_ name: HTTPFieldName, _ value: String) -> Self { changed { $0.headers[name] = value } }

    /// Returns a copy of the request with these accepted statuses; any other throws `.statusCode`.
    public consuming func validating(_ validation: StatusValidation) -> Self { changed { $0.validation = validation } }

    /// Returns a copy of the request with a policy for the cache, if the client has one.
    public consuming func cachePolicy(_ policy: CachePolicy) -> Self { changed { $0.options.cachePolicy = policy } }

    /// Returns a copy of the request with a retry policy, used instead of the `RetryInterceptor`'s own.
    public consuming func retryPolicy(_ policy: RetryPolicy) -> Self { changed { $0.options.retryPolicy = policy } }

    /// Returns a copy of the request with a redirect policy, used instead of the client's.
    public consuming func redirects(_ policy: RedirectPolicy) -> Self { changed { $0.options.redirects = policy } }

    /// Returns a copy of the request with a name for logs and metrics.
    public consuming func named(_ name: String) -> Self { changed { $0.endpointName = name } }

    /// Returns a copy of the request with one more label for interceptors and logs.
    public consuming func tag(_ tag: String) -> Self { changed { $0.options.tags.insert(tag) } }

    private consuming func changed(_ change: (inout Self) -> Void) -> Self {
        var request = self
        change(&request)
        return request
    }
}
