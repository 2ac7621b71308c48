public import MartletEssentials

/// A request as a test compares it, with the method, URL, header fields and body that `MockTransport`, `MockServer` or a recording
/// captured.
///
/// Its description is suitable for golden files: see ``description``.
public struct RequestSnapshot: Sendable {
    /// The request method.
    public var method: HTTPMethod
    /// The percent-encoded URL as it was sent, for a request captured by a server without scheme and host, such as `/users?page=2`.
    public var url: String
    /// The header fields, with order and duplicates.
    public var headers: HTTPFields
    /// The body, or empty data if the request has none.
    public var body: Data

    /// Creates a request from its parts, for example to compare it with a captured one.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPFields = [:], body: Data = Data()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The path and query as sent, percent-encoded, such as `/users/1?page=2`, never empty.
    public var target: String { TargetURI.originForm(of: url) }

    /// The host and, if the URL has one, the port, such as `api.example.com:8080`, or nil. For a request captured by a server, the value of
    /// `Host`.
    public var authority: String? {
        guard let mark = url.firstRange(of: "://"), url[..<mark.lowerBound].allSatisfy({ $0.isLetter }) else { return headers[.host] }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
