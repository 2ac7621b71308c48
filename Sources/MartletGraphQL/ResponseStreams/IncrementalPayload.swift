/// One payload of an answer that comes in pieces, of any of the formats: what it says, not yet where that goes.
///
/// - The current one names what is to come (`pending`) and refers to it by ids (`incremental`, `completed`).
/// - The older one has a path in each item of `incremental`.
/// - The oldest one is such an item itself: `path` and `data` or `items` stand beside `hasNext`.
struct IncrementalPayload {
    struct Pending {
        let id: String
        let path: [GraphQLResponseError.PathSegment]
    }

    /// Something for the data that is there.
    struct Patch {
        enum Place {
            /// Below what is pending.
            case pending(id: String, subPath: [GraphQLResponseError.PathSegment])
            case path([GraphQLResponseError.PathSegment])
        }

        enum Content {
            /// Members for an object, or, where a path of the oldest format ends with an index, an element.
            case data(JSONValue)
            /// Elements for a list; nil when the rest of it failed.
            case items(JSONArray?)
            /// Nothing but errors.
            case none
        }

        let place: Place
        let content: Content
    }

    /// The data of the first payload; nil when there is none, or null.
    private(set) var data: JSONValue?
    private(set) var errors: [GraphQLResponseError] = []
    private(set) var extensions: [String: JSONValue] = [:]
    private(set) var pending: [Pending] = []
    private(set) var patches: [Patch] = []
    /// The ids of what is complete.
    private(set) var completed: [String] = []
    private(set) var hasNext: Bool?

    /// Reads a payload. Throws `.invalidResponse` for what is of no format.
    init(_ tree: JSONValue) throws(HTTPError) {
        guard case .object(let members) = tree else { throw Self.malformed("is no object") }
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
        // An item of the current format may repeat the path of what was pending, and it is the id that counts.
        if item["id"] != nil {
            place = .pending(id: try id(item), subPath: try path(item["subPath"] ?? []))
        } else if let path = item["path"] {
            place = .path(try self.path(path))
        } else {
            throw malformed("has something for the data without an id or a path")
        }
        switch (item["items"], item["data"]) {
        case (.array(let items)?, _): return Patch(place: place, content: .items(items))
        case (.null?, _): return Patch(place: place, content: .items(nil))
        case (nil, .null?), (nil, nil): return Patch(place: place, content: .none)
        case (nil, let data?): return Patch(place: place, content: .data(data))
        case (_?, _): throw malformed("has items that are no list")
        }
    }

    private static func id(_ item: JSONValue) throws(HTTPError) -> String {
        switch item["id"] {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .number(let number): return number.description
        default: throw malformed("names something without an id")
        }
    }

    static func path(_ tree: JSONValue) throws(HTTPError) -> [GraphQLResponseError.PathSegment] {
        guard case .array(let elements) = tree else {
            if tree == .null { return [] }
            throw malformed("has a path that is no list")
        }
        return try elements.map { element throws(HTTPError) in
            switch element {
            case .string(let name): return .field(name)
            case .integer, .number:
                guard let index = element.intValue, index >= 0 else { throw malformed("has a path with a number that is no index") }
                return .index(index)
            default: throw malformed("has a path with something that is neither a name nor an index")
            }
        }
    }

    private static func list(_ tree: JSONValue?, _ name: String) throws(HTTPError) -> JSONArray {
        switch tree {
        case .array(let elements): return elements
        case nil, .null: return []
        default: throw malformed("has \(name) that is no list")
        }
    }

    private static func extensions(_ tree: JSONValue?) -> [String: JSONValue] { tree?.objectValue?.dictionary ?? [:] }

    private mutating func addErrors(of tree: JSONValue) throws(HTTPError) {
        for item in try Self.list(tree["errors"], "errors") { errors.append(try GraphQLResponseError(item)) }
    }

    static func malformed(_ what: String) -> HTTPError {
        .invalidResponse(Explanation("a payload of the answer \(what)", context: ErrorContext(stage: .body)))
    }
}

extension GraphQLResponseError {
    /// Reads an error as leniently as its decoding does; one without a message is `.invalidResponse`.
    init(_ payload: JSONValue) throws(HTTPError) {
        guard let error = try? JSONBodyDecoder.json.decode(Self.self, from: payload.json) else {
            throw IncrementalPayload.malformed("has an error without a message")
        }
        self = error
    }
}
