import MartletGraphQL

/// The fields and fragment spreads of one selection set, with those of its inline fragments.
struct CollectedSelections {
    struct Field {
        let field: FieldSelection
        /// The type in which the field is selected.
        let parent: ValidatedType?
        let type: TypeReference?
        /// The index of the field's selections.
        let inner: Int?
    }

    /// A selection of a field without arguments and selections. Equal ones need to be compared with others only once.
    private struct Plain: Hashable {
        let key: String
        let name: String
        let parent: String?
    }

    /// The fields by their names in the response.
    private(set) var fields: [String: [Field]] = [:]
    /// The names in the order of the text.
    private(set) var names: [String] = []
    /// The indices of the fragments, each once.
    private(set) var spreads: [Int] = []
    private var plain: Set<Plain> = []
    private var spread: Set<Int> = []

    mutating func add(_ field: Field) {
        let selection = field.field, key = selection.responseKey
        if selection.arguments.isEmpty, field.inner == nil, !selection.isStreamed {
            guard plain.insert(Plain(key: key, name: selection.name, parent: field.parent?.name)).inserted else { return }
        }
        if fields[key] == nil { names.append(key) }
        fields[key, default: []].append(field)
    }

    mutating func add(fragment: Int) { if spread.insert(fragment).inserted { spreads.append(fragment) } }
}

/// The rule that fields with the same name in the response can be merged (GraphQL, September 2025, §5.3.2).
///
/// Each pair of selection sets whose fields end up in one object is compared once. A pair leads to others: the fragments that one of them
/// spreads with the other, and the selections of fields with the same name. So the number of comparisons is at most the square of the
/// number of sets, whatever the fragments expand to, and it is limited too.
struct FieldMerging {
    private let context: ValidationContext
    private var sets: [CollectedSelections] = []
    private var fragmentSets: [Int: Int] = [:]
    private var waiting: [Pair] = []
    /// Whether the compared pairs were compared only as exclusive ones.
    private var compared: [Pair.Key: Bool] = [:]

    private struct Pair {
        struct Key: Hashable {
            let first: Int
            let second: Int
        }

        let key: Key
        /// Whether no object has the fields of both sets. Then the fields may differ, and only their types must be alike.
        let isExclusive: Bool
    }

    init(_ context: ValidationContext) { self.context = context }

    /// Begins a selection set, and returns its index.
    mutating func begin(fragment: Int?) -> Int {
        if let fragment { fragmentSets[fragment] = sets.count }
        sets.append(CollectedSelections())
        return sets.count - 1
    }

    mutating func add(_ field: CollectedSelections.Field, to set: Int) { sets[set].add(field) }

    mutating func add(_ spread: FragmentSpread, to set: Int) {
        if let fragment = context.fragments[spread.name] { sets[set].add(fragment: fragment) }
    }

    mutating func check() {
        for set in sets.indices {
            for name in sets[set].names {
                guard let fields = sets[set].fields[name], fields.count > 1 else { continue }
                for (index, field) in fields.enumerated() {
                    for other in fields[(index + 1)...] where !context.isDone { compare(field, other, isExclusive: false) }
                    if context.isDone { return }
                }
            }
            // The only fragment of a set without fields is compared by itself.
            if !sets[set].names.isEmpty || sets[set].spreads.count > 1 { enqueue(set, withFragmentsOf: set, isExclusive: false) }
            while let pair = waiting.popLast(), !context.isDone { compare(pair) }
        }
    }

    private mutating func enqueue(_ set: Int, withFragmentsOf other: Int, isExclusive: Bool) {
        for fragment in sets[other].spreads { if let other = fragmentSets[fragment] { enqueue(set, other, isExclusive) } }
    }

    private mutating func enqueue(_ first: Int, _ second: Int, _ isExclusive: Bool) {
        guard first != second, context.spend(1) else { return }
        let key = Pair.Key(first: min(first, second), second: max(first, second))
        // A comparison that is not exclusive finds all that an exclusive one does.
        if let before = compared[key], !before || isExclusive { return }
        compared[key] = isExclusive
        waiting.append(Pair(key: key, isExclusive: isExclusive))
    }

