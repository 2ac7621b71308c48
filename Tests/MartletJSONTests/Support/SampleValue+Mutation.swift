/// Random changes of generated documents.
extension SampleValue {
    /// The number of values, this one included.
    var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }

    /// Whether an object has a name twice.
    var hasRepeatedNames: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasRepeatedNames)
        case .object(let members): Set(members.map(\.name)).count < members.count || members.contains(where: \.value.hasRepeatedNames)
        default: false
        }
    }

    /// A copy with one change at a random value: a value of another kind, or members or elements missing, added, repeated or reordered.
    func mutated(_ random: inout SeededGenerator) -> SampleValue {
        var target = random.below(valueCount)
        return changed(at: &target, &random)
    }

    /// A copy with all names of objects converted.
    func renamed(_ convert: (String) -> String) -> SampleValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.renamed(convert) })
        case .object(let members): .object(members.map { Member(name: convert($0.name), value: $0.value.renamed(convert)) })
        default: self
        }
    }

    private func changed(at target: inout Int, _ random: inout SeededGenerator) -> SampleValue {
        defer { target -= 1 }
        if target == 0 { return changed(&random) }
        switch self {
        case .array(var elements):
            for place in elements.indices where target > 0 {
                target -= 1
                elements[place] = elements[place].changedOrSkipped(at: &target, &random)
            }
            return .array(elements)
        case .object(var members):
            for place in members.indices where target > 0 {
                target -= 1
                members[place].value = members[place].value.changedOrSkipped(at: &target, &random)
            }
            return .object(members)
        default: return self
        }
    }

    private func changedOrSkipped(at target: inout Int, _ random: inout SeededGenerator) -> SampleValue {
        if target == 0 {
            target = -1
            return changed(&random)
        }
        let count = valueCount
        guard target < count else {
            target -= count - 1
            return self
        }
        var inner = target
        target = -1
        return changed(at: &inner, &random)
    }

    private func changed(_ random: inout SeededGenerator) -> SampleValue {
        switch self {
        case .object(var members) where random.below(4) > 0:
            change(&members, &random)
            return .object(members)
        case .array(var elements) where random.below(3) > 0:
            let place = random.below(max(elements.count, 1))
            switch random.below(3) {
            case 0 where !elements.isEmpty: elements.remove(at: place)
            case 1 where !elements.isEmpty: elements.insert(elements[place], at: place)
            default: elements.append(random.pick(SampleValue.replacements))
            }
            return .array(elements)
        default: return random.pick(SampleValue.replacements)
        }
    }

    private func change(_ members: inout [Member], _ random: inout SeededGenerator) {
        let place = random.below(max(members.count, 1))
        switch random.below(6) {
        case 0 where !members.isEmpty: members.remove(at: place)
        case 1 where !members.isEmpty: members[place].value = .null
        case 2 where !members.isEmpty: members.append(Member(name: members[place].name, value: random.pick(SampleValue.replacements)))
        case 3 where !members.isEmpty:
            members.insert(Member(name: members[place].name, value: random.pick(SampleValue.replacements)), at: 0)
        case 4: members.shuffle(using: &random)
        default: members.insert(Member(name: "extra", value: SampleValue.random(&random, depth: 2)), at: place)
        }
    }

    private static let replacements: [SampleValue] = [
        nil, true, 3, -1, 300, .number("3.0"), .number("1.5"), .number("1e400"), .number("18446744073709551616"),
        "text", "", "7", "Infinity", [], [1, 2], [:], ["a": 1],
    ]
}
