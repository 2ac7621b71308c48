import Foundation
import MartletJSON
import Testing

@Suite("JSONBodyEncoder+Strategies", .timeLimit(.minutes(5)))
struct JSONBodyEncoderStrategyTests {
    private func text(_ value: some Encodable, _ change: (inout JSONBodyEncoder) -> Void) throws -> String {
        var encoder = JSONBodyEncoder()
        change(&encoder)
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    // MARK: Keys

    @Test("Snake case converts the keys of types but not of string dictionaries")
    func snakeCase() throws {
        struct Value: Encodable {
            let myURL = ["aB": ["cD": 1]], twoWords: [String: Value2] = ["eF": Value2()], some: [String: Int?]? = ["gH": nil]
        }
        struct Value2: Encodable { let innerKey = true }
        let result = try text([Value(), Value()]) { $0.keyEncodingStrategy = .convertToSnakeCase }
        let one = #"{"my_url":{"aB":{"cD":1}},"two_words":{"eF":{"inner_key":true}},"some":{"gH":null}}"#
        #expect(result == "[\(one),\(one)]")
    }

    @Test("A custom key strategy receives the coding path with the key at its end")
    func customKeys() throws {
        struct Value: Encodable { let inner = [Inner()] }
        struct Inner: Encodable { let leaf = 1 }
        let result = try text(["d": Value()]) {
            $0.keyEncodingStrategy = .custom { path in TextKey(path.map(\.stringValue).joined(separator: ".")) }
        }
        #expect(result == #"{"d":{"d.inner":[{"d.inner.Index 0.leaf":1}]}}"#)
    }

    @Test("Of keys that conversion makes equal, the last value counts")
    func equalKeys() throws {
        let value = Scripted { encoder in
            var container = encoder.container(keyedBy: TextKey.self)
            try container.encode(1, forKey: "aB")
            try container.encode(2, forKey: "x")
            try container.encode(3, forKey: "a_b")
        }
        #expect(try text(value) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"a_b":3,"x":2}"#)
    }

    // MARK: Dates

    @Test("Date strategies write numbers and strings")
    func dates() throws {
        let dates = [Date(timeIntervalSince1970: 784_111_777.5), Date(timeIntervalSinceReferenceDate: -0.25)]
        #expect(try text(dates) { $0.dateEncodingStrategy = .deferredToDate } == "[-194195422.5,-0.25]")
        #expect(try text(dates) { $0.dateEncodingStrategy = .secondsSince1970 } == "[784111777.5,978307199.75]")
        #expect(try text(dates) { $0.dateEncodingStrategy = .millisecondsSince1970 } == "[784111777500,978307199750]")
        #expect(try text(dates) { $0.dateEncodingStrategy = .iso8601 } == #"["1994-11-06T08:49:37Z","2000-12-31T23:59:59Z"]"#)
        #expect(
            try text(dates) { $0.dateEncodingStrategy = .iso8601WithFractionalSeconds }
                == #"["1994-11-06T08:49:37.500Z","2000-12-31T23:59:59.750Z"]"#)
    }

    @Test("Custom strategies encode with the value's path, and encoding nothing writes an empty object")
    func custom() throws {
        let result = try text(["a": [Date(), Date()]]) {
            $0.dateEncodingStrategy = .custom { _, encoder in
                guard encoder.codingPath.last?.intValue == 0 else { return }
                var container = encoder.singleValueContainer()
                try container.encode(encoder.codingPath.map(\.stringValue))
            }
        }
        #expect(result == #"{"a":[["a","Index 0"],{}]}"#)
        #expect(
            try text(Data([1, 2])) { $0.dataEncodingStrategy = .custom { data, encoder in try data.count.encode(to: encoder) } } == "2")
    }

    @Test("Dates outside ISO 8601 throw with their coding path", arguments: [-1e11, 1e12, .infinity, -.infinity, .nan, 1e300])
    func datesOutOfRange(time: Double) {
        #expect {
            try text(["a": [Date(timeIntervalSinceReferenceDate: time)]]) { $0.dateEncodingStrategy = .iso8601 }
        } throws: { error in
            guard case EncodingError.invalidValue(_, let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["a", "Index 0"]
        }
    }

    // MARK: Data

    @Test("Data is written as Base64 or as numbers")
    func data() throws {
        for length in 0..<20 {
            let data = Data((0..<length).map { UInt8($0 * 37 & 255) })
            #expect(try text(data) { _ in } == "\"\(data.base64EncodedString())\"")
            #expect(try text(data) { $0.dataEncodingStrategy = .deferredToData } == "[" + data.map { "\($0)" }.joined(separator: ",") + "]")
        }
    }

    // MARK: Numbers

    @Test("Infinite numbers and NaN can be encoded as strings")
    func nonConforming() throws {
        let strategy = JSONBodyEncoder.NonConformingFloatEncodingStrategy.convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        let value = Scripted { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Double.nan)
            try container.encode(Float.infinity)
            try container.encode(["a": -Double.infinity])
            try container.encode([Double?.some(.infinity)])
            try container.encode(Date(timeIntervalSinceReferenceDate: .nan))
            var keyed = container.nestedContainer(keyedBy: TextKey.self)
            try keyed.encode(-Float.infinity, forKey: "f")
            try keyed.encode(Double.nan, forKey: "d")
        }
        let result = try text(value) { $0.nonConformingFloatEncodingStrategy = strategy }
        #expect(result == #"["?","+",{"a":"-"},["+"],"?",{"f":"-","d":"?"}]"#)
    }
}
