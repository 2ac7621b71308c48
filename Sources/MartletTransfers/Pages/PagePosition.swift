public import MartletEssentials

/// The position of a page in a sequence, as the changes to the endpoint that request it. It can be stored, to continue from it later.
public struct PagePosition: Sendable, Hashable, Codable {
    enum Target: Sendable, Hashable, Codable {
        case start
        /// The endpoint with these query items, which replace its own items of the same names.
        case query([Item])
        /// The endpoint with a body that is created from this cursor.
        case body(String)
        case url(URL)

        /// Compares cursors by bytes, so that equivalent ones do not count as a loop.
        static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.start, .start): true
            case (.query(let first), .query(let second)): first == second
            case (.body(let first), .body(let second)): first.hasSameBytes(as: second)
            case (.url(let first), .url(let second)): first == second
            default: false
            }
        }
    }

    struct Item: Sendable, Hashable, Codable {
        let name: String
        let value: String

        static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }
    }

    let target: Target
    /// The origins of the responses that led to this URL, except its own. Requests that another origin chose are sent with the fields
    /// that a redirect would take there.
    let passed: [String]

    init(_ target: Target, passed: [Origin] = []) {
        self.target = target
        self.passed = passed.map(\.description)
    }

    /// The position of the first page, which is requested by the endpoint without changes.
    public static var start: PagePosition { PagePosition(.start) }

    /// The position of a page that is requested with a query item, which replaces the endpoint's own items of that name.
    public static func query(_ name: String, _ value: some CustomStringConvertible) -> PagePosition {
        PagePosition(.query([Item(name: name, value: value.description)]))
    }

    /// The position of a page that is requested at this URL, in place of the endpoint's own.
    ///
    /// As a start, the URL is sent with all header fields of the endpoint. Returned by a rule (``NextPage/custom(from:_:)``), it counts as
    /// the server's choice, and another origin gets only the fields that a redirect would take there.
    public static func url(_ url: URL) -> PagePosition { PagePosition(.url(url)) }

    /// Returns the endpoint that requests this page.
    ///
    /// - Parameter names: The names of fields that the app declares as harmless. Default: none.
    func adjusted<E: Endpoint>(
        _ endpoint: E, body: (@Sendable (String) -> RequestBody)?, naming names: Set<HTTPFieldName> = []
    ) -> AdjustedEndpoint<E> {
        var adjusted = AdjustedEndpoint(endpoint)
        switch target {
        case .start: break
        case .query(let items):
            for item in items {
                adjusted.query.replace(item.name, with: item.value)
                adjusted.url = adjusted.url.map { PagePosition.removing(item.name, from: $0) }
            }
        case .body(let cursor): adjusted.body = body?(cursor) ?? adjusted.body
        case .url(let url):
            adjusted.url = url
            adjusted.query = [:]
        }
        guard !passed.isEmpty else { return adjusted }
        adjusted.options.context.leaveOrigin(with: &adjusted.headers, naming: names)
        adjusted.options.context.passedOrigins = passed.map { Origin(stringLiteral: $0) }
        return adjusted
    }

    /// Returns a full URL without the query items of a name, because the endpoint's own query is added after them.
    private static func removing(_ name: String, from url: URL) -> URL {
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return url }
        let items = text[text.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            !PercentEncoding.unescapedText(item.prefix { $0 != "=" }).hasSameBytes(as: name)
        }
        guard kept.count < items.count else { return url }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return URL(string: text[..<mark] + query + text[end...]) ?? url
    }
}

extension PagePosition: CustomStringConvertible {
    /// The position as text for developers, with secrets in a URL redacted.
    public var description: String {
        switch target {
        case .start: "the first page"
        case .query(let items): Redaction.address("?" + items.map { "\($0.name)=\($0.value)" }.joined(separator: "&"), limit: 200)
        case .body(let cursor): "the cursor “\(Redaction.line(cursor, limit: 60))”"
        case .url(let url): Redaction.url(url)
        }
    }
}
