/// One error in a GraphQL response (GraphQL §7.1.2), which says what failed on the server, and where.
///
/// Decoding is lenient: only the message is required. Any other member is left out when it does not have the form that the specification
/// defines, a path also when it has more than 256 segments. Extensions are left out when they have more than 32 levels, or when all untyped
/// values of the response together exceed 50,000. Deeply nested values count up to thirty times.
public struct GraphQLResponseError: Error, Sendable {
    /// The server's message, written for developers.
    public let message: String
    /// The path to the field that is null because of this error, or an empty array if the error concerns the whole request.
    public let path: [PathSegment]
    /// The places in the document that the error refers to.
    public let locations: [Location]
    /// The server's additional information about the error, such as `code`.
    public let extensions: [String: JSONValue]
    /// The operation and the response that the error belongs to.
    private(set) var context: GraphQLErrorContext

    /// The name of the operation that failed, or nil if it is not known. `==` ignores it.
    public var operationName: String? { context.operationName }
    /// The status and header fields of the response that contained the error, or nil if it is not known. Its metadata contains the request.
    /// `==` ignores it.
    public var response: HTTPResponse<Void>? { context.response }

    /// Whether the response contained a path that could not be decoded.
    var hasUnreadPath = false

    /// One step of a path into the data.
    public enum PathSegment: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// A field, by its response name (its alias, if it has one).
        case field(String)
        /// An element of a list, by its index.
        case index(Int)

        /// Creates a segment for a field.
        public init(stringLiteral value: String) { self = .field(value) }
        /// Creates a segment for a list element.
        public init(integerLiteral value: Int) { self = .index(value) }
    }

    /// A place in the document.
    public struct Location: Sendable, Hashable, Codable {
        /// The line, starting at 1.
        public let line: Int
        /// The column, starting at 1.
        public let column: Int

        /// Creates a place from a line and a column.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// Creates an error, for example for a stub.
    ///
    /// - Parameters:
    ///   - message: The description for developers.
    ///   - path: The path of the field that failed. Default: empty, an error of the whole request.
    ///   - locations: The places in the document. Default: none.
    ///   - code: The error code. It is written into `extensions` unless they already contain a `code`. Default: nil.
    ///   - extensions: Further values from the server. Default: none.
    public init(
        message: String, path: [PathSegment] = [], locations: [Location] = [], code: String? = nil,
        extensions: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = code.map { extensions.merging(["code": .string($0)]) { $1 } } ?? extensions
        context = GraphQLErrorContext()
    }

    /// Returns the error with the operation and the response that it belongs to.
    func within(_ context: GraphQLErrorContext) -> Self {
        var error = self
        error.context = context
        return error
    }

    /// The error code in `extensions.code`, such as `UNAUTHENTICATED` or `NOT_FOUND`, or nil.
    public var code: String? { extensions["code"]?.stringValue }

    /// Whether the server rejected the credential, with the code `UNAUTHENTICATED` in any letter case.
    public var isAuthenticationError: Bool { code?.uppercased() == "UNAUTHENTICATED" }
}

/// The operation and response of an error.
struct GraphQLErrorContext: Sendable {
    var operationName: String?
    var response: HTTPResponse<Void>?
    /// What developers should know of the response, or nil.
    var hint: String?
}

extension GraphQLResponseError: Hashable {
    /// Returns whether message, path, locations and extensions are equal, whatever the operation and the response.
    public static func == (left: Self, right: Self) -> Bool {
        left.message == right.message && left.path == right.path && left.locations == right.locations
            && left.extensions == right.extensions
    }

    /// Hashes the message, the path, the locations and the extensions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(path)
        hasher.combine(locations)
        hasher.combine(extensions)
    }
}

extension GraphQLResponseError: Decodable {
    private enum CodingKeys: CodingKey { case message, path, locations, extensions }

    /// An error's path, limited in length.
    private struct Path: Decodable {
        static let limit = 256

        var segments: [PathSegment] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                guard segments.count < Path.limit else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "the path has more than \(Path.limit) segments")
                }
                segments.append(try container.decode(PathSegment.self))
            }
        }
    }

    /// Decodes an error leniently, and throws only if it has no message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try container.decode(String.self, forKey: .message)
        do { path = try container.decodeIfPresent(Path.self, forKey: .path)?.segments ?? [] } catch { (path, hasUnreadPath) = ([], true) }
        locations = (try? container.decodeIfPresent([Location].self, forKey: .locations)) ?? []
        extensions = (try? container.decodeIfPresent([String: BoundedJSON].self, forKey: .extensions))?.mapValues(\.value) ?? [:]
        context = GraphQLErrorContext()
    }
}

extension GraphQLResponseError.PathSegment: Codable, CustomStringConvertible {
    /// Decodes a field name or a list index.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) { self = .field(name) } else { self = .index(try container.decode(Int.self)) }
    }

    /// Encodes the field name or the list index.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .field(let name): try name.encode(to: encoder)
        case .index(let index): try index.encode(to: encoder)
        }
    }

    /// The field name or the list index as text.
    public var description: String {
        switch self {
        case .field(let name): name
        case .index(let index): "\(index)"
        }
    }
}

extension GraphQLResponseError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The message, the code, and the path or the line and column in the document, for developers. Secrets are redacted.
    public var description: String {
        let line = locations.first.map { ["\($0.line):\($0.column)"] } ?? []
        let place = path.isEmpty ? line : [path.map(\.description).joined(separator: ".")]
        // A period would end the sentence before its place.
        let words = message.hasSuffix(".") && !message.hasSuffix("..") ? message.dropLast() : message[...]
        return Redaction.line(words + (code.map { " (\($0))" } ?? "") + place.map { " at \($0)" }.joined())
    }
}
