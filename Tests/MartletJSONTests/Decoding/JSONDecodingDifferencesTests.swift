import Foundation
import Testing

@testable import MartletJSON

/// The deliberate differences from Foundation's `JSONDecoder`, one test each.
///
/// | Document | Foundation | Martlet |
/// |---|---|---|
/// | Names that differ in Unicode normalization | are equal | are different |
/// | A URL with an illegal character | its escapes are escaped again | its escapes stay |
/// | UTF-16 and UTF-32 | are decoded | are malformed |
/// | An error in a value that is not decoded | may be missed | is found |
/// | A depth of more than 512 and more than 10 million values | depth only | both are refused, the limits can be changed |
/// | Null for `Bool` | `typeMismatch` | `valueNotFound` |
/// | A number that the type can't represent | `dataCorrupted` without a path | with its path |
/// | 3.0000000000000001 and 1e-400 as an integer | 3 and 0 | `dataCorrupted` |
/// | ISO 8601 with a fraction of a second | is refused | is decoded |
/// | ISO 8601 with an impossible day, or with text after it | is decoded | `dataCorrupted` |
/// | An invalid ISO 8601 date | `dataCorrupted` with the path of its container | with its own path |
/// | Names in coding paths | are the type's keys, with their `intValue` | have no `intValue` |
/// | Strings for infinity and NaN with escapes | `typeMismatch` | are decoded |
/// | A repeated name in a dictionary whose later value is invalid | an error if keys are converted | the first value |
/// | Several errors in a dictionary | any of them is thrown | the first one is thrown |
/// | `allKeys` | in any order | in the order of the document |
/// | `decodeIfPresent` at the end of an array | `currentIndex` grows | `currentIndex` stays |
@Suite("Differences from Foundation's JSONDecoder", .timeLimit(.minutes(5)))
struct JSONDecodingDifferencesTests {
    private typealias Failure<Value: Equatable> = DecodingOutcome<Value>.Failure

    private func outcomes<Value: Decodable & Equatable>(
        _ type: Value.Type, _ data: Data, _ settings: DecodingSettings = DecodingSettings.all[0]
    ) -> (martlet: DecodingOutcome<Value>, foundation: DecodingOutcome<Value>) {
        (
            DecodingOutcome { try settings.martlet.decode(type, from: data) },
            DecodingOutcome { try settings.foundation.decode(type, from: data) }
        )
    }

    private func martlet<Value: Decodable & Equatable>(
        _ type: Value.Type, _ text: String, _ settings: DecodingSettings = DecodingSettings.all[0]
    ) -> DecodingOutcome<Value> {
        outcomes(type, Data(text.utf8), settings).martlet
    }

    private func failure<Value: Equatable>(_ name: String, _ path: [String], _ detail: String = "") -> DecodingOutcome<Value> {
        .failure(
            Failure(
                name: name, path: path, indexes: path.filter { $0.hasPrefix("Index") }.compactMap { Int($0.dropFirst(6)) }, detail: detail))
    }

    @Test("Names are compared byte for byte")
    func normalization() {
        struct Named: Decodable, Equatable {
            let value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
        }
        let data = Data("{\"e\u{301}\":1}".utf8), (martlet, foundation) = outcomes(Named.self, data)
        #expect(martlet == .value(Named(value: nil)))
        #expect(foundation == .value(Named(value: 1)))
    }

    @Test("A URL keeps its escapes when another character is illegal")
    func urls() {
        let next = "https://a.example/x?page[cursor]=abc%3D%3D"
        let expected = URL(string: "https://a.example/x?page%5Bcursor%5D=abc%3D%3D")!
        #expect(martlet([URL].self, "[\"\(next)\", \"x y\"]") == .value([expected, URL(string: "x%20y")!]))
        #expect(martlet([URL].self, "[\"http://a.example:70000/\"]") == failure("dataCorrupted", ["Index 0"]))
    }

