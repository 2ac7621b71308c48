internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The conditional selections of objects whose fields are decoded as several types, such as two fragments.
///
/// A type that selects a field under a condition is decoded from an object that may have the field because another type selects it, without
/// what the first one selects in it.
struct SharedSelections {
    /// The offsets of fields that may be in the response without the fields selected in them.
    private(set) var partialFields: Set<Int> = []
    /// For spreads by their offsets, the keys that may be in the response without the fragment.
    private(set) var otherKeys: [Int: Set<String>] = [:]
    private let fragments: [String: FragmentDefinition]
    private var seen: Set<[Int]> = []
    /// How many more selections are visited.
    private var remaining: Int

    /// Whether all selections were visited. Those of different fragments may be combined in more ways than can be.
    var isComplete: Bool { remaining > 0 }

    /// - Parameter limit: The maximum number of selections to visit.
    init(_ document: ExecutableDocument, _ fragments: [String: FragmentDefinition], limit: Int) {
        self.fragments = fragments
        remaining = limit
        var waiting = (document.operations.map(\.selectionSet) + document.fragments.map(\.selectionSet)).map { [Part(set: $0)] }
        while let parts = waiting.popLast(), remaining > 0 {
            if seen.insert(parts.map { $0.set.openBrace.offset * 2 + ($0.isConditional ? 1 : 0) }.sorted()).inserted {
                waiting += visit(parts)
            }
        }
    }

    /// A selection set of an object.
    private struct Part {
        let set: SelectionSet
        /// Whether the object may be in the response without this set, because the field that has it is conditional.
        var isConditional = false
    }

    /// The selections of one object. A type is decoded for each set, each fragment, and each inline fragment.
    private struct ObjectSelections {
        struct Field {
            let key: String
            let owner: Int
            let field: FieldSelection
            let isConditional: Bool
        }

        var fields: [Field] = []
        var spreads: [(place: SourcePlace, owner: Int)] = []
        /// The types that contain each type.
        var parents: [Set<Int>] = []

        mutating func owner(in parent: Int?) -> Int {
            parents.append(parent.map { parents[$0].union([$0]) } ?? [])
            return parents.count - 1
        }
    }

    /// Notes the conditional selections of an object, and returns the sets of the objects in it.
    private mutating func visit(_ parts: [Part]) -> [[Part]] {
        var object = ObjectSelections(), names: Set<String> = []
        var waiting = parts.map { (set: $0.set, owner: object.owner(in: nil), isConditional: $0.isConditional) }
        while let (set, owner, isConditional) = waiting.popLast() {
            remaining -= set.selections.count
            for selection in set.selections {
                let isConditional = isConditional || selection.directives.contains { ["include", "skip", "defer"].contains($0.name) }
                switch selection {
                case .field(let field):
                    object.fields.append(.init(key: field.responseKey, owner: owner, field: field, isConditional: isConditional))
                case .inline(let fragment):
                    let isOwn = fragment.typeCondition == nil
                    waiting.append((fragment.selectionSet, isOwn ? owner : object.owner(in: owner), isConditional))
                case .spread(let spread):
                    guard let fragment = fragments[spread.name] else { continue }
                    let inner = object.owner(in: owner)
                    if isConditional { object.spreads.append((spread.place, inner)) }
                    if names.insert(spread.name).inserted { waiting.append((fragment.selectionSet, inner, false)) }
                }
            }
        }
        return note(object)
    }

    private mutating func note(_ object: ObjectSelections) -> [[Part]] {
        for (place, owner) in object.spreads {
            let others = object.fields.filter { $0.owner != owner && !object.parents[$0.owner].contains(owner) }
            otherKeys[place.offset, default: []].formUnion(others.map(\.key))
        }
        let groups = Dictionary(grouping: object.fields.filter { $0.field.selectionSet != nil }, by: \.key)
        return groups.sorted { $0.key < $1.key }.map { _, fields in
            let owners = Dictionary(grouping: fields, by: \.owner)
            for own in owners.values where owners.count > 1 && own.allSatisfy(\.isConditional) {
                partialFields.formUnion(own.map(\.field.place.offset))
            }
            return fields.compactMap { field in field.field.selectionSet.map { Part(set: $0, isConditional: field.isConditional) } }
        }
    }
}
