package import MartletEssentials

/// A base URL, split once into the part before the paths and its own query.
///
/// A class, so that calls pass one reference.
final class BaseURL: Sendable {
    let url: URL
    let origin: Origin?
    /// The origin of the URLs of all paths, or nil if the URL can't be a base.
    let checkedOrigin: CheckedOrigin?
    private let prefix: String
    /// Whether the prefix is the text of a URL, so that paths below it need no `URL`.
    private let isText: Bool
    private let query: String?
    private let problem: String?

    init(_ url: URL) {
        self.url = url
        checkedOrigin = CheckedOrigin(url)
        origin = checkedOrigin?.origin ?? Origin(url)
        let text = url.absoluteString
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        prefix = String(text[..<end])
        isText = URL(string: prefix)?.absoluteString == prefix
        query = text[end...].hasPrefix("?") ? String(text[end...].dropFirst()) : nil
        problem = CheckedOrigin.problem(of: url).map { "the base URL \($0)" } ?? (text.contains("#") ? "the base URL has a fragment" : nil)
    }

    /// The base with `http` for `ws` and `https` for `wss`.
    var withoutWebSocketScheme: BaseURL {
        let url = url.withoutWebSocketScheme
        return url == self.url ? self : BaseURL(url)
    }

    /// Returns the URL of a path below the base. Its query joins that of the base, that of the path, and `query`.
    func url(for path: Path, query: String) throws(HTTPError) -> RequestURL {
        if let problem { throw .invalidURL(Explanation("\(problem): \(Redaction.url(url))")) }
        if let problem = path.problem { throw .invalidURL(Explanation(problem)) }
        let bytes = path.text.utf8
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var text = ""
        text.reserveCapacity(prefix.utf8.count + bytes.count + (self.query?.utf8.count ?? 0) + query.utf8.count + 3)
        text += prefix
        if mark > bytes.startIndex {
            if text.utf8.last != UInt8(ascii: "/") { text += "/" }
            text += Substring(bytes[..<mark].drop { $0 == UInt8(ascii: "/") })
        }
        var separator = "?"
        func add(_ part: Substring) {
            text += separator
            text += part
            separator = "&"
        }
        if let own = self.query, !own.isEmpty { add(own[...]) }
        if mark < bytes.endIndex { add(path.text[bytes.index(after: mark)...]) }
        if !query.isEmpty { add(query[...]) }
        let known = text.utf8.index(text.startIndex, offsetBy: prefix.utf8.count)
        guard let url = RequestURL(text, checkedFrom: isText ? known : nil) else { throw .invalidURL(Explanation(Redaction.address(text))) }
        return url
    }
}

extension URL {
    /// The URL with `http` for `ws` and `https` for `wss`.
    package var withoutWebSocketScheme: URL {
        guard let scheme, let other = ["ws": "http", "wss": "https"][scheme.lowercased()] else { return self }
        return URL(string: other + absoluteString.dropFirst(scheme.count)) ?? self
    }

    /// Returns the URL with an escaped query added before its fragment, or nil if the result is not a URL.
    package func adding(query: String) -> URL? {
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let start = text[..<end]
        let mark = !start.contains("?") ? "?" : start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&"
        return URL(string: start + mark + query + text[end...])
    }
}
