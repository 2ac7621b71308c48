internal import MartletHTTP

/// The parameters of a sample query such as `page=1&sort=name`.
struct QuerySample: Sendable, Hashable {
    /// A type that a parameter can have.
    enum ValueType: String, Sendable {
        case string = "String"
        case int = "Int"
        case double = "Double"
        case bool = "Bool"
    }

    /// A parameter with its sample values.
    struct Parameter: Sendable, Hashable {
        let name: String
        let type: ValueType
        /// Several values if the name occurs several times in the sample.
        let values: [String]
        /// Whether the property is an array: the name occurs several times, or ends with `[]`.
        let isList: Bool

        var typeName: String { isList ? "[\(type.rawValue)]" : type.rawValue }
    }

    let parameters: [Parameter]

    /// Parses a query, with or without a `?` at the start.
    init(_ text: String) throws(GeneratorError) {
        let text = text.hasPrefix("?") ? String(text.dropFirst()) : text
        var names: [String] = [], values: [String: [String]] = [:]
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) where !text.isEmpty {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.unescapedForm(halves[0])
            guard !name.isEmpty else { throw .invalidQuery(text, reason: "a parameter has no name") }
            guard !text.contains("#") else { throw .invalidQuery(text, reason: "it has a fragment. Write %23 for #") }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(halves.count == 2 ? PercentEncoding.unescapedForm(halves[1]) : "")
        }
        parameters = names.map { name in
            let values = values[name] ?? []
            return Parameter(
                name: name, type: QuerySample.type(of: values), values: values, isList: values.count > 1 || name.hasSuffix("[]"))
        }
    }

    /// Returns the type whose values are written exactly like the samples: `007` is a string.
    private static func type(of values: [String]) -> ValueType {
        if values.allSatisfy({ Int64($0).map(String.init) == $0 }) { return .int }
        if values.allSatisfy({ $0 == "true" || $0 == "false" }) { return .bool }
        if values.allSatisfy({ $0.contains(".") && !$0.hasSuffix(".0") && Double($0).map { "\($0)" } == $0 && !$0.contains("e") }) {
            return .double
        }
        return .string
    }

    /// The query as the client writes it.
    var encoded: String {
        parameters.flatMap { parameter in
            parameter.values.map { PercentEncoding.escape(parameter.name) + "=" + PercentEncoding.escape($0) }
        }.joined(separator: "&")
    }
}
