import Foundation
import Testing

@testable import MartletJSON

@Suite("Decoder of JSON bodies", .timeLimit(.minutes(5)))
struct JSONBodyDecoderTests {
    private struct Bird: Decodable, Equatable {
        let commonName: String, wingspan: Double?
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String, _ decoder: JSONBodyDecoder = JSONBodyDecoder()) throws
        -> Value
    {
        try decoder.decode(type, from: Data(text.utf8))
    }

    @Test("A document is decoded with the decoder's strategies")
    func decoding() throws {
        var decoder = JSONBodyDecoder()
        #expect(try decode(Bird.self, #"{"commonName":"Martlet","wingspan":0.3}"#) == Bird(commonName: "Martlet", wingspan: 0.3))
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decode([Bird].self, #"[{"common_name":"a"}]"#, decoder) == [Bird(commonName: "a", wingspan: nil)])
    }

    @Test("Scalars at the root are decoded")
    func scalars() throws {
        #expect(try decode(Int.self, " 1 ") == 1)
        #expect(try decode(String.self, "\"a\"") == "a")
        #expect(try decode(Bool?.self, "null") == nil)
        #expect(try decode([Int].self, "[]").isEmpty)
        #expect(try decode([String: [Double]].self, #"{"a":[1,2.5]}"#) == ["a": [1, 2.5]])
    }

    @Test("A slice of data is decoded correctly")
    func slice() throws {
        let data = Data("xx[1,2]yy".utf8)
        #expect(try JSONBodyDecoder().decode([Int].self, from: data[2..<7]) == [1, 2])
    }

    @Test("A changed copy does not affect the original")
    func copies() throws {
        let original = JSONBodyDecoder()
        var copy = original
        copy.maxDepth = 0
        #expect(throws: DecodingError.self) { try decode([Int].self, "[]", copy) }
        #expect(try decode([Int].self, "[]", original).isEmpty)
    }

    @Test("A malformed document throws dataCorrupted with the syntax error as its underlying error", arguments: ["", "{", "[1,]", "\u{0}"])
    func malformed(text: String) throws {
        let error = try #require(throws: DecodingError.self) { try decode([Int].self, text) }
        guard case .dataCorrupted(let context) = error else { throw error }
        #expect(context.codingPath.isEmpty)
        #expect(context.underlyingError is JSONSyntaxError)
    }

    @Test("Errors of a type's own initializer are passed on")
    func ownErrors() {
        struct Failing: Decodable {
            struct Refusal: Error {}
            init(from decoder: any Decoder) throws { throw Refusal() }
        }
        #expect(throws: Failing.Refusal.self) { try decode([Failing].self, "[1]") }
    }

    @Test("Infinity and NaN are decoded from the configured strings, also with escapes")
    func nonConformingFloats() throws {
        var decoder = JSONBodyDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try decode([Double].self, #"["inf","-inf",1,"\u0069nf"]"#, decoder) == [.infinity, -.infinity, 1, .infinity])
        #expect(try decode([Float].self, #"["nan"]"#, decoder)[0].isNaN)
        #expect(throws: DecodingError.self) { try decode([Double].self, #"["Inf"]"#, decoder) }
        #expect(throws: DecodingError.self) { try decode([Double].self, #"["inf"]"#) }
    }

    @Test(
        "The error for a date says what is missing, and which setting reads it",
        arguments: [
            ("2026-03-01T10:00:00", "has no time zone; dateDecodingStrategy .iso8601AssumingUTC reads it"),
            ("2026-03-01T10:00:00.123456", "has no time zone; dateDecodingStrategy .iso8601AssumingUTC reads it"),
            ("2026-03-01", "has no time and no time zone; dateDecodingStrategy .iso8601AssumingUTC reads it"),
            ("2026-03-01 10:00:00", "has a space in place of the “T” of ISO 8601; a dateDecodingStrategy .custom can read it"),
            ("2026-03-01 10:00:00.5+00:00", "has a space in place of the “T” of ISO 8601; a dateDecodingStrategy .custom can read it"),
            ("2026-02-30", "is not an ISO 8601 date with a time and a time zone"),
            ("2026-03-01T10:00", "is not an ISO 8601 date with a time and a time zone"),
            ("noon", "is not an ISO 8601 date with a time and a time zone"), ("", "is not an ISO 8601 date with a time and a time zone"),
        ])
    func incompleteDates(text: String, reason: String) {
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect {
            try decode([Date].self, "[\"\(text)\"]", decoder)
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription == "“\(text)” \(reason)"
        }
    }

    @Test(
        "The error for a number in place of a date names the setting that reads it",
        arguments: [
            ("1772359200", ".secondsSince1970"), ("1772359200.5", ".secondsSince1970"), ("1772359200000", ".millisecondsSince1970"),
            ("-1772359200000", ".millisecondsSince1970"), ("0", ".secondsSince1970"),
        ])
    func numbersAsDates(number: String, setting: String) {
        for strategy in [JSONBodyDecoder.DateDecodingStrategy.iso8601, .iso8601AssumingUTC] {
            var decoder = JSONBodyDecoder()
            decoder.dateDecodingStrategy = strategy
            #expect {
                try decode([Date].self, "[\(number)]", decoder)
            } throws: { error in
                guard case DecodingError.typeMismatch(_, let context) = error else { return false }
                return context.debugDescription
                    == "a number was found in place of an ISO 8601 date; dateDecodingStrategy \(setting) reads it"
            }
        }
    }

    @Test("Times without a time zone and days are decoded as UTC if the strategy says so")
    func datesInUTC() throws {
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601AssumingUTC
        let texts = #"["2026-03-01T10:00:00","2026-03-01T10:00:00.5","2026-03-01","2026-03-01T10:00:00Z","2026-03-01T12:00:00+02:00"]"#
        #expect(
            try decode([Date].self, texts, decoder).map(\.timeIntervalSince1970)
                == [1_772_359_200, 1_772_359_200.5, 1_772_323_200, 1_772_359_200, 1_772_359_200])
        for text in ["2026-02-30", "2026-03-01T10:00", "2026-03-01T", "2026-03-01T10:00:00+", "2026-03-01T10:00:00ZZ", "", "Z", "noon"] {
            #expect(throws: DecodingError.self) { try decode([Date].self, "[\"\(text)\"]", decoder) }
        }
    }

