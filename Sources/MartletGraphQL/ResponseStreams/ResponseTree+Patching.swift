// Where a patch goes is decided by the server: each step is checked, and nothing is made that is not there.

/// Why a patch does not fit the tree.
struct PatchFailure: Error, Hashable {
    let reason: String
}

extension ResponseTree {
    typealias Path = ArraySlice<GraphQLResponseError.PathSegment>

    /// Changes what is at a path, in place. Throws when the path leads nowhere.
    mutating func change(
        at path: Path, _ change: (inout ResponseTree) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        guard let step = path.first else { return try change(&self) }
        switch step {
        case .field(let name):
            guard var members = takeMembers() else { throw misled }
            defer { self = .object(members) }
            guard let place = members.index(forKey: name) else { throw PatchFailure(reason: "leads to a field that is not there") }
            try members.values[place].change(at: path.dropFirst(), change)
        case .index(let index):
            guard var elements = takeElements() else { throw misled }
            defer { self = .list(elements) }
            guard elements.indices.contains(index) else { throw PatchFailure(reason: "leads to an element that is not there") }
            try elements[index].change(at: path.dropFirst(), change)
        }
    }

    private var misled: PatchFailure {
        PatchFailure(reason: self == .null ? "leads into null" : "leads into what is of another kind")
    }

    // What is changed is taken out of the tree by a function of its own, so that nobody else holds it by then: a copy of a long list, or
    // of an object with many members, for each patch would make the whole take quadratic time.

    private mutating func takeMembers() -> [String: ResponseTree]? {
        guard case .object(let members) = self else { return nil }
        self = .null
        return members
    }

    private mutating func takeElements() -> [ResponseTree]? {
        guard case .list(let elements) = self else { return nil }
        self = .null
        return elements
    }

    /// Adds the members of an object to an object.
    mutating func add(data: ResponseTree) throws(PatchFailure) {
        guard case .object = self else { throw PatchFailure(reason: "has data for what is no object") }
        guard case .object = data else { throw PatchFailure(reason: "has data that is no object") }
        merge(data)
    }

    /// Adds elements to a list: at its end, or from an index on, which may be of elements that are there already.
    mutating func add(items: [ResponseTree], at index: Int? = nil) throws(PatchFailure) {
        guard var elements = takeElements() else { throw PatchFailure(reason: "has items for what is no list") }
        defer { self = .list(elements) }
        let start = index ?? elements.count
        guard start <= elements.count else { throw PatchFailure(reason: "has items for a place beyond the end of the list") }
        let overlap = min(elements.count - start, items.count)
        for offset in 0..<overlap { elements[start + offset].merge(items[offset]) }
        elements.append(contentsOf: items.dropFirst(overlap))
    }

    /// Takes in what another says of the same place: objects member by member, lists element by element, the other's value for the rest.
    ///
    /// Null takes nothing away: a field that two fragments ask for may have failed for one of them.
    private mutating func merge(_ other: ResponseTree) {
        switch other {
        case .null: return
        case .object(let more):
            guard var members = takeMembers() else { break }
            for (name, value) in more {
                if let place = members.index(forKey: name) { members.values[place].merge(value) } else { members[name] = value }
            }
            self = .object(members)
            return
        case .list(let more):
            guard var elements = takeElements() else { break }
            for (index, value) in more.enumerated() {
                if index < elements.count { elements[index].merge(value) } else { elements.append(value) }
            }
            self = .list(elements)
            return
        default: break
        }
        self = other
    }
}
