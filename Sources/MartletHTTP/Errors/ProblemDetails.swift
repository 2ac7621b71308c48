public import MartletEssentials

/// Machine-readable details of an error (RFC 9457), as in an `application/problem+json` body.
///
/// Reading is lenient, as RFC 9457 §3.1 requires: a member of the wrong type is ignored.
public struct ProblemDetails: Sendable, Hashable {
    /// A URI that identifies the kind of problem, or `about:blank` if the server sent none.
    public var type: String
    /// A short summary of the kind of problem, or nil.
    public var title: String?
    /// The status code that the body names, or nil.
    public var status: HTTPStatus?
    /// An explanation of this occurrence of the problem, or nil.
    public var detail: String?
    /// A URI that identifies this occurrence of the problem, or nil.
    public var instance: String?
    /// All other members of the JSON object, such as the API's own.
    public var extensions: [String: JSONValue]

    /// Creates problem details from their members (RFC 9457 §3.1).
    public init(
        type: String = "about:blank", title: String? = nil, status: HTTPStatus? = nil, detail: String? = nil, instance: String? = nil,
        extensions: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Creates problem details from JSON, or returns nil if the JSON is not an object or has none of the five members.
    public init?(_ json: Data) {
        guard let value = try? JSONValue(parsing: json) else { return nil }
        self.init(value)
    }

    private init?(_ value: JSONValue) {
        guard var members = value.objectValue?.dictionary else { return nil }
        let known = ["type", "title", "status", "detail", "instance"].map { ($0, members.removeValue(forKey: $0)) }
        let read = Dictionary(uniqueKeysWithValues: known)
        guard read.values.contains(where: { $0 != nil }) else { return nil }
        self.init(
            type: read["type"]??.stringValue ?? "about:blank", title: read["title"]??.stringValue,
            status: read["status"]??.intValue.map(HTTPStatus.init(rawValue:)), detail: read["detail"]??.stringValue,
            instance: read["instance"]??.stringValue, extensions: members)
    }
}

extension ProblemDetails: Decodable {
    /// Decodes problem details from an object that has at least one of the five members.
    ///
    /// - Throws: `DecodingError` if the value is not an object or has none of the five members.
    public init(from decoder: any Decoder) throws {
        guard let problem = ProblemDetails(try JSONValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not problem details (RFC 9457)"))
        }
        self = problem
    }
}
