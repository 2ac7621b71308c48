import Foundation
import MartletJSON
import Testing

@Suite("JSONBodyEncoder", .timeLimit(.minutes(5)))
struct JSONBodyEncoderTests {
    private static func sorted(_ change: (inout JSONBodyEncoder) -> Void = { _ in }) -> JSONBodyEncoder {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = .sortedKeys
        change(&encoder)
        return encoder
    }

    private func foundation() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private func text(_ value: some Encodable, _ encoder: JSONBodyEncoder = JSONBodyEncoder()) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    // MARK: Comparison with Foundation

    @Test("Random values encode to the same bytes as with Foundation and sorted keys", arguments: 0..<8)
    func randomValues(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expected = foundation()
        var encoder = Self.sorted()
        for round in 0..<60 {
            switch round % 3 {
            case 0:
                (expected.dateEncodingStrategy, encoder.dateEncodingStrategy) = (.deferredToDate, .deferredToDate)
                (expected.keyEncodingStrategy, encoder.keyEncodingStrategy) = (.useDefaultKeys, .useDefaultKeys)
                (expected.dataEncodingStrategy, encoder.dataEncodingStrategy) = (.base64, .base64)
            case 1:
                (expected.dateEncodingStrategy, encoder.dateEncodingStrategy) = (.iso8601, .iso8601)
                (expected.keyEncodingStrategy, encoder.keyEncodingStrategy) = (.convertToSnakeCase, .convertToSnakeCase)
                (expected.dataEncodingStrategy, encoder.dataEncodingStrategy) = (.deferredToData, .deferredToData)
            default:
                (expected.dateEncodingStrategy, encoder.dateEncodingStrategy) = (.millisecondsSince1970, .millisecondsSince1970)
                expected.keyEncodingStrategy = .custom { TextKey("x" + $0.last!.stringValue) }
                encoder.keyEncodingStrategy = .custom { TextKey("x" + $0.last!.stringValue) }
            }
            let value = Sample.random(&random, depth: round % 3 == 2 ? 0 : 2)
            let found = try difference(encoder.encode(value), expected.encode(value))
            #expect(found == nil)
        }
    }

