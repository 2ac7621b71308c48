public import MartletEssentials

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
