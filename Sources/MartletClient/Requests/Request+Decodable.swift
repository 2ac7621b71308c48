public import MartletEssentials

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
