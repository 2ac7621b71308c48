/// A media type with its parameters (RFC 9110 §8.3.1), as in `Content-Type`.
///
/// Types, subtypes and parameter names are compared without regard to case.
///
/// ```swift
/// let type = MediaType("text/html; charset=\"utf-8\"")
/// type?.subtype    // "html"
/// type?["charset"] // "utf-8"
/// ```
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The type, in lower case, such as `text` in `text/html`.
    public let type: String
    /// The subtype, in lower case, such as `html` in `text/html`.
    public let subtype: String
    /// The parameters in order, names in lower case, values unquoted.
    public let parameters: [Parameter]

    /// A parameter of a media type, such as `charset=utf-8`.
    public typealias Parameter = FieldParameter

    /// Creates a media type from its components.
    public init(type: String, subtype: String, parameters: KeyValuePairs<String, String> = [:]) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters.map { Parameter(name: $0.key.lowercased(), value: $0.value) }
    }

    /// Creates a media type from a field value, or returns nil if type or subtype is missing or not a token. Malformed parameters are
    /// ignored.
    public init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        reader.skip(while: Token.isWhitespace)
        guard let type = reader.token(), reader.skip(UInt8(ascii: "/")), let subtype = reader.token() else { return nil }
        reader.skip(while: Token.isWhitespace)
        parameters = reader.parameters { $1.quoted { $0.element { $0 == FieldReader.semicolon } } }
        guard reader.isAtEnd else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
    }

    /// The value of the parameter with this name, or nil.
    public subscript(name: String) -> String? { parameters.first(named: name) }

    /// Whether the type is `application/json`, `text/json` or any type that ends in `+json` (RFC 6839 §3.1).
    public var isJSON: Bool { subtype == "json" && (type == "application" || type == "text") || subtype.hasSuffix("+json") }

    /// The type and subtype without parameters, such as `text/html`.
    public var essence: String { "\(type)/\(subtype)" }

    /// The media type as written in a field, with values quoted where necessary.
    public var description: String {
        parameters.reduce(into: essence) { $0 += "; \($1.name)=\($1.value.asParameterValue)" }
    }
}
