internal import MartletHTTP

/// A stored property of the generated endpoint, which is also a parameter of its initializer and of the repository's method.
struct EndpointProperty: Sendable, Hashable {
    /// Where the value is sent.
    enum Place: Sendable, Hashable {
        case path(String)
        case query(String)
        case body
    }

    let name: String
    /// The type as the endpoint writes it: `Int`, `String?`, `Body`.
    let type: String
    let place: Place
    /// The value that the test passes, as Swift source.
    let sample: String
    /// The sample value as it appears in the request's target.
    let sent: String

    var isOptional: Bool { if case .query = place { true } else { false } }
    var needsFoundation: Bool { type == "UUID" }

    /// The property's comment.
    var comment: String {
        switch place {
        case .path(let name): "The value of `{\(SourceText.comment(name))}` in the path."
        case .query(let name): "The query parameter `\(SourceText.comment(name))`. Nil leaves it out."
        case .body: "The body of the request."
        }
    }

    /// Returns the properties of an endpoint: the values of the path, the query and the body.
    static func all(_ path: PathTemplate, _ query: QuerySample, _ payload: PayloadType?) -> [EndpointProperty] {
        var taken = members
        func unused(_ text: String) -> String {
            let property = Identifier.property(text)
            let name = members.contains(property) ? property + "Value" : property
            let unused = Identifier.unused(name, taken: taken)
            taken.insert(unused)
            return unused
        }
        var properties = path.placeholders.enumerated().map { index, placeholder in
            let (source, sent) = sample(placeholder.type, index)
            return EndpointProperty(
                name: unused(placeholder.name), type: placeholder.type.rawValue, place: .path(placeholder.name), sample: source, sent: sent)
        }
        for parameter in query.parameters {
            let values = parameter.values.map { parameter.type == .string ? SourceText.quoted($0) : $0 }.joined(separator: ", ")
            properties.append(
                EndpointProperty(
                    name: unused(parameter.name), type: parameter.typeName + "?", place: .query(parameter.name),
                    sample: parameter.isList ? "[\(values)]" : values, sent: ""))
        }
        if let payload {
            properties.append(
                EndpointProperty(
                    name: unused("payload"), type: payload.needsAlias ? payload.type.source : payload.directName, place: .body,
                    sample: "payload", sent: ""))
        }
        return properties
    }

    /// Returns a value for tests, and how it is sent. A string has a slash, which must be escaped.
    private static func sample(_ type: PathTemplate.ValueType, _ index: Int) -> (source: String, sent: String) {
        switch type {
        case .int, .int64: return ("\(7 + index)", "\(7 + index)")
        case .string:
            let text = index == 0 ? "a/b" : "a/b\(index + 1)"
            return (SourceText.quoted(text), PercentEncoding.escape(text))
        case .uuid:
            let text = "0B5D1E7A-2C34-4F6B-8A9D-00000000000\(index % 10)"
            return ("#require(UUID(uuidString: \"\(text)\"))", text)
        }
    }

    /// The members of `Endpoint` and of the generated types.
    private static let members: Set<String> = [
        "baseURL", "url", "path", "method", "query", "headers", "body", "timeout", "validation", "options", "endpointName", "decode",
        "usesDecoder", "decoding", "client", "self",
    ]
}
