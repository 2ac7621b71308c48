package import MartletEssentials

/// A base URL, split once into the part before the paths and its own query.
struct BaseURL: Sendable {
    let url: URL
    let origin: Origin?
    private let prefix: String
    private let query: String?
    private let problem: String?

    init(_ url: URL) {
        self.url = url
        origin = Origin(url)
        let text = url.absoluteString
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        prefix = String(text[..<end])
        query = text[end...].hasPrefix("?") ? String(text[end...].dropFirst()) : nil
        problem = HTTPRequest.problem(of: url).map { "the base URL \($0)" } ?? (text.contains("#") ? "the base URL has a fragment" : nil)
    }

    /// Returns the URL of a path below the base. Its query joins that of the base, that of the path, and `query`.
    func url(for path: Path, query: String) throws(HTTPError) -> URL {
        if let problem { throw .invalidURL(Explanation("\(problem): \(Redaction.url(url))")) }
        if let problem = path.problem { throw .invalidURL(Explanation(problem)) }
        var text = prefix
        var queries: [Substring] = []
        let mark = path.text.firstIndex(of: "?") ?? path.text.endIndex
        let relative = path.text[..<mark].drop { $0 == "/" }
        if !path.text[..<mark].isEmpty {
            if text.utf8.last != UInt8(ascii: "/") { text += "/" }
            text += relative
        }
        if let own = self.query, !own.isEmpty { queries.append(own[...]) }
        if mark < path.text.endIndex { queries.append(path.text[mark...].dropFirst()) }
        if !query.isEmpty { queries.append(query[...]) }
        if !queries.isEmpty { text += "?" + queries.joined(separator: "&") }
        guard let url = URL(string: text) else { throw .invalidURL(Explanation(Redaction.address(text))) }
        return url
    }
}

extension URL {
    /// Returns the URL with an escaped query added before its fragment, or nil if the result is not a URL.
    package func adding(query: String) -> URL? {
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let start = text[..<end]
        let mark = !start.contains("?") ? "?" : start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&"
        return URL(string: start + mark + query + text[end...])
    }
}