    private mutating func compare(_ pair: Pair) {
        let (first, second) = (pair.key.first, pair.key.second)
        let isSwapped = sets[first].fields.count > sets[second].fields.count
        let fewer = sets[isSwapped ? second : first], more = sets[isSwapped ? first : second]
        guard context.spend(fewer.names.count) else { return }
        for name in fewer.names {
            guard let fields = fewer.fields[name], let others = more.fields[name] else { continue }
            for field in fields where !context.isDone {
                for other in others where !context.isDone { compare(field, other, isExclusive: pair.isExclusive) }
            }
        }
        enqueue(first, withFragmentsOf: second, isExclusive: pair.isExclusive)
        enqueue(second, withFragmentsOf: first, isExclusive: pair.isExclusive)
    }

    private mutating func compare(_ one: CollectedSelections.Field, _ two: CollectedSelections.Field, isExclusive: Bool) {
        guard context.spend(1) else { return }
        // Two objects are never of both types.
        let isExclusive =
            isExclusive || one.parent?.definition.kind == .object && two.parent?.definition.kind == .object && one.parent !== two.parent
        let isInOrder = one.field.place.offset <= two.field.place.offset
        let (first, second) = isInOrder ? (one, two) : (two, one)
        if let message = conflict(of: second, with: first, isExclusive: isExclusive) {
            context.report(
                .overlappingFieldsCanBeMerged, message, hint: "use different aliases to select both", at: second.field.place)
        } else if let inner = one.inner, let other = two.inner {
            enqueue(inner, other, isExclusive)
        }
    }

    private func conflict(
        of second: CollectedSelections.Field, with first: CollectedSelections.Field, isExclusive: Bool
    ) -> String? {
        let key = second.field.responseKey, place = context.describe(first.field.place)
        if !isExclusive {
            if first.field.name != second.field.name {
                return "\"\(key)\" is the field \"\(second.field.name)\" here, but the field \"\(first.field.name)\" at \(place)"
            }
            if !first.field.hasSameArguments(as: second.field) { return "\"\(key)\" has other arguments here than at \(place)" }
        }
        if first.field.isStreamed || second.field.isStreamed { return "\"\(key)\" is streamed, but selected also at \(place)" }
        if let type = second.type, let other = first.type, conflict(type, other) {
            return "\"\(key)\" is of type \"\(type)\" here, but of type \"\(other)\" at \(place)"
        }
        return nil
    }

    /// Whether values of the types have different shapes.
    private func conflict(_ one: TypeReference, _ two: TypeReference) -> Bool {
        var (one, two) = (one, two)
        while true {
            switch (one, two) {
            case (.list(let inner), .list(let other)), (.nonNull(let inner), .nonNull(let other)): (one, two) = (inner, other)
            case (.named(let name), .named(let other)):
                guard name != other, let type = context.type(name), let otherType = context.type(other) else { return false }
                return type.definition.isLeaf || otherType.definition.isLeaf
            default: return true
            }
        }
    }
}

extension FieldSelection {
    var isStreamed: Bool { directives.contains { $0.name == "stream" } }

    /// Whether the arguments are the same, in any order.
    func hasSameArguments(as other: FieldSelection) -> Bool {
        guard arguments.count == other.arguments.count else { return false }
        if arguments.isEmpty { return true }
        return ValueLiteral.object(arguments).canonical == ValueLiteral.object(other.arguments).canonical
    }
}

extension ValueLiteral {
    private enum Piece {
        case text(String)
        case value(ValueLiteral)
    }

    /// A text that is the same for the same values. The members of objects are sorted by their names.
    var canonical: String {
        var result = "", waiting = [Piece.value(self)]
        while let piece = waiting.popLast() {
            switch piece {
            case .text(let text): result += text
            case .value(.list(let elements)):
                waiting.append(.text("]"))
                for element in elements.reversed() { waiting += [.text(","), .value(element)] }
                result += "["
            case .value(.object(let members)):
                waiting.append(.text("}"))
                for member in members.sorted(by: { $0.name > $1.name }) {
                    waiting += [.text(","), .value(member.value), .text("\(member.name):")]
                }
                result += "{"
            case .value(.variable(let name, _)): result += "$\(name)"
            case .value(.string(let text)): result += "\"\(text.utf8.count):\(text)"
            case .value(.integer(let text)), .value(.float(let text)), .value(.enumeration(let text)): result += text
            case .value(.boolean(let value)): result += "\(value)"
            case .value(.null): result += "null"
            }
        }
        return result
    }
}
