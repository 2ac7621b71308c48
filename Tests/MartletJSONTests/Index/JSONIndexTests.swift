import Testing

@testable import MartletJSON

@Suite("JSON index", .timeLimit(.minutes(5)))
struct JSONIndexTests {
    /// The value at a place of an index.
    private func value(_ index: JSONIndex, _ place: Int) -> SampleValue {
        let entry = index.entries[place]
        switch entry.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .integer, .number: return .number(index.numberText(entry))
        case .string, .escapedString: return .string(index.text(entry))
        case .array:
            var elements: [SampleValue] = [], child = place + 1
            while child < entry.next {
                elements.append(value(index, child))
                child = index.next(after: child)
            }
            return .array(elements)
        default:
            var members: [SampleValue.Member] = [], key = place + 1
            while key < entry.next {
                members.append(SampleValue.Member(name: index.keyText(index.entries[key]), value: value(index, key + 1)))
                key = index.next(after: key + 1)
            }
            return .object(members)
        }
    }

    @Test("The index of a random document has all its values, names and numbers in order")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let expected = SampleValue.random(&random, depth: 5), text = expected.text(&random)
            try withIndex(text) { index in
                let read = value(index, 0)
                if read != expected || index.next(after: 0) != index.count { Issue.record("\(text)") }
            }
        }
    }

    @Test("The range of a value includes its quotes and brackets")
    func ranges() throws {
        for text in ["null", "true", "-1.5e3", "\"a\\\"b\"", "[]", "[1,[2,\"]\"],{\"a\":\"}\"}]", "{\"a\":[\"\\\\\"]}"] {
            try withIndex(" [ 0 , \(text) , 1]") { index in
                #expect(index.range(of: 2) == 7..<7 + text.utf8.count)
            }
        }
    }

    @Test("Elements and keys are counted, repeated keys included")
    func counts() throws {
        try withIndex("[[],[1,[2,3],{\"a\":1}],{}]") {
            #expect($0.elementCount(0) == 3)
            #expect($0.elementCount(1) == 0)
            #expect($0.elementCount(2) == 3)
        }
        try withIndex("{\"a\":{\"b\":1,\"c\":[1,2]},\"a\":2}") {
            #expect($0.keyCount(0) == 2)
            #expect($0.keyCount(2) == 2)
        }
    }

    @Test("Names longer than an entry can hold are measured again", arguments: [4_094, 4_095, 4_096, 10_000])
    func longNames(length: Int) throws {
        let name = String(repeating: "n", count: length - 2) + "\\n"
        try withIndex("{\"\(name)\":1}") { index in
            #expect(index.keyLength(index.entries[1]) == length)
            #expect(index.keyText(index.entries[1]) == name.dropLast(2) + "\n")
        }
    }

    @Test("Integers are distinguished from numbers with a fraction or exponent")
    func numberKinds() throws {
        try withIndex("[0,-12,1.0,1e2,1E2]") { index in
            #expect((1...5).map { index.entries[$0].kind } == [.integer, .integer, .number, .number, .number])
        }
    }

    @Test("Paths of values do not depend on the order in which they are computed")
    func paths() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<150 {
            try withIndex(SampleValue.random(&random, depth: 5).text) { index in
                var expected: [Int: [String]] = [:]
                collectPaths(index, 0, [], &expected)
                var finder = JSONPathFinder()
                let places = expected.keys.sorted()
                for place in places + places.shuffled(using: &random) + places.reversed() {
                    let path = finder.path(to: place, in: index) { JSONCodingKey(name: index.keyText(index.entries[$0])) }
                    if path.map(\.stringValue) != expected[place] { Issue.record("\(place)") }
                }
            }
        }
    }

    private func collectPaths(_ index: JSONIndex, _ place: Int, _ path: [String], _ paths: inout [Int: [String]]) {
        paths[place] = path
        let entry = index.entries[place]
        guard entry.isContainer else { return }
        var child = place + 1, ordinal = 0
        while child < entry.next {
            if entry.kind == .array {
                collectPaths(index, child, path + ["Index \(ordinal)"], &paths)
            } else {
                collectPaths(index, child + 1, path + [index.keyText(index.entries[child])], &paths)
                child += 1
            }
            ordinal += 1
            child = index.next(after: child)
        }
    }
}
