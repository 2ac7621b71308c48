public import MartletEssentials

/// A request as a test looks at it, wherever it was caught: at the client's transport or at the server's socket.
///
/// Its description is made for golden files: see ``description``.
public struct RequestSnapshot: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The URL as it was sent, percent-encoded; what a server caught has no scheme and host: `/users?page=2`.
    public var url: String
    /// The fields, in their order and with their duplicates.
    public var headers: HTTPFields
    /// The content; empty when there is none.
    public var body: Data

    /// A request made by hand.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPFields = [:], body: Data = Data()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The path and query as they were sent, percent-encoded: `/users/1?page=2`. Never empty.
    public var target: String { TargetURI.originForm(of: url) }

    /// The host and, when it is in the URL, the port: `api.example.com:8080`; from a server, what `Host` says.
    public var authority: String? {
        guard let mark = url.firstRange(of: "://"), url[..<mark.lowerBound].allSatisfy({ $0.isLetter }) else { return headers[.host] }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
