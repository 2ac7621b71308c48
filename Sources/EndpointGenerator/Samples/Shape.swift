internal import MartletJSON

/// What the values at one place of all samples have in common.
struct Shape {
    private(set) var nullCount = 0
    private(set) var boolCount = 0
    private(set) var numbers = NumberFacts()
    private(set) var strings = StringFacts()
    private(set) var objectCount = 0
    /// The members of objects, in the order in which they were first seen.
    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]
    private(set) var arrayCount = 0
    /// The shape of the elements of arrays: one shape, or none if all arrays are empty.
    private(set) var elements: [Shape] = []

    /// A member of objects.
    struct Member {
        let name: String
        var shape = Shape()
        /// The number of objects that have the member.
        var count = 0
    }

    /// Adds a value. `path` is its place for notes.
    mutating func add(_ node: JSONNode, path: String, notes: inout Notes) {
        switch node.kind {
        case .null: nullCount += 1
        case .bool: boolCount += 1
        case .number: numbers.add(node.number ?? "")
        case .string: strings.add(node.text ?? "")
        case .array:
            arrayCount += 1
            for element in node.elements {
                if elements.isEmpty { elements.append(Shape()) }
                elements[0].add(element, path: path + "[]", notes: &notes)
            }
        case .object:
            objectCount += 1
            var seen: Set<String> = []
            for (name, value) in node.members {
                let memberPath = path.isEmpty ? name : "\(path).\(name)"
                guard seen.insert(name).inserted else {
                    notes.add(.repeatedMember, memberPath)
                    continue
                }
                let place = places[name] ?? members.count
                if place == members.count { members.append(Member(name: name)) }
                places[name] = place
                members[place].count += 1
                members[place].shape.add(value, path: memberPath, notes: &notes)
            }
        }
    }

    /// The number of different kinds of values, without null.
    var kindCount: Int { [boolCount, numbers.count, strings.count, objectCount, arrayCount].count { $0 > 0 } }

    /// Whether a member may be missing or null.
    func isOptional(_ member: Member) -> Bool { member.count < objectCount || member.shape.nullCount > 0 }

    /// All values of dictionaries as one shape.
    var mergedMembers: Shape {
        members.reduce(into: Shape()) { $0.merge($1.shape) }
    }

    private mutating func merge(_ other: Shape) {
        nullCount += other.nullCount
        boolCount += other.boolCount
        numbers.merge(other.numbers)
        strings.merge(other.strings)
        objectCount += other.objectCount
        arrayCount += other.arrayCount
        for member in other.members {
            let place = places[member.name] ?? members.count
            if place == members.count { members.append(Member(name: member.name)) }
            places[member.name] = place
            members[place].count += member.count
            members[place].shape.merge(member.shape)
        }
        guard let element = other.elements.first else { return }
        if elements.isEmpty { elements.append(element) } else { elements[0].merge(element) }
    }
}

/// Places in the samples that a person should look at. The checklist shows them.
struct Notes {
    /// A reason for a note.
    enum Kind: CaseIterable, Sendable {
        /// The member occurs twice in an object; the first counts.
        case repeatedMember
        /// The member is missing or null in some samples.
        case optional
        /// The values have several kinds, or there are none.
        case anyValue
        /// The strings became an enum.
        case openEnum
        /// The object became a dictionary.
        case dictionary
        /// The number has a fraction and is a `Double`.
        case double
        /// The integer is beyond 32 bits.
        case wideInteger
        /// The number looks like a time in seconds since 1970.
        case unixSeconds
        /// The number looks like a time in milliseconds since 1970.
        case unixMilliseconds
        /// The encoder `.snakeCase` writes another name for the member.
        case otherKey
        /// The dates have fractions of a second, which the encoder `.json` drops.
        case fractionalDate
    }

    private(set) var paths: [Kind: [String]] = [:]
    private var seen: [Kind: Set<String>] = [:]

    /// Adds a place once.
    mutating func add(_ kind: Kind, _ path: String) {
        if seen[kind, default: []].insert(path).inserted { paths[kind, default: []].append(path) }
    }

    mutating func merge(_ other: Notes) {
        for kind in Kind.allCases { for path in other.paths[kind] ?? [] { add(kind, path) } }
    }
}
