import MartletEssentials

extension JSONValue {
    /// Parses a part of a response that arrives in parts. Numbers keep their exact values, also beyond the range of `Double`. A whole
    /// number may lose an exponent and a fraction of zeros.
    init(payload json: Data, limits: JSONLimits = .payload) throws(JSONSyntaxError) {
        self = try JSONNode(parsing: json, limits: limits).value
    }

    /// The JSON text, without white space.
    var json: Data { Data(description.utf8) }

    /// The number of values in this value, itself included.
    var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}

extension JSONLimits {
    /// The limits of a response that arrives in parts.
    static let payload = JSONLimits(maxDepth: 100, maxValues: 4_000_000)
}

// The server chooses the path of a patch. Each step is checked, and missing places are not created.

/// Why a patch does not fit the tree.
struct PatchFailure: Error, Hashable {
    let reason: String
}

extension JSONValue {
    /// Changes the value at a path, in place. Throws if the path does not exist.
    mutating func change(
        at path: ArraySlice<GraphQLResponseError.PathSegment>, _ change: (inout JSONValue) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        guard let step = path.first else { return try change(&self) }
        let inner = { (value: inout JSONValue) throws(PatchFailure) in try value.change(at: path.dropFirst(), change) }
        switch step {
        case .field(let name):
            guard var members = takeMembers() else { throw misled }
            defer { self = .object(members) }
            guard try members.change(name, inner) else { throw PatchFailure(reason: "leads to a field that does not exist") }
        case .index(let index):
            guard var elements = takeElements() else { throw misled }
            defer { self = .array(elements) }
            guard try elements.change(index, inner) else { throw PatchFailure(reason: "leads to an element that does not exist") }
        }
    }

    private var misled: PatchFailure {
        PatchFailure(reason: self == .null ? "leads into null" : "leads into a value of another kind")
    }

    // A value that is changed is taken out of the tree first, so that this is the only reference to it. Otherwise each patch would copy a
    // long list, or an object with many members, and all patches together would take quadratic time.

    private mutating func takeMembers() -> JSONObject? {
        guard case .object(let members) = self else { return nil }
        self = .null
        return members
    }

    private mutating func takeElements() -> JSONArray? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }

    /// Adds the members of an object to an object.
    mutating func add(data: JSONValue) throws(PatchFailure) {
        guard case .object = self else { throw PatchFailure(reason: "has data for a value that is not an object") }
        guard case .object = data else { throw PatchFailure(reason: "has data that is not an object") }
        merge(data)
    }

    /// Adds elements at the end of a list, or merges them from an index on.
    mutating func add(items: JSONArray, at index: Int? = nil) throws(PatchFailure) {
        guard var elements = takeElements() else { throw PatchFailure(reason: "has items for a value that is not a list") }
        defer { self = .array(elements) }
        let start = index ?? elements.count
        guard start <= elements.count else { throw PatchFailure(reason: "has items beyond the end of the list") }
        elements.merge(items, at: start)
    }

    /// Merges another value: objects by member, lists by element. Otherwise it replaces this value.
    ///
    /// Null removes nothing: a field requested by two fragments may have failed for one of them.
    fileprivate mutating func merge(_ other: JSONValue) {
        switch other {
        case .null: return
        case .object(let more):
            guard var members = takeMembers() else { break }
            for (name, value) in more where !members.change(name, { $0.merge(value) }) { members[name] = value }
            self = .object(members)
            return
        case .array(let more):
            guard var elements = takeElements() else { break }
            elements.merge(more, at: 0)
            self = .array(elements)
            return
        default: break
        }
        self = other
    }
}

extension JSONObject {
    /// Changes a member's value in place. Returns false if the member is missing.
    fileprivate mutating func change<Failure>(
        _ name: String, _ change: (inout JSONValue) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard var value = self[name] else { return false }
        self[name] = .null
        defer { self[name] = value }
        try change(&value)
        return true
    }
}

extension JSONArray {
    /// Changes an element in place. Returns false if the index is out of range.
    fileprivate mutating func change<Failure>(
        _ index: Int, _ change: (inout JSONValue) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard indices.contains(index) else { return false }
        var value = self[index]
        self[index] = .null
        defer { self[index] = value }
        try change(&value)
        return true
    }

    /// Merges elements into those from an index on, and appends the rest.
    fileprivate mutating func merge(_ items: JSONArray, at start: Int) {
        for (offset, item) in items.enumerated() where !change(start + offset, { $0.merge(item) }) { append(item) }
    }
}
