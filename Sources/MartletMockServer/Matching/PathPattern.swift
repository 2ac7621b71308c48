/// Which paths a ``RequestMatcher`` takes.
///
/// | pattern | takes |
/// |---|---|
/// | `/users/1` | this path |
/// | `/users/{id}` | one segment in the place of `{id}`, which a handler finds in ``RequestMatcher/parameters(of:)`` |
/// | `/users/*` | one segment, whatever it is |
/// | `/files/**` | all the rest, also none |
/// | `users/{id}` | the same as `/users/{id}`, below whatever path the base URL has |
///
/// Segments are compared decoded: `/a b` takes `/a%20b`. A final slash counts.
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
    /// Why the pattern takes nothing.
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
            problem = "it is a URL; say the host with host(_:)"
        } else if segments.dropLast().contains(.rest) {
            problem = "** is not at its end"
        } else if names.contains("") || zip(parts, segments).contains(where: PathPattern.isUnfinished) {
            problem = "braces stand for a whole segment, and have a name within: {id}"
        } else if Set(names).count < names.count {
            problem = "a name comes twice"
        } else {
            problem = nil
        }
    }

    /// Whether braces stand where they mean nothing: written plainly, for an encoded one is a character like any other.
    private static func isUnfinished(_ part: Substring, _ segment: Segment) -> Bool {
        switch segment {
        case .literal: part.contains("{") || part.contains("}")
        case .parameter(let name): name.contains("{") || name.contains("}")
        case .any, .rest: false
        }
    }

    /// The parameters' values, decoded, when the pattern takes the path.
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
