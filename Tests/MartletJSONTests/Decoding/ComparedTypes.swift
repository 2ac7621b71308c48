import Foundation

// Types that the compiler decodes, for the comparison with Foundation's decoder.

struct ScalarSample: ComparedType {
    let flag: Bool, int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
    let uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    let fullName: String, aDouble: Double, aFloat: Float

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        [
            "flag": true, "int": .number("\(Int(truncatingIfNeeded: random.next()))"), "int8": -128, "int16": 32_767,
            "int32": .number("1e3"),
            "int64": .number("-9223372036854775808"), "uint": .number("\(random.next())"), "uint8": 255, "uint16": .number("7.0"),
            "uint32": 0,
            "uint64": .number("18446744073709551615"), "fullName": .string(random.pick(SampleValue.strings)),
            "aDouble": .number("\(Double(random.below(10_000)) / 64)"), "aFloat": 0.25,
        ]
    }
}

struct OptionalSample: ComparedType {
    struct Inner: Decodable, Equatable { let someText: String? }
    let flag: Bool?, int: Int?, small: UInt8?, text: String?, double: Double?, float: Float?, inner: Inner?, list: [Int?]?, date: Date?

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        [
            "flag": random.pick([true, nil]), "int": random.pick([4, nil]), "small": 3, "text": random.pick(["a", nil]), "double": 2.5,
            "float": random.pick([1.5, nil]), "inner": random.pick([["someText": "x"], ["someText": nil], [:], nil]),
            "list": random.pick([[1, nil, 2], [], nil]),
        ]
    }
}

struct DeepOptionalSample: ComparedType {
    let twice: Int??, list: [[Int?]?]?, names: [String: Int??]

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["twice": random.pick([1, nil]), "list": [[1, nil], nil, []], "names": ["a": 1, "b": nil, "longerName": 3]]
    }
}

struct TreeSample: ComparedType {
    let nodeName: String, children: [TreeSample], parts: [[ScalarPair]]
    struct ScalarPair: Decodable, Equatable { let x: Int, y: Double? }

    static func document(_ random: inout SeededGenerator) -> SampleValue { node(&random, depth: 3) }

    private static func node(_ random: inout SeededGenerator, depth: Int) -> SampleValue {
        let children = depth == 0 ? [] : (0..<random.below(3)).map { _ in node(&random, depth: depth - 1) }
        return [
            "nodeName": .string(random.pick(SampleValue.strings)), "children": .array(children),
            "parts": [[], [["x": 1, "y": 2], ["x": 3]]],
        ]
    }
}

enum AssociatedSample: ComparedType {
    case empty, labelled(firstPart: Int, second: String?), single(Double), nested(Nested)
    struct Nested: Decodable, Equatable { let values: [String] }

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        random.pick([
            ["empty": [:]], ["labelled": ["firstPart": 1, "second": "b"]], ["labelled": ["firstPart": 2]], ["single": ["_0": 1.5]],
            ["nested": ["_0": ["values": ["a", "b"]]]],
        ])
    }
}

struct RawEnumSample: ComparedType {
    enum Color: String, Decodable, CodingKeyRepresentable { case red, green, blue }
    enum Level: Int8, Decodable { case low = 1, high = 3 }
    let color: Color, colors: [Color], level: Level, levels: [Level?], byColor: [Color: Int]

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        [
            "color": .string(random.pick(["red", "green", "blue", "grey"])), "colors": ["red", "blue"], "level": random.pick([1, 3, 2]),
            "levels": [1, nil, 3], "byColor": ["red": 1, "blue": 2],
        ]
    }
}

struct DictionarySample: ComparedType {
    struct Part: Decodable, Equatable { let partName: String }
    let byName: [String: Int], texts: [String: String], doubles: [String: Double], flags: [String: Bool], byNumber: [Int: String]
    let nested: [String: [String: [Int]]], parts: [String: Part], pairs: [Double: Int]

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        [
            "byName": ["a": 1, "longer name": 2, "ü\"": 3], "texts": ["": "empty", "k": "v"], "doubles": ["half": 0.5],
            "flags": ["yes": true],
            "byNumber": ["1": "one", "-20": "minus twenty"], "nested": ["a": ["b": [1], "c": []], "d": [:]],
            "parts": ["one": ["partName": "x"], "two": ["partName": "y"]], "pairs": [1.5, 1, 2.5, 2],
        ]
    }
}

struct SetSample: ComparedType {
    let numbers: Set<Int>, names: Set<String>, pairs: Set<[Int]>

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["numbers": [1, 2, 2, 3], "names": ["a", "b", "a"], "pairs": [[1, 2], [1, 2], []]]
    }
}

struct FoundationSample: ComparedType {
    let date: Date, dates: [Date], data: Data, link: URL, links: [URL], price: Decimal, prices: [String: Decimal], id: UUID?

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        let dates: [SampleValue] = [.number("\(random.below(1_000_000))"), 1.5, "2024-02-29T12:00:00Z", "1999-12-31T23:59:59Z"]
        return [
            "date": random.pick(dates), "dates": random.below(2) == 0 ? [dates[0], dates[1]] : [dates[2], dates[3]],
            "data": random.pick(["AAECAw==", "QQ==", "?", [1, 2, 255]]),
            "link": random.pick(["https://example.com/a?b=c", "", "relative/%20"]),
            "links": ["a:b"], "price": random.pick([.number("12.34"), .number("-1e-7"), .number("123456789012345678901234567890"), 5]),
            "prices": ["x-net": .number("0.1")], "id": random.pick(["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "no", nil]),
        ]
    }
}

struct FloatSample: ComparedType {
    let double: Double, float: Float, doubles: [Double], byName: [String: Float]

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        let values: [SampleValue] = [
            1, .number("-0.0"), .number("0.1"), .number("1e308"), .number("16777217"), "Infinity", "-", .number("3e38"),
        ]
        return [
            "double": random.pick(values), "float": random.pick(values), "doubles": [random.pick(values), 1],
            "byName": ["a": random.pick(values)],
        ]
    }
}

struct WideSample: ComparedType {
    let m00: Int, m01: Int, m02: Int, m03: Int, m04: Int, m05: Int, m06: Int, m07: Int, m08: Int, m09: Int
    let m10: Int?, m11: Int?, m12: Int?, m13: Int?, m14: Int?, m15: Int?, m16: Int?, m17: Int?, m18: Int?, m19: Int?
    let aVeryLongMemberName: String, anotherVeryLongMemberName: String?

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        var members = (0..<45).map { SampleValue.Member(name: $0 < 10 ? "m0\($0)" : "m\($0)", value: .number("\($0)")) }
        members.append(SampleValue.Member(name: "aVeryLongMemberName", value: "x"))
        if random.below(2) == 0 { members.shuffle(using: &random) }
        return .object(members)
    }
}

struct PageSample<Element: Decodable & Equatable>: Decodable, Equatable {
    let items: [Element], nextPage: URL?, totalCount: Int
}

extension PageSample: ComparedType where Element == RawEnumSample {
    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["items": [RawEnumSample.document(&random), RawEnumSample.document(&random)], "nextPage": "https://a", "totalCount": 2]
    }
}

extension Array: ComparedType where Element == OptionalSample {
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        .array((0..<random.below(4)).map { _ in OptionalSample.document(&random) })
    }
}

extension Int: ComparedType {
    static func document(_ random: inout SeededGenerator) -> SampleValue { .number("\(random.below(1_000))") }
}

extension Optional: ComparedType where Wrapped == String {
    static func document(_ random: inout SeededGenerator) -> SampleValue { .string(random.pick(SampleValue.strings)) }
}
