public import MartletEssentials

/// Where a page is: what has to be asked for to get it. It can be kept, also in a file, and gone on from later.
public struct PagePosition: Sendable, Hashable, Codable {
    enum Target: Sendable, Hashable, Codable {
        case start
        /// The endpoint with these query items in place of its own of these names.
        case query([Item])
        /// The endpoint with a body made of this cursor.
        case body(String)
        case url(URL)
    }

    struct Item: Sendable, Hashable, Codable {
        let name: String
        let value: String
    }

    let target: Target
    /// The origins whose answers led here, but for that of the URL itself: no credential goes along with a request that they have chosen.
    let passed: [String]

    init(_ target: Target, passed: [Origin] = []) {
        self.target = target
        self.passed = passed.map(\.description)
    }

    /// The first page: the endpoint as it is.
    public static var start: PagePosition { PagePosition(.start) }

    /// The endpoint with a query item, in place of whatever it has of that name.
    public static func query(_ name: String, _ value: some CustomStringConvertible) -> PagePosition {
        PagePosition(.query([Item(name: name, value: value.description)]))
    }

    /// The endpoint with another URL. To start at, it is taken as it is, with all the endpoint's fields; given by a rule
    /// (``NextPage/custom(from:_:)``) it is the server's choice, and credentials stay on their origin.
    public static func url(_ url: URL) -> PagePosition { PagePosition(.url(url)) }

    /// The endpoint that asks for this page.
    func adjusted<E: Endpoint>(_ endpoint: E, body: (@Sendable (String) -> RequestBody)?) -> AdjustedEndpoint<E> {
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
        adjusted.headers.removeCredentials()
        adjusted.headers.remove(.host)
        adjusted.options.context.passedOrigins = passed.map { Origin(stringLiteral: $0) }
        return adjusted
    }

    /// A full URL without the items of a name in its query, since the query's own comes behind them.
    private static func removing(_ name: String, from url: URL) -> URL {
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return url }
        let items = text[text.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            PercentEncoding.unescapedText(item.prefix { $0 != "=" }) != name
        }
        guard kept.count < items.count else { return url }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return URL(string: text[..<mark] + query + text[end...]) ?? url
    }
}

extension PagePosition: CustomStringConvertible {
    /// Where it is, with what is secret in a URL hidden.
    public var description: String {
        switch target {
        case .start: "the first page"
        case .query(let items): Redaction.address("?" + items.map { "\($0.name)=\($0.value)" }.joined(separator: "&"), limit: 200)
        case .body(let cursor): "the cursor “\(Redaction.line(cursor, limit: 60))”"
        case .url(let url): Redaction.url(url)
        }
    }
}
