internal import MartletEssentials

/// One requirement of a matcher.
enum MatcherPart: Sendable, CustomStringConvertible {
    case method(HTTPMethod)
    case path(PathPattern)
    case query(String, String?)
    case withoutQuery(String)
    case header(HTTPFieldName, String?)
    case withoutHeader(HTTPFieldName)
    case host(String)
    case json(JSONValue, isWhole: Bool)
    case form(RequestItems)
    case body(Data)
    case condition(String, @Sendable (RequestSnapshot) -> Bool)

    func differences(in request: RequestSnapshot) -> [RequestDifference] {
        switch self {
        case .method(let method):
            return differing("method", method == request.method, method.rawValue, request.method.rawValue)
        case .path(let pattern):
            if let problem = pattern.problem {
                return [
                    RequestDifference(
                        part: "path", expected: "\(pattern.text), which matches nothing: \(problem)", found: path(of: request))
                ]
            }
            return differing("path", pattern.parameters(of: request.path) != nil, pattern.text, path(of: request))
        case .query(let name, let value): return differences("query \(name)", of: request.query.values(for: name), value, name)
        case .withoutQuery(let name): return differences("query \(name)", without: request.query.values(for: name), name)
        case .header(let name, let value): return differences("header \(name)", of: request.headers.values(for: name), value, name.rawName)
        case .withoutHeader(let name): return differences("header \(name)", without: request.headers.values(for: name), name.rawName)
        case .host(let host):
            return differing(
                "host", request.authority?.lowercased() == host.lowercased(), host, Redaction.address(request.authority ?? "none"))
        case .json(let value, let isWhole): return jsonDifferences(value, isWhole, in: request)
        case .form(let fields): return formDifferences(fields, in: request)
        case .body(let body):
            return differing("body", body == request.body, MatcherPart.start(of: body), MatcherPart.start(of: request.body))
        case .condition(let name, let condition): return differing("condition", condition(request), name, "a request for which it is false")
        }
    }

    var description: String {
        switch self {
        case .method(let method): method.rawValue
        case .path(let pattern): Redaction.address(pattern.text)
        case .query(let name, let value): "?\(URLQueryItem(name: name, value: value).redactedText)"
        case .withoutQuery(let name): "without ?\(name)"
        case .header(let name, let value): value.map { "[\(name): \(MatcherPart.shown($0, name.rawName))]" } ?? "[\(name)]"
        case .withoutHeader(let name): "without [\(name)]"
        case .host(let host): "to \(host)"
        case .json(let value, let isWhole): "\(isWhole ? "json" : "json with") \(value.line)"
        case .form(let fields): "form \(fields.map(\.redactedText).joined(separator: "&"))"
        case .body(let body): "body \(MatcherPart.start(of: body))"
        case .condition(let name, _): "where \(name)"
        }
    }

    // MARK: Comparing

    private func differing(_ part: String, _ fits: Bool, _ expected: String, _ found: String) -> [RequestDifference] {
        fits ? [] : [RequestDifference(part: part, expected: expected, found: found)]
    }

    private func path(of request: RequestSnapshot) -> String { Redaction.address(request.path) }

    private func differences(_ part: String, of values: [String], _ expected: String?, _ name: String) -> [RequestDifference] {
        let fits = expected.map(values.contains) ?? !values.isEmpty
        let found = values.isEmpty ? "none" : values.map { MatcherPart.shown($0, name) }.joined(separator: ", ")
        return differing(part, fits, expected.map { MatcherPart.shown($0, name) } ?? "one", found)
    }

    private func differences(_ part: String, without values: [String], _ name: String) -> [RequestDifference] {
        differing(part, values.isEmpty, "none", values.map { MatcherPart.shown($0, name) }.joined(separator: ", "))
    }

    private func jsonDifferences(_ value: JSONValue, _ isWhole: Bool, in request: RequestSnapshot) -> [RequestDifference] {
        guard let found = JSONValue(comparing: request.body) else {
            let body = request.body.isEmpty ? "no body" : "a body that is not JSON: \(MatcherPart.start(of: request.body))"
            return [RequestDifference(part: "body", expected: value.line, found: body)]
        }
        return JSONDifference.between(expected: value, found: found, isWhole: isWhole, isLiteral: true)
    }

    private func formDifferences(_ fields: RequestItems, in request: RequestSnapshot) -> [RequestDifference] {
        let shown = { (items: RequestItems) in items.isEmpty ? "no form" : items.sortedText }
        return differing("body", fields == request.form, shown(fields), Redaction.line(shown(request.form)))
    }

    /// Returns the start of a body for reports, in one line without control characters.
    private static func start(of body: Data) -> String {
        CassetteRedaction.standard.excerpt(of: body, type: "")
    }

    /// Returns a value for reports. Masked if its name is that of a secret.
    private static func shown(_ value: String, _ name: String) -> String {
        let field = HTTPFields(dictionaryLiteral: (HTTPFieldName(name), value))
        return Redaction.isSecret(name) || field.contains(where: \.isCredential) ? Redaction.mask : Redaction.line(value)
    }
}
