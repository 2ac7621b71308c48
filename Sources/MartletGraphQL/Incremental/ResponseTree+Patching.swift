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
        switch (self, step) {
        case (.object(var members), .field(let name)):
            // Let go of, so that what it holds is not copied.
            self = .null
            defer { self = .object(members) }
            guard let place = members.index(forKey: name) else { throw PatchFailure(reason: "leads to a field that is not there") }
            try members.values[place].change(at: path.dropFirst(), change)
        case (.list(var elements), .index(let index)):
            self = .null
            defer { self = .list(elements) }
            guard elements.indices.contains(index) else { throw PatchFailure(reason: "leads to an element that is not there") }
            try elements[index].change(at: path.dropFirst(), change)
        case (.null, _): throw PatchFailure(reason: "leads into null")
        default: throw PatchFailure(reason: "leads into what is of another kind")
        }
    }

    /// Adds the members of an object to an object.
    mutating func add(data: ResponseTree) throws(PatchFailure) {
        guard case .object = self else { throw PatchFailure(reason: "has data for what is no object") }
        guard case .object = data else { throw PatchFailure(reason: "has data that is no object") }
        merge(data)
    }

    /// Adds elements to a list: at its end, or from an index on, which may be of elements that are there already.
    mutating func add(items: [ResponseTree], at index: Int? = nil) throws(PatchFailure) {
        guard case .list(var elements) = self else { throw PatchFailure(reason: "has items for what is no list") }
        self = .null
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
        switch (self, other) {
        case (_, .null): return
        case (.object(var members), .object(let more)):
            self = .null
            for (name, value) in more {
                if let place = members.index(forKey: name) { members.values[place].merge(value) } else { members[name] = value }
            }
            self = .object(members)
        case (.list(var elements), .list(let more)):
            self = .null
            for (index, value) in more.enumerated() {
                if index < elements.count { elements[index].merge(value) } else { elements.append(value) }
            }
            self = .list(elements)
        default: self = other
        }
    }
}
