public import MartletEssentials

/// Machine-readable details of an error (RFC 9457): what `application/problem+json` holds.
///
/// Reading is lenient, as RFC 9457 §3.1 asks: a member of the wrong type is left out.
public struct ProblemDetails: Sendable, Hashable {
    /// A URI that names the kind of problem; `about:blank` when absent.
    public var type: String
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status code the server says it sent.
    public var status: HTTPStatus?
    /// What happened this time.
    public var detail: String?
    /// A URI that names this occurrence.
    public var instance: String?
    /// Every other member.
    public var extensions: [String: JSONValue]

    /// Problem details from their members.
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

    /// Reads problem details from JSON. Returns nil if it is not an object or has none of the five members.
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
    /// Decodes problem details. Throws `DecodingError` if the value is not an object or has none of the five members.
    public init(from decoder: any Decoder) throws {
        guard let problem = ProblemDetails(try JSONValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not problem details (RFC 9457)"))
        }
        self = problem
    }
}