    @Test("Random numbers have the same digits as with Foundation and read back as the same number", arguments: 0..<4)
    func randomNumbers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let doubles = (0..<5000).map { _ in random.double() }
        let floats = (0..<5000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }.filter(\.isFinite)
        let result = try JSONBodyEncoder().encode(doubles)
        let found = try difference(result, foundation().encode(doubles))
        #expect(found == nil)
        #expect(try JSONDecoder().decode([Double].self, from: result) == doubles)
        #expect(try JSONBodyEncoder().encode(floats) == foundation().encode(floats))
    }

    @Test("Decimals around the bounds of the fast paths have the same digits as with Foundation")
    func numberBounds() throws {
        var values = [
            0, -0.0, 0.1, 0.0001, 0.00009999, 0.000123, 1e-7, 1e9, 999_999_999.999999, 1e9 + 0.5, 1e15, 1e15 - 1, 1e16, 0x1p53,
            .leastNonzeroMagnitude,
        ]
        values += [
            0x1p54, 0x1p60, 0x1p63, 123_456_789.123456, 0.1 + 0.2, 1e300, .greatestFiniteMagnitude, .leastNormalMagnitude, 2.5, 19.99,
        ]
        values += values.map { -$0 } + values.map(\.nextUp) + values.filter { $0 < 1e308 }.map(\.nextDown)
        for value in values where value.isFinite { #expect(try JSONBodyEncoder().encode(value) == foundation().encode(value)) }
        for value in [Float(0), -0.0, 0.1, 8_388_607, 8_388_608, 16_777_216, 1e10, 1e-10, -3] {
            #expect(try JSONBodyEncoder().encode(value) == foundation().encode(value))
        }
    }

    @Test("Integers of all widths are written with all digits")
    func integers() throws {
        #expect(
            try text([Int.min, -10, -1, 0, 9, 10, 99, 100, 12_345, Int.max]).hasPrefix(
                "[-9223372036854775808,-10,-1,0,9,10,99,100,12345,922"))
        #expect(try text([UInt64.max, 9_999_999_999_999_999_999]) == "[18446744073709551615,9999999999999999999]")
        #expect(try text([UInt8.max]) + text([Int16.min]) + text([UInt32.max]) == "[255][-32768][4294967295]")
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            #expect(try text([Int128.min]) == "[-170141183460469231731687303715884105728]")
            #expect(try text([UInt128.max]) == "[340282366920938463463374607431768211455]")
        }
    }

    @Test("Members are written as null, and as integers of 128 bits with all digits")
    func members() throws {
        struct Null: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: SomeKey.self)
                try container.encodeNil(forKey: .first)
                try container.encode("b", forKey: .second)
            }
        }
        enum SomeKey: String, CodingKey { case first, second }
        #expect(try text(Null()) == #"{"first":null,"second":"b"}"#)
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            struct Wide: Encodable { let low = Int128.min, high = UInt128.max }
            #expect(
                try text(Wide())
                    == #"{"low":-170141183460469231731687303715884105728,"high":340282366920938463463374607431768211455}"#)
        }
    }

    @Test("Scalars of all kinds are written at the top level")
    func fragments() throws {
        #expect(try text("a") == "\"a\"" && text(1) == "1" && text(true) == "true" && text(1.5) == "1.5")
        #expect(try text(Int?.none) == "null" && text([Int]()) == "[]" && text([String: Int]()) == "{}")
        #expect(try text(URL(string: "https://a.b/c")) == "\"https://a.b/c\"")
        #expect(try text(Decimal(string: "123456789012345678901234567890.123")) == "123456789012345678901234567890.123")
    }

    // MARK: OutputFormatting

    @Test("Members keep the order of their encoding, and dictionaries are sorted")
    func order() throws {
        struct Value: Encodable { let b = 1, a = ["z": 1, "é": 2, "a": 3, "B": 4, "same_prefix_2": 5, "same_prefix_10": 6] }
        #expect(try text(Value()) == #"{"b":1,"a":{"B":4,"a":3,"same_prefix_10":6,"same_prefix_2":5,"z":1,"é":2}}"#)
        #expect(try text([Color.red: 1, .darkBlue: 2, .green: 3]) == #"{"darkBlue":2,"green":3,"red":1}"#)
        #expect(try text([[10: "a", 9: "b"]]) == #"[{"10":"a","9":"b"}]"#)
    }

    @Test("Dictionaries with keys that are not strings or integers are arrays of pairs sorted by key")
    func pairs() throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<40).map { (Double($0) / 4, ["n": $0]) })
        let result = try JSONBodyEncoder().encode(values)
        #expect(try result == JSONBodyEncoder().encode(values.filter { _ in true }))
        #expect(try JSONDecoder().decode([Double: [String: Int]].self, from: result) == values)
        #expect(try text([1.5: "b", 0.5: "a"]) == #"[0.5,"a",1.5,"b"]"#)
        #expect(try text([Double: Int]()) == "[]")
    }

    @Test("Large dictionaries and keys with escapes are sorted by their unescaped bytes")
    func manyKeys() throws {
        var random = SeededGenerator(seed: 7)
        let values = Dictionary((0..<500).map { (random.text() + random.text(), $0) }, uniquingKeysWith: { $1 })
        #expect(try JSONBodyEncoder().encode(values) == foundation().encode(values))
        #expect(try text(["a\n": 1, "a\t": 2, "a!": 3, "a\\": 4, "a": 5]) == #"{"a":5,"a\t":2,"a\n":1,"a!":3,"a\\":4}"#)
    }

    @Test("Pretty printing indents by two spaces and keeps empty containers short")
    func prettyPrinted() throws {
        let encoder = Self.sorted { $0.outputFormatting.insert(.prettyPrinted) }
        let value = ["b": [[1, 2], []], "a": []]
        #expect(try text(value, encoder) == "{\n  \"a\": [],\n  \"b\": [\n    [\n      1,\n      2\n    ],\n    []\n  ]\n}")
        let expected = foundation()
        expected.outputFormatting.insert(.prettyPrinted)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let sample = Sample.random(&random)
            let reference = String(decoding: try expected.encode(sample), as: UTF8.self)
            let compact = reference.replacing(/\[\n\n *\]/, with: "[]").replacing(/\{\n\n *\}/, with: "{}")
            let expected = compact.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                // Only the colon after a name at the start of a line.
                line.replacing(#/^ *"([^"\\]|\\.)*" : /#) { $0.output.0.dropLast(3) + ": " }
            }.joined(separator: "\n")
            #expect(try text(sample, encoder) == expected)
        }
    }

    @Test("Slashes are escaped on request only")
    func slashes() throws {
        let encoder = Self.sorted { $0.outputFormatting = .escapingSlashes }
        let value = ["a/b": ["0123456/89/", "/"]]
        #expect(try text(value) == #"{"a/b":["0123456/89/","/"]}"#)
        #expect(try text(value, encoder) == #"{"a\/b":["0123456\/89\/","\/"]}"#)
        #expect(try text(Data([255, 255, 255]), encoder) == #""\/\/\/\/""#)
    }

    @Test("The user info reaches nested values")
    func userInfo() throws {
        let key = CodingUserInfoKey(rawValue: "k")!
        let encoder = Self.sorted { $0.userInfo[key] = "info" }
        let value = Scripted { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(encoder.userInfo[key] as? String)
        }
        #expect(try text(["a": [value]], encoder) == #"{"a":["info"]}"#)
    }

    @Test("An array in an array of optionals of dictionaries keeps its nulls")
    func optionals() throws {
        #expect(try text([[1, nil], nil] as [[Int?]?]) == "[[1,null],null]")
        #expect(try text([["a": nil, "b": .some(.some(1))], nil] as [[String: Int??]?]) == #"[{"a":null,"b":1},null]"#)
    }
}
