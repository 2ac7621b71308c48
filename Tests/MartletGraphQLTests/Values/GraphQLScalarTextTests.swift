import Foundation
import MartletGraphQL
import Testing

@Suite("GraphQLScalarText", .timeLimit(.minutes(5)))
struct GraphQLScalarTextTests {
    /// A type of an app: the digits of a whole number of any length.
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

    /// The path and the words of the error that reading gives.
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

    @Test("64-bit integers keep every digit, from a text and from a number")
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
        "Decimals keep every digit, from a text and from a number",
        arguments: [
            "0", "0.1", "12.50", "-0.000001", "12345678901234567890123456789012345678", "123456789012345678901234567890.12345678", "1e2",
            "15E-1",
        ])
    func decimals(_ text: String) throws {
        let expected = try #require(Decimal(string: text))
        #expect(try read(text, as: Decimal.self) == expected)
        #expect(try read("\"\(text)\"", as: Decimal.self) == expected)
    }

    @Test("Types of the app's own get the digits of texts of any length, and of numbers")
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
        "What is no decimal, or one of which not every digit can be kept, is a decoding error with the path",
        arguments: [
            #""""#, #"" 5""#, #""12 apples""#, #""1,5""#, #""1.""#, #"".5""#, #""1.2.3""#, #""0x5""#, #""NaN""#, #""inf""#, #""1e""#,
            #""1e1e1""#,
            #""--1""#, #""1e200""#, #""1e-200""#, #""1e99999999999999999999""#, #""1234567890123456789012345678901234567891""#,
            #""0.1234567890123456789012345678901234567890123""#,
        ])
    func brokenDecimals(_ json: String) {
        #expect(problem(json, as: Decimal.self) == "x[0]: not the text of a value of the type \(Decimal.self)")
    }

    @Test(
        "What is no whole number, or does not fit, is a decoding error",
        arguments: [#""1.5""#, "1.5", #""x""#, #""""#, #""9223372036854775808""#, "-9223372036854775809"])
    func brokenIntegers(_ json: String) {
        #expect(problem(json, as: Int64.self) == "x[0]: not the text of a value of the type Int64")
    }

    @Test("What is neither a text nor a number is a decoding error, and so is a number that can't be read whole")
    func otherKinds() {
        let neither = "x[0]: neither a text nor a number of which all digits can be read"
        for json in ["true", "{}", "[]", "1234567890123456789012345678901234567890123", "1e100"] {
            #expect(problem(json, as: Decimal.self) == neither)
        }
        #expect(problem("null", as: Decimal.self) == "x[0]: null was found")
    }

    @Test("It is written as a text, which no JSON library rounds")
    func writing() throws {
        func json<Value: GraphQLTextScalar>(_ values: Value...) throws -> String {
            String(decoding: try JSONEncoder().encode(values.map { GraphQLScalarText($0) }), as: UTF8.self)
        }
        #expect(try json(Int64.min, 0) == #"["-9223372036854775808","0"]"#)
        #expect(try json(UInt64.max) == #"["18446744073709551615"]"#)
        #expect(try json(Decimal(string: "12.50") ?? 0, Decimal(string: "1e30") ?? 0) == #"["12.5","1000000000000000000000000000000"]"#)
        #expect(throws: EncodingError.self) { try json(Decimal.nan) }
    }

    @Test("It compares as its value does, and whole literals pass through")
    func values() {
        let one: GraphQLScalarText<Decimal> = 1, two = GraphQLScalarText<Decimal>(2)
        #expect(one < two)
        #expect(one == GraphQLScalarText(1))
        #expect("\(two)" == "2")
        #expect(Set([one, two]).count == 2)
    }

    @Test(
        "No exponent ends the process",
        arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e99999", "1e-99999", "1e128", "1e-129"])
    func hugeExponents(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GraphQLScalarText<Decimal>.self, from: Data("\"\(text)\"".utf8))
        }
    }
}