    @Test("UTF-16 and UTF-32 are malformed")
    func encodings() {
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian] {
            let (martlet, foundation) = outcomes([Int].self, "[1,2]".data(using: encoding)!)
            #expect(martlet == failure("dataCorrupted", []))
            #expect(foundation == .value([1, 2]))
        }
    }

    @Test("The whole document is validated before a value is decoded", arguments: ["1.e5", "\"\\q\"", "\"\\uD800\"", "01", "-", "1e"])
    func validation(value: String) {
        struct Named: Decodable, Equatable { let a: Int }
        #expect(martlet(Named.self, "{\"a\":1,\"b\":\(value)}") == failure("dataCorrupted", []))
    }

    @Test("Null for Bool is a missing value, in every container")
    func nullBool() {
        struct Named: Decodable, Equatable { let a: Bool }
        #expect(martlet(Named.self, "{\"a\":null}") == failure("valueNotFound", ["a"], "Bool"))
        #expect(martlet([Bool].self, "[true,null]") == failure("valueNotFound", ["Index 1"], "Bool"))
        #expect(martlet(Bool.self, "null") == failure("valueNotFound", [], "Bool"))
        #expect(martlet(Bool?.self, "null") == .value(nil))
    }

    @Test("A number that the type can't represent has its path")
    func numberPaths() {
        #expect(martlet([String: [Int8]].self, "{\"a\":[1,128]}") == failure("dataCorrupted", ["a", "Index 1"]))
        #expect(martlet([Double].self, "[1e400]") == failure("dataCorrupted", ["Index 0"]))
        #expect(martlet([Float].self, "[1e39]") == failure("dataCorrupted", ["Index 0"]))
        #expect(martlet([Double].self, "[-1e-400]") == failure("dataCorrupted", ["Index 0"]))
        #expect(martlet([Decimal].self, "[1e400]") == failure("dataCorrupted", ["Index 0"]))
    }

    @Test("In Foundation, a number that the type can't represent has an empty path")
    func numberPathsOfFoundation() {
        func foundation<Value: Decodable & Equatable>(_: Value.Type, _ number: String) -> DecodingOutcome<[String: [Value]]> {
            outcomes([String: [Value]].self, Data("{\"a\":[1,\(number)]}".utf8)).foundation
        }
        #expect(foundation(Int8.self, "128") == failure("dataCorrupted", []))
        #expect(foundation(UInt.self, "-1") == failure("dataCorrupted", []))
        #expect(foundation(Int.self, "1.5") == failure("dataCorrupted", []))
        #expect(foundation(Double.self, "1e-400") == failure("dataCorrupted", []))
        #expect(foundation(Float.self, "1e39") == failure("dataCorrupted", []))
        #expect(foundation(Decimal.self, "1e400") == failure("dataCorrupted", []))
    }

    @Test("A number is an integer only if it is exactly one", arguments: ["3.0000000000000001", "1e-400", "9007199254740991.0000001"])
    func wholeNumbers(number: String) {
        #expect(martlet(Int.self, number) == failure("dataCorrupted", []))
    }

    @Test("ISO 8601 dates may have fractions, must exist, may have escapes, and their errors have a path")
    func dates() {
        let settings = DecodingSettings.all[3]
        func date(_ text: String) -> DecodingOutcome<[Date]> { martlet([Date].self, "[\"\(text)\"]", settings) }
        #expect(date("1970-01-01T00:00:01.5Z") == .value([Date(timeIntervalSince1970: 1.5)]))
        #expect(date("1970-01-01T02:00:01\\u002b02:00") == .value([Date(timeIntervalSince1970: 1)]))
        for text in ["2024-02-30T00:00:00Z", "2024-01-01T00:00:00Zx", "2024-01-01T25:00:00Z", ""] {
            #expect(date(text) == failure("dataCorrupted", ["Index 0"]))
        }
        #expect(martlet([Date].self, "[1]", settings) == failure("typeMismatch", ["Index 0"], "String"))
        #expect(martlet([Date].self, "[null]", settings) == failure("valueNotFound", ["Index 0"], "Date"))
    }

    @Test("Names in paths have no integer value")
    func integerNames() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONBodyDecoder().decode([Int: Int].self, from: Data("{\"7\":true}".utf8))
        }
        guard case .typeMismatch(_, let context) = error else { throw error }
        #expect(context.codingPath.map(\.stringValue) == ["7"])
        #expect(context.codingPath[0].intValue == nil)
    }

    @Test("In a dictionary, the first value of a name counts and the others may be invalid")
    func repeatedNames() {
        for settings in DecodingSettings.all[..<2] {
            #expect(martlet([String: Int].self, #"{"a":1,"a":"x","a":2}"#, settings) == .value(["a": 1]))
            #expect(martlet([String: Int].self, #"{"a":"x","a":1}"#, settings) == failure("typeMismatch", ["a"], "Int"))
        }
    }

    @Test("The first of several errors in a dictionary is thrown, and all keys are in the order of the document")
    func order() throws {
        struct Keys: Decodable, Equatable {
            let names: [String]
            init(from decoder: any Decoder) throws { names = try decoder.container(keyedBy: SampleKey.self).allKeys.map(\.stringValue) }
        }
        #expect(martlet([String: Int].self, #"{"z":1,"y":"b","x":"c","a":null}"#) == failure("typeMismatch", ["y"], "Int"))
        #expect(
            martlet([Int: Keys].self, #"{"1":{"z":1,"b":2,"z":3,"a":4}}"#)
                == .value([
                    1: try JSONBodyDecoder().decode(
                        Keys.self, from: Data(#"{"z":1,"b":1,"a":1}"#.utf8))
                ]))
        #expect(try JSONBodyDecoder().decode(Keys.self, from: Data(#"{"z":1,"b":1,"a":1}"#.utf8)).names == ["z", "b", "a"])
    }
}

@Suite("Comparison with Foundation's JSONDecoder", .timeLimit(.minutes(5)))
struct JSONDecodingComparisonTests {
    static let types: [any (ComparedType & SendableMetatype).Type] = [
        ScalarSample.self, OptionalSample.self, DeepOptionalSample.self, TreeSample.self, AssociatedSample.self, RawEnumSample.self,
        DictionarySample.self, SetSample.self, FoundationSample.self, FloatSample.self, WideSample.self, PageSample<RawEnumSample>.self,
        [OptionalSample].self, Int.self, String?.self, DogSample.self, FlatDogSample.self, NestedContainerSample.self, UnkeyedSample.self,
        TryingSample.self, AllKeysSample.self, PathSample.self, WrapperSample.self,
    ]

    @Test("Valid and changed documents decode to the same values and errors", arguments: types.indices, DecodingSettings.all)
    func comparison(place: Int, settings: DecodingSettings) {
        let type = JSONDecodingComparisonTests.types[place]
        let differences = type.differences(settings, seed: UInt64(place), count: 120)
        for difference in differences.prefix(2) { Issue.record("\(type): \(difference)") }
    }

    @Test("Decimal numbers have the same digits as with Foundation's decoder")
    func decimals() {
        var random = SeededGenerator(seed: 61)
        var texts = ["0", "-0", "0e5", "1e127", "1e128", "9e127", "1e-127", "1e-128", "1e-129", "-1e-400", "1e300", "1.5e-100", "100e-2"]
        for count in 1...60 {
            let digits = "1" + (0..<count).map { _ in String(random.below(10)) }.joined()
            texts += [digits, "-0." + digits, "\(digits)e\(random.below(200) - 100)", "\(digits).\(digits.reversed())"].map { String($0) }
        }
        for text in texts {
            let data = Data("[\(text)]".utf8)
            let ours = DecodingOutcome { try JSONBodyDecoder().decode([Decimal].self, from: data) }
            let theirs = DecodingOutcome { try JSONDecoder().decode([Decimal].self, from: data) }
            if !ours.isEquivalent(to: theirs) { Issue.record("\(text): \(ours) instead of \(theirs)") }
        }
    }
}
