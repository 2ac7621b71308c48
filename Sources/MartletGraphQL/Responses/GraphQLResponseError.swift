/// One error of a GraphQL answer (GraphQL §7.1.2): what the server says went wrong, and where.
///
/// Reading is lenient: whatever but the message is left out when it is not of the form the specification gives it, a path of more than 256
/// steps, and extensions with more
/// than 32 levels or, those of the whole answer together, 50,000 values, of which those deep inside count for up to thirty.
public struct GraphQLResponseError: Error, Sendable {
    /// The server's words, for developers.
    public let message: String
    /// Where in the data: the field that is null because of it; empty for an error of the whole request.
    public let path: [PathSegment]
    /// Where in the document.
    public let locations: [Location]
    /// Whatever else the server says.
    public let extensions: [String: JSONValue]
    /// The operation and response that it belongs to.
    private(set) var context: GraphQLErrorContext

    /// The name of the operation. `==` ignores it.
    public var operationName: String? { context.operationName }
    /// The status and header fields of the response, with the request in its metadata. `==` ignores it.
    public var response: HTTPResponse<Void>? { context.response }

    /// Whether there is a path of another form than the specification's.
    var hasUnreadPath = false

    /// A place in a document, counted from 1.
    public struct Location: Sendable, Hashable, Codable {
        /// The line.
        public let line: Int
        /// The column.
        public let column: Int

        /// A place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// A step into the data.
    public enum PathSegment: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// Into a field, by its name in the answer.
        case field(String)
        /// Into a list.
        case index(Int)

        /// Into a field.
        public init(stringLiteral value: String) { self = .field(value) }
        /// Into a list.
        public init(integerLiteral value: Int) { self = .index(value) }
    }

    /// An error. With a `code`, it is written into the extensions.
    public init(
        message: String, path: [PathSegment] = [], locations: [Location] = [], code: String? = nil, extensions: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = code.map { extensions.merging(["code": .string($0)]) { $1 } } ?? extensions
        context = GraphQLErrorContext()
    }

    /// The same error, which knows what it is of.
    func within(_ context: GraphQLErrorContext) -> Self {
        var error = self
        error.context = context
        return error
    }

    /// The kind of error, `extensions.code`, by which programs tell errors apart: `UNAUTHENTICATED`, `NOT_FOUND`, …
    public var code: String? { extensions["code"]?.stringValue }

    /// Whether the server wants other credentials: the code is `UNAUTHENTICATED`, in any case of letters.
    public var isAuthenticationError: Bool { code?.uppercased() == "UNAUTHENTICATED" }
}

/// The operation and response of an error.
struct GraphQLErrorContext: Sendable {
    var operationName: String?
    var response: HTTPResponse<Void>?
}

extension GraphQLResponseError: Hashable {
    /// Whether the server said the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.message == right.message && left.path == right.path && left.locations == right.locations && left.extensions == right.extensions
    }

    /// Feeds what the server said.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(path)
        hasher.combine(extensions)
    }
}

extension GraphQLResponseError: Decodable {
    private enum CodingKeys: CodingKey { case message, path, locations, extensions }

    /// A path that is no longer than data can be deep.
    private struct Path: Decodable {
        static let limit = 256

        var segments: [PathSegment] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                guard segments.count < Path.limit else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "a path of more than \(Path.limit) steps")
                }
                segments.append(try container.decode(PathSegment.self))
            }
        }
    }

    /// Reads an error; one without a message is none.
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
    /// Reads a name or an index.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) { self = .field(name) } else { self = .index(try container.decode(Int.self)) }
    }

    /// Writes a name or an index.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .field(let name): try name.encode(to: encoder)
        case .index(let index): try index.encode(to: encoder)
        }
    }

    /// The name or the index.
    public var description: String {
        switch self {
        case .field(let name): name
        case .index(let index): "\(index)"
        }
    }
}

extension GraphQLResponseError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The message, the code and the path, without secrets.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(path.map(\.description).joined(separator: "."))"
        return Redaction.line(message + (code.map { " (\($0))" } ?? "") + place)
    }
}
