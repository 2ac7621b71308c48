import Foundation
import MartletGraphQL
import Testing

@Suite("GraphQLScalarText", .timeLimit(.minutes(5)))
struct GraphQLScalarTextTests {
    /// An app's own type: an integer of any length as digits.
    private struct BigInteger: GraphQLTextScalar, Equatable {
        let graphQLText: String

        init?(graphQLText: String) {
            guard !graphQLText.isEmpty, graphQLText.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            self.graphQLText = graphQLText
        }
    }

    private struct Box<Value: GraphQLTextScalar>: Codable { let x: [GraphQLScalarText<Value>] }

    private func read<Value: GraphQLTextScalar>(_ json: String, as type: Value.Type) throws -> Value {
        try #require(try JSONDecoder().decode(Box<Value>.self, from: Data("{\"x\":[\(json)]}".utf8)).x.first).value
    }

    /// Returns the path and the message of the decoding error.
    private func problem<Value: GraphQLTextScalar>(_ json: String, as type: Value.Type) -> String? {
        do {
            _ = try read(json, as: type)
            return nil
        } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context)
        {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return "\(path.joined()): \(context.debugDescription)"
        } catch {
            return "\(error)"
        }
    }

    @Test("64-bit integers keep every digit, from strings and numbers")
    func integers() throws {
        for value in [0, -1, 9_007_199_254_740_993, .max, .min] as [Int64] {
            #expect(try read("\(value)", as: Int64.self) == value)
            #expect(try read("\"\(value)\"", as: Int64.self) == value)
        }
        #expect(try read("18446744073709551615", as: UInt64.self) == .max)
        #expect(try read("\"18446744073709551615\"", as: UInt64.self) == .max)
        #expect(try read("1e3", as: UInt64.self) == 1000)
        #expect(try read("9007199254740993.0", as: Int64.self) == 9_007_199_254_740_993)
    }

    @Test(
        "Decimals keep every digit, from strings and numbers",
        arguments: [
            "0", "0.1", "12.50", "-0.000001", "12345678901234567890123456789012345678", "123456789012345678901234567890.12345678", "1e2",
            "15E-1",
        ])
    func decimals(_ text: String) throws {
        let expected = try #require(Decimal(string: text))
        #expect(try read(text, as: Decimal.self) == expected)
        #expect(try read("\"\(text)\"", as: Decimal.self) == expected)
    }

    @Test("An app's own type receives the digits of strings of any length, and of numbers")
    func ownTypes() throws {
        let digits = String(repeating: "1234567890", count: 20)
        #expect(try read("\"\(digits)\"", as: BigInteger.self).graphQLText == digits)
        #expect(try read("123456789012345678901234567890", as: BigInteger.self).graphQLText == "123456789012345678901234567890")
        #expect(
            try read("170141183460469231731687303715884105727", as: BigInteger.self).graphQLText
                == "170141183460469231731687303715884105727")
        #expect(
            try read("340282366920938463463374607431768211455", as: BigInteger.self).graphQLText
                == "340282366920938463463374607431768211455")
    }

    @Test(
        "Invalid text, or more digits than Decimal can keep, is a decoding error with the path",
        arguments: [
            #""""#, #"" 5""#, #""12 apples""#, #""1,5""#, #""1.""#, #"".5""#, #""1.2.3""#, #""0x5""#, #""NaN""#, #""inf""#, #""1e""#,
            #""1e1e1""#,
            #""--1""#, #""1e200""#, #""1e-200""#, #""1e99999999999999999999""#, #""1234567890123456789012345678901234567891""#,
            #""0.1234567890123456789012345678901234567890123""#,
        ])
    func brokenDecimals(_ json: String) {
        #expect(problem(json, as: Decimal.self) == "x[0]: the text is not a valid \(Decimal.self)")
    }

    @Test(
        "Invalid text, or an integer out of range, is a decoding error",
        arguments: [#""1.5""#, "1.5", #""x""#, #""""#, #""9223372036854775808""#, "-9223372036854775809"])
    func brokenIntegers(_ json: String) {
        #expect(problem(json, as: Int64.self) == "x[0]: the text is not a valid Int64")
    }

    @Test("Values that are not strings or numbers, and numbers that cannot be read exactly, are decoding errors")
    func otherKinds() {
        let neither = "x[0]: expected a string, or a number whose digits can all be read"
        for json in ["true", "{}", "[]", "1234567890123456789012345678901234567890123", "1e100"] {
            #expect(problem(json, as: Decimal.self) == neither)
        }
        #expect(problem("null", as: Decimal.self) == "x[0]: null was found")
    }

    @Test("The value is encoded as a string, which no JSON library rounds")
    func writing() throws {
        func json<Value: GraphQLTextScalar>(_ values: Value...) throws -> String {
            String(decoding: try JSONEncoder().encode(values.map { GraphQLScalarText($0) }), as: UTF8.self)
        }
        #expect(try json(Int64.min, 0) == #"["-9223372036854775808","0"]"#)
        #expect(try json(UInt64.max) == #"["18446744073709551615"]"#)
        #expect(try json(Decimal(string: "12.50") ?? 0, Decimal(string: "1e30") ?? 0) == #"["12.5","1000000000000000000000000000000"]"#)
        #expect(throws: EncodingError.self) { try json(Decimal.nan) }
    }

    @Test("It compares like its value, and accepts integer literals")
    func values() {
        let one: GraphQLScalarText<Decimal> = 1, two = GraphQLScalarText<Decimal>(2)
        #expect(one < two)
        #expect(one == GraphQLScalarText(1))
        #expect("\(two)" == "2")
        #expect(Set([one, two]).count == 2)
    }

    @Test(
        "Huge exponents do not trap",
        arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e99999", "1e-99999", "1e128", "1e-129"])
    func hugeExponents(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GraphQLScalarText<Decimal>.self, from: Data("\"\(text)\"".utf8))
        }
    }

    private enum Episode: String, Sendable { case newHope = "NEWHOPE", jedi = "JEDI" }

    private func read(_ json: String) throws -> [GraphQLEnum<Episode>] {
        try JSONDecoder().decode([GraphQLEnum<Episode>].self, from: Data(json.utf8))
    }

    @Test("A known value is decoded as its case, and an unknown one keeps its name")
    func reading() throws {
        let found = try read(#"["JEDI","ROGUE_ONE","jedi"]"#)
        guard case .known(.jedi) = found[0], case .unknown("ROGUE_ONE") = found[1], case .unknown("jedi") = found[2] else {
            Issue.record("\(found)")
            return
        }
        #expect(found.map(\.known) == [.jedi, nil, nil])
        #expect(found.map(\.description) == ["JEDI", "ROGUE_ONE", "jedi"])
    }

    @Test("A value that is not a string is a decoding error", arguments: ["[1]", "[null]", "[{}]"])
    func refusing(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test("Known and unknown values are encoded by name")
    func writingEnums() throws {
        let json = #"["JEDI","ROGUE_ONE"]"#
        #expect(String(decoding: try JSONEncoder().encode(try read(json)), as: UTF8.self) == json)
    }

    @Test("Values are equal if their names are, also to a bare enum value")
    func equality() {
        let known = GraphQLEnum(Episode.jedi), named = GraphQLEnum<Episode>.unknown("JEDI"), other = GraphQLEnum<Episode>(rawValue: "X")
        #expect(known == named)
        #expect(Set([known, named]).count == 1)
        #expect(known == .jedi)
        #expect(known != .newHope)
        #expect(other != known)
        #expect(other.known == nil)
    }
}
