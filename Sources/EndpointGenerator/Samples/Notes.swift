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
