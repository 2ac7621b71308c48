internal import MartletHTTP

/// The methods of endpoints.
enum EndpointMethod {
    /// The standard methods that a client can send, and QUERY.
    static let all = HTTPMethod.standard + ["QUERY"]

    /// Returns the method with a name in any case.
    static func find(_ name: String) throws(GeneratorError) -> HTTPMethod {
        guard let method = all.first(where: { $0.rawValue == name.uppercased() }) else { throw .unknownMethod(name) }
        return method
    }
}

extension HTTPMethod {
    /// Whether the method's requests may have a body.
    var mayHaveBody: Bool { ![.get, .head, .trace].contains(self) }

    /// The method as Swift source: `.get` or `"QUERY"`.
    var source: String { HTTPMethod.standard.contains(self) ? ".\(rawValue.lowercased())" : "\"\(rawValue)\"" }
}
