/// The pattern for the paths that a ``RequestMatcher`` matches.
///
/// | pattern | matches |
/// |---|---|
/// | `/users/1` | this path |
/// | `/users/{id}` | one segment for `{id}`, which a handler finds in ``RequestMatcher/parameters(of:)`` |
/// | `/users/*` | any one segment |
/// | `/files/**` | any number of segments, also none |
/// | `users/{id}` | the same as `/users/{id}`, below any path of a base URL |
///
/// Segments are compared decoded: `/a b` matches `/a%20b`. A trailing slash counts.
struct PathPattern: Sendable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
        case any
        case rest
    }

    let text: String
    let segments: [Segment]
    let isAnchored: Bool
    /// Why the pattern matches nothing, or nil.
    let problem: String?

    init(_ text: String) {
        self.text = text
        isAnchored = text.hasPrefix("/")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAnchored ? 1 : 0)
        segments = parts.map(Segment.init)
        let names = segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        if text.isEmpty {
            problem = "it is empty; the path of an origin is /, and any path is /**"
        } else if text.contains("#") {
            problem = "it has a fragment, which is not sent"
        } else if !isAnchored, text.contains("://") {
            problem = "it is a URL; use host(_:) for the host"
        } else if segments.dropLast().contains(.rest) {
            problem = "** is only valid at the end"
        } else if names.contains("") || zip(parts, segments).contains(where: PathPattern.isUnfinished) {
            problem = "braces must contain a name and be a whole segment: {id}"
        } else if Set(names).count < names.count {
            problem = "a name occurs twice"
        } else {
            problem = nil
        }
    }

    /// Whether a segment contains unencoded braces that are not a parameter. Encoded braces are ordinary characters.
    private static func isUnfinished(_ part: Substring, _ segment: Segment) -> Bool {
        switch segment {
        case .literal: part.contains("{") || part.contains("}")
        case .parameter(let name): name.contains("{") || name.contains("}")
        case .any, .rest: false
        }
    }

    /// Returns the decoded values of the parameters if the pattern matches the path.
    func parameters(of path: String) -> [String: String]? {
        guard problem == nil else { return nil }
        let found = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(path.hasPrefix("/") ? 1 : 0)
            .map { PercentEncoding.unescapedText($0) }
        guard !isAnchored else { return parameters(of: found[...]) }
        return found.indices.lazy.compactMap { parameters(of: found[$0...]) }.first
    }

    private func parameters(of found: ArraySlice<String>) -> [String: String]? {
        let fixed = segments.last == .rest ? segments.dropLast() : segments[...]
        guard fixed.count == found.count || segments.last == .rest && fixed.count <= found.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(fixed, found) {
            switch segment {
            case .literal(let text): guard text == part else { return nil }
            case .parameter(let name): parameters[name] = part
            case .any, .rest: break
            }
        }
        return parameters
    }
}

extension PathPattern.Segment {
    fileprivate init(_ part: some StringProtocol) {
        switch part {
        case "*": self = .any
        case "**": self = .rest
        default:
            let isParameter = part.hasPrefix("{") && part.hasSuffix("}") && part.count >= 2
            self = isParameter ? .parameter(String(part.dropFirst().dropLast())) : .literal(PercentEncoding.unescapedText(part))
        }
    }
}
