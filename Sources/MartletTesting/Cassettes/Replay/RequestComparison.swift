internal import MartletEssentials

/// Compares a request with a recorded one, part by part.
struct RequestComparison {
    let recorded: RecordedExchange
    let found: RequestSnapshot
    let rule: MatchingRule
    let expectedParts: URLParts
    let foundParts: URLParts

    var differences: [RequestDifference] { rule.parts.flatMap(differences) }

    /// Whether there are no differences. Stops at the first part that differs.
    var fits: Bool { rule.parts.allSatisfy(fits(in:)) }

    private func fits(in part: MatchingRule.Part) -> Bool {
        switch part {
        case .method: recorded.method == found.method
        case .origin: expectedParts.origin == foundParts.origin
        case .path: expectedParts.pathFits(foundParts)
        case .query, .headers, .body: differences(in: part).isEmpty
        }
    }

    private func differences(in part: MatchingRule.Part) -> [RequestDifference] {
        switch part {
        case .method: return differing("method", fits(in: part), recorded.method.rawValue, found.method.rawValue)
        case .origin: return differing("origin", fits(in: part), expectedParts.origin, foundParts.origin)
        case .path:
            return differing("path", fits(in: part), Redaction.address(expectedParts.path), Redaction.address(foundParts.path))
        case .query: return differences("query", recorded.snapshot.query, found.query)
        case .headers(let names): return names.flatMap { differences(of: $0, recorded.headers) }
        case .body: return bodyDifferences
        }
    }

    private func differing(
        _ part: String, _ fits: Bool, _ expected: @autoclosure () -> String, _ found: @autoclosure () -> String
    ) -> [RequestDifference] {
        fits ? [] : [RequestDifference(part: part, expected: expected(), found: found())]
    }

    private func differences(of name: HTTPFieldName, _ expected: HTTPFields) -> [RequestDifference] {
        let (wanted, found) = (expected.values(for: name), self.found.headers.values(for: name))
        let isSecret = [expected, self.found.headers].joined().contains { $0.name == name && $0.isCredential }
        let shown = { (values: [String]) in
            values.isEmpty ? "none" : isSecret ? Redaction.mask : values.map { Redaction.line($0) }.joined(separator: ", ")
        }
        let fits = wanted.count == found.count && zip(wanted, found).allSatisfy { WildcardText.fits($0, $1) }
        return differing("header \(name)", fits, shown(wanted), shown(found))
    }

    /// Compares items by name, in the order in which the names appear.
    private func differences(_ part: String, _ expected: RequestItems, _ found: RequestItems) -> [RequestDifference] {
        let wantedItems = Dictionary(grouping: expected, by: \.name)
        let foundItems = Dictionary(grouping: found, by: \.name)
        var seen = rule.ignored
        let names = (expected.map(\.name) + found.map(\.name)).filter { seen.insert($0).inserted }
        return names.flatMap { name in
            let (wanted, got) = (wantedItems[name] ?? [], foundItems[name] ?? [])
            let fits = wanted.count == got.count && zip(wanted, got).allSatisfy { WildcardText.fits($0.value ?? "", $1.value ?? "") }
            return differing("\(part) \(Redaction.line(name, limit: 60))", fits, shown(wanted), shown(got))
        }
    }

    private func shown(_ items: [URLQueryItem]) -> String {
        items.isEmpty ? "none" : Redaction.line(items.map(\.redactedText).joined(separator: "&"))
    }

    // MARK: Bodies

    private var bodyDifferences: [RequestDifference] {
        switch recorded.requestBody {
        case .missing(let size?):
            differing("body", size == found.body.count, "\(size) bytes, which are not in the recording", "\(found.body.count) bytes")
        case .missing(nil): []
        case .start(let start):
            differing(
                "body", found.body.starts(with: start), "a body that begins with \(shown(start, recorded.headers))",
                shown(found.body, found.headers))
        case .bytes(let body): body == found.body ? [] : differences(of: body)
        }
    }

