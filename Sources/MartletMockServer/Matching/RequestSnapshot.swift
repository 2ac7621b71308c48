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

    /// The path, percent-encoded: `/users/1`. Never empty.
    public var path: String {
        let path = target.prefix { $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }

    /// The query, percent-encoded, without the question mark; nil when there is none.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

    /// The items of the query, decoded, in order. A `+` is a space, as in forms.
    public var queryItems: [URLQueryItem] { query.map(RequestSnapshot.items(of:)) ?? [] }

    /// The host and, when it is in the URL, the port: `api.example.com:8080`; from a server, what `Host` says.
    public var authority: String? {
        guard let start = afterScheme else { return headers[.host] }
        return String(url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// The body as a JSON value, or nil when it is none.
    public var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(parsing: body) }

    /// The body as text, or nil when it is none.
    public var text: String? { String(validUTF8: body) }

    /// The items of a query or of a body that is a form (the WHATWG's application/x-www-form-urlencoded), decoded.
    package static func items(of text: some StringProtocol) -> [URLQueryItem] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEncoding.unescapedForm($0) }
            return URLQueryItem(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
        }
    }

    /// Where the authority begins; nil in a target, whose query may well have another URL in it.
    private var afterScheme: String.Index? {
        guard let mark = url.firstRange(of: "://"), url[..<mark.lowerBound].allSatisfy({ $0.isLetter }) else { return nil }
        return mark.upperBound
    }

    private var target: Substring {
        let start = afterScheme.map { url[$0...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex }
        return url[(start ?? url.startIndex)...].prefix { $0 != "#" }
    }
}

extension URLQueryItem {
    /// `name=value`, with a secret's value hidden.
    package var redactedText: String {
        guard let value else { return name }
        return "\(name)=\(Redaction.isSecret(name) ? Redaction.mask : value)"
    }
}
