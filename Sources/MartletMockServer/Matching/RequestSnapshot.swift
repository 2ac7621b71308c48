public import MartletEssentials

/// The parts of a request that tests compare: method, URL, header fields and body, as `MockTransport`, `MockServer` or a recording captured
/// them.
///
/// Its description is suitable for golden files: see ``description``.
public struct RequestSnapshot: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The URL as sent, percent-encoded. A request captured by a server has no scheme and host: `/users?page=2`.
    public var url: String
    /// The header fields, with order and duplicates.
    public var headers: HTTPFields
    /// The body. Empty if there is none.
    public var body: Data

    /// Creates a request by hand.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPFields = [:], body: Data = Data()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The path and query as sent, percent-encoded: `/users/1?page=2`. Never empty.
    public var target: String { TargetURI.originForm(of: url) }

    /// The host and, if it is in the URL, the port: `api.example.com:8080`. For a request captured by a server, the value of `Host`.
    public var authority: String? {
        guard let mark = url.firstRange(of: "://"), url[..<mark.lowerBound].allSatisfy({ $0.isLetter }) else { return headers[.host] }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