    private func differences(of body: Data) -> [RequestDifference] {
        let type = found.headers[.contentType].flatMap { MediaType($0) }
        if !body.isEmpty, !found.body.isEmpty, type?.essence != "application/x-www-form-urlencoded",
            let expected = JSONValue(comparing: body), let got = JSONValue(comparing: found.body)
        {
            let wanted = WildcardText.filled(expected.without(rule.ignored), from: got)
            return JSONDifference.between(expected: wanted, found: got.without(rule.ignored), isWhole: true, isLiteral: false)
        }
        if type?.essence == "application/x-www-form-urlencoded", let expected = String(validUTF8: body), let got = found.text {
            return differences("body", RequestItems(encoded: expected), RequestItems(encoded: got))
        }
        let fits = WildcardText.fits(
            String(latin1: withoutBoundary(body, recorded.headers)), String(latin1: withoutBoundary(found.body, found.headers)))
        // Masking a truncated text adds a closing quote.
        let hidden = CassetteRedaction.standard.body(found.body, type: found.headers[.contentType] ?? "", isAnswer: false)
        return differing("body", fits || hidden == body, shown(body, recorded.headers), shown(found.body, found.headers))
    }

    private func shown(_ body: Data, _ headers: HTTPFields) -> String {
        body.isEmpty ? "no body" : CassetteRedaction.standard.excerpt(of: body, type: headers[.contentType] ?? "")
    }

    /// Returns a multipart body with a fixed boundary in place of its own, which is random.
    private func withoutBoundary(_ body: Data, _ headers: HTTPFields) -> Data {
        guard let type = headers[.contentType].flatMap({ MediaType($0) }), type.type == "multipart", let boundary = type["boundary"],
            !boundary.isEmpty
        else { return body }
        return body.replacing(Data("--\(boundary)".utf8), with: Data("--boundary".utf8))
    }
}

/// The parts of a URL to compare, parsed once for all comparisons.
struct URLParts: Sendable {
    /// The scheme, host and port, such as `https://api.example.com:443`.
    let origin: String
    let path: String
    /// Whether a secret was masked in the path.
    private let isMasked: Bool

    init(_ request: RequestSnapshot) {
        origin = URLParts.origin(of: request.url)
        path = request.path
        isMasked = path.contains(CassetteRedaction.maskInURL)
    }

    /// Whether another path equals this one, except where this one was redacted.
    func pathFits(_ found: URLParts) -> Bool {
        path == found.path || isMasked && WildcardText.fits(path, found.path, masks: [CassetteRedaction.maskInURL])
    }

    private static func origin(of url: String) -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let rest = url.dropFirst(scheme.count).drop { $0 == ":" || $0 == "/" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        let host = authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
        let isPortGiven = host.lastIndex(of: ":").map { colon in host[colon...].dropFirst().allSatisfy(\.isNumber) } ?? false
        return "\(scheme)://\(host)" + (isPortGiven ? "" : scheme == "https" ? ":443" : ":80")
    }
}

/// Compares texts with masked secrets, which match any text.
enum WildcardText {
    private static let masks = [Redaction.mask, String(latin1: Redaction.mask.utf8), CassetteRedaction.maskInURL]

    static func fits(_ expected: String, _ found: String, masks: [String] = masks) -> Bool {
        if expected == found { return true }
        guard let mask = masks.first(where: { expected.contains($0) }) else { return false }
        let parts = expected.split(separator: mask, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, found.hasPrefix(first) else { return false }
        var rest = found.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard part.isEmpty || rest.contains(part) else { return false }
            if let range = rest.firstRange(of: part) { rest = rest[range.upperBound...] }
        }
        return rest.hasSuffix(last)
    }

    /// Returns a recorded value with its masked parts replaced by those of the other value.
    static func filled(_ expected: JSONValue, from found: JSONValue) -> JSONValue {
        switch (expected, found) {
        case (.string(Redaction.mask), _): return found
        case (.string(let text), .string(let other)): return fits(text, other) ? found : expected
        case (.object(let expected), .object(let found)):
            return .object(
                JSONObject(expected.map { name, value in (key: name, value: found[name].map { filled(value, from: $0) } ?? value) }))
        case (.array(let expected), .array(let found)):
            return .array(JSONArray(expected.enumerated().map { $0 < found.count ? filled($1, from: found[$0]) : $1 }))
        default: return expected
        }
    }
}