    @Test("Integers of 128 bits are decoded by all containers")
    func wideIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        struct Wide: Decodable, Equatable { let a: Int128, b: UInt128?, c: [Int128] }
        let wide = try decode(
            Wide.self, #"{"a":-170141183460469231731687303715884105728,"b":340282366920938463463374607431768211455,"c":[1e30]}"#)
        #expect(wide == Wide(a: .min, b: .max, c: [1_000_000_000_000_000_000_000_000_000_000]))
    }

    @Test("Many tasks can use one decoder at the same time")
    func concurrency() async throws {
        let decoder = JSONBodyDecoder()
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for round in 0..<32 {
                group.addTask {
                    try decoder.decode([String: [Int]].self, from: Data("{\"a\":[\(round),1]}".utf8))["a", default: []].reduce(0, +)
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sums == (0..<32).reduce(0, +) + 32)
    }

    @Test("A custom key strategy gets the path of the object and the name in the document")
    func customKeyPaths() throws {
        struct Inner: Decodable { let b: Int }
        struct Outer: Decodable { let list: [Inner] }
        let lowercase: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            let steps = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return SampleKey(stringValue: steps == ["list", "1", "B"] ? "b" : steps.last == "LIST" ? "list" : steps.last ?? "")
        }
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .custom(lowercase)
        #expect(try decode(Outer.self, #"{"LIST":[{"b":1},{"B":2}]}"#, decoder).list.map(\.b) == [1, 2])
    }

    @Test("The first member of a repeated name counts, wherever the last lookup ended", arguments: [3, 40])
    func repeatedNames(count: Int) throws {
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Members: Decodable {
            let keys: [String], values: [Int], again: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Name.self)
                keys = container.allKeys.map(\.stringValue)
                values = try container.allKeys.map { try container.decode(Int.self, forKey: $0) }
                again = try container.decode(Int.self, forKey: Name(stringValue: "n0"))
            }
        }
        let text = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        let members = try JSONBodyDecoder().decode(Members.self, from: Data("{\(text),\"n0\":-1}".utf8))
        #expect(members.keys == (0..<count).map { "n\($0)" } && members.values == Array(0..<count) && members.again == 0)
    }
}
