public import MartletEssentials

extension Request where Response: Decodable {
    /// Creates a request with any method for a path below the base URL, and decodes the response as `Response`.
    public init(method: HTTPMethod, path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, path: path, url: nil, query: query, headers: headers, body: body, decoding: .decodable)
    }

    /// Creates a request with any method for a full URL, which is sent unchanged, and decodes the response as `Response`.
    public init(method: HTTPMethod, url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) {
        self.init(method: method, url: url, headers: headers, body: body, decoding: .decodable)
    }

    /// Creates a GET request for a path below the base URL.
    public static func get(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .get, path: path, query: query, headers: headers)
    }

    /// Creates a GET request for a full URL.
    public static func get(url: URL, headers: HTTPFields = [:]) -> Self {
        Self(method: .get, url: url, headers: headers)
    }

    /// Creates a HEAD request for a path below the base URL.
    public static func head(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .head, path: path, query: query, headers: headers)
    }

    /// Creates a HEAD request for a full URL.
    public static func head(url: URL, headers: HTTPFields = [:]) -> Self {
        Self(method: .head, url: url, headers: headers)
    }

    /// Creates an OPTIONS request for a path below the base URL.
    public static func options(_ path: Path, query: Query = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .options, path: path, query: query, headers: headers)
    }

    /// Creates an OPTIONS request for a full URL.
    public static func options(url: URL, headers: HTTPFields = [:]) -> Self {
        Self(method: .options, url: url, headers: headers)
    }

    /// Creates a DELETE request for a path below the base URL.
    public static func delete(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .delete, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a DELETE request for a full URL.
    public static func delete(url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .delete, url: url, headers: headers, body: body)
    }

    /// Creates a POST request for a path below the base URL.
    public static func post(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a POST request for a full URL.
    public static func post(url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .post, url: url, headers: headers, body: body)
    }

    /// Creates a PUT request for a path below the base URL.
    public static func put(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PUT request for a full URL.
    public static func put(url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .put, url: url, headers: headers, body: body)
    }

    /// Creates a PATCH request for a path below the base URL.
    public static func patch(_ path: Path, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// Creates a PATCH request for a full URL.
    public static func patch(url: URL, headers: HTTPFields = [:], body: RequestBody? = nil) -> Self {
        Self(method: .patch, url: url, headers: headers, body: body)
    }
}
