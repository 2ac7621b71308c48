/// One parsed payload of a response that arrives in parts. It does not yet apply the patches. There are three formats:
///
/// - The current format announces results (`pending`) and refers to them by ID (`incremental`, `completed`).
/// - The older format has a path in each item of `incremental`.
/// - In the oldest format the payload is such an item itself: it has `path`, `data` or `items`, and `hasNext`.
struct IncrementalPayload {
    struct Pending {
        let id: String
        let path: [GraphQLResponseError.PathSegment]
    }

    /// A change to the data received earlier.
    struct Patch {
        enum Place {
            /// Below an announced result.
            case pending(id: String, subPath: [GraphQLResponseError.PathSegment])
            case path([GraphQLResponseError.PathSegment])
        }

        enum Content {
            /// Members for an object. In the oldest format, a list element if the path ends with an index.
            case data(JSONValue)
            /// Elements for a list. Nil if the rest of the list failed.
            case items(JSONArray?)
            /// Errors only.
            case none
        }

        let place: Place
        let content: Content
    }

    /// The data of the first payload. Nil if it is missing or null.
    private(set) var data: JSONValue?
    private(set) var errors: [GraphQLResponseError] = []
    private(set) var extensions: [String: JSONValue] = [:]
    private(set) var pending: [Pending] = []
    private(set) var patches: [Patch] = []
    /// The IDs of completed results.
    private(set) var completed: [String] = []
    private(set) var hasNext: Bool?

    /// Parses a payload. Throws `.invalidResponse` if it has none of the formats.
    init(_ tree: JSONValue) throws(HTTPError) {
        guard case .object(let members) = tree else { throw Self.malformed("is not an object") }
        try addErrors(of: tree)
        extensions = Self.extensions(members["extensions"])
        hasNext = members["hasNext"]?.boolValue
        for item in try Self.list(members["pending"], "pending") { pending.append(try Self.pending(item)) }
        for item in try Self.list(members["incremental"], "incremental") {
            try addErrors(of: item)
            extensions.merge(Self.extensions(item["extensions"])) { $1 }
            patches.append(try Self.patch(item))
        }
        for item in try Self.list(members["completed"], "completed") {
            try addErrors(of: item)
            completed.append(try Self.id(item))
        }
        if members["path"] != nil {
            patches.append(try Self.patch(tree))
        } else if let value = members["data"], value != .null {
            data = value
        }
    }

    // MARK: Items

    private static func pending(_ item: JSONValue) throws(HTTPError) -> Pending {
        Pending(id: try id(item), path: try path(item["path"] ?? []))
    }

    private static func patch(_ item: JSONValue) throws(HTTPError) -> Patch {
        let place: Patch.Place
        // An item of the current format may repeat the announced path, but its ID decides.
        if item["id"] != nil {
            place = .pending(id: try id(item), subPath: try path(item["subPath"] ?? []))
        } else if let path = item["path"] {
            place = .path(try self.path(path))
        } else {
            throw malformed("has a patch without an ID or a path")
        }
        switch (item["items"], item["data"]) {
        case (.array(let items)?, _): return Patch(place: place, content: .items(items))
        case (.null?, _): return Patch(place: place, content: .items(nil))
        case (nil, .null?), (nil, nil): return Patch(place: place, content: .none)
        case (nil, let data?): return Patch(place: place, content: .data(data))
        case (_?, _): throw malformed("has items that are not a list")
        }
    }

    private static func id(_ item: JSONValue) throws(HTTPError) -> String {
        switch item["id"] {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .number(let number): return number.description
        default: throw malformed("has an item without an ID")
        }
    }

    static func path(_ tree: JSONValue) throws(HTTPError) -> [GraphQLResponseError.PathSegment] {
        guard case .array(let elements) = tree else {
            if tree == .null { return [] }
            throw malformed("has a path that is not a list")
        }
        return try elements.map { element throws(HTTPError) in
            switch element {
            case .string(let name): return .field(name)
            case .integer, .number:
                guard let index = element.intValue, index >= 0 else { throw malformed("has a path with a number that is not an index") }
                return .index(index)
            default: throw malformed("has a path with something that is neither a name nor an index")
            }
        }
    }

    private static func list(_ tree: JSONValue?, _ name: String) throws(HTTPError) -> JSONArray {
        switch tree {
        case .array(let elements): return elements
        case nil, .null: return []
        default: throw malformed("has “\(name)” that is not a list")
        }
    }

    private static func extensions(_ tree: JSONValue?) -> [String: JSONValue] { tree?.objectValue?.dictionary ?? [:] }

    private mutating func addErrors(of tree: JSONValue) throws(HTTPError) {
        for item in try Self.list(tree["errors"], "errors") { errors.append(try GraphQLResponseError(item)) }
    }

    static func malformed(_ what: String) -> HTTPError {
        .invalidResponse(Explanation("a payload of the response \(what)", context: ErrorContext(stage: .body)))
    }
}

extension GraphQLResponseError {
    /// Decodes an error as leniently as its `Decodable` conformance. Throws `.invalidResponse` if it has no message.
    init(_ payload: JSONValue) throws(HTTPError) {
        guard let error = try? JSONBodyDecoder.json.decode(Self.self, from: payload.json) else {
            throw IncrementalPayload.malformed("has an error without a message")
        }
        self = error
    }
}
