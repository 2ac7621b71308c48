import Foundation
import Testing

@testable import MartletJSON

@Suite("Hostile documents", .timeLimit(.minutes(5)))
struct HostileDocumentTests {
    #if DEBUG
    /// Optimized builds use larger documents.
    private static let scale = 1
    #else
    private static let scale = 20
    #endif

    /// An element that is skipped.
    private struct Skipped: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private func repeated(_ text: String, bytes: Int) -> Data {
        let unit = Data(String(repeating: text, count: 1 << 16).utf8)
        var data = Data(capacity: bytes + unit.count)
        while data.count < bytes { data.append(unit) }
        return data
    }

    private func kind(_ data: Data, _ limits: JSONLimits = JSONLimits()) throws -> JSONSyntaxError.Kind? {
        var decoder = JSONBodyDecoder()
        decoder.limits = limits
        let error = try #require(throws: DecodingError.self) { try decoder.decode(Skipped.self, from: data) }
        guard case .dataCorrupted(let context) = error else { throw error }
        return (context.underlyingError as? JSONSyntaxError)?.kind
    }

    @Test("100 MB of opening brackets exceed the depth", arguments: ["[", "{\"a\":", "[{\"\":"])
    func brackets(text: String) throws {
        let data = repeated(text, bytes: 100_000_000)
        #expect(try kind(data) == .tooDeep(limit: 512))
        let limits = JSONLimits(maxDepth: .max, maxValues: 20_000)
        #expect(try kind(data, limits) == .tooManyValues(limit: 20_000))
    }

    @Test("A document of many small values exceeds the maximum number of values")
    func manyValues() throws {
        let data = repeated("[],", bytes: 300_000)
        #expect(try kind(Data("[".utf8) + data, JSONLimits(maxValues: 10_000)) == .tooManyValues(limit: 10_000))
    }

    @Test("Types that nest as deep as the limit are decoded")
    func deepTypes() throws {
        final class Node: Decodable { let next: Node? }
        indirect enum Tree: Decodable {
            case leaf, branch([Tree])
            init(from decoder: any Decoder) throws { self = try .branch([Tree](from: decoder)) }
        }
        func nested(_ open: String, _ close: String, _ depth: Int) -> Data {
            Data((String(repeating: open, count: depth) + "{}" + String(repeating: close, count: depth)).utf8)
        }
        var node = try JSONBodyDecoder().decode(Node?.self, from: nested("{\"next\":", "}", 511)), depth = 0
        while let next = node {
            node = next.next
            depth += 1
        }
        #expect(depth == 512)
        let brackets = Data((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
        _ = try JSONBodyDecoder().decode(Tree.self, from: brackets)
        // The error at the innermost value has the whole path.
        let outcome = DecodingOutcome<Bool> {
            _ = try JSONBodyDecoder().decode(Tree.self, from: nested("[", "]", 511))
            return true
        }
        guard case .failure(let failure) = outcome else { throw CancellationError() }
        #expect(failure.name == "typeMismatch" && failure.path.count == 511)
    }

    @Test("A number of a million digits is decoded, or is an error")
    func longNumber() throws {
        let digits = "1" + String(repeating: "0", count: 1_000_000), decoder = JSONBodyDecoder()
        for text in [digits, "-" + digits, digits + ".5"] {
            let data = Data("[\(text)]".utf8)
            #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: data) }
            #expect(throws: DecodingError.self) { try decoder.decode([Double].self, from: data) }
            #expect(throws: DecodingError.self) { try decoder.decode([Float].self, from: data) }
            #expect(throws: DecodingError.self) { try decoder.decode([Decimal].self, from: data) }
        }
        #expect(try decoder.decode(Double.self, from: Data((digits + "e-1000000").utf8)) == 1)
        #expect(try decoder.decode(Int.self, from: Data((digits + "e-1000000").utf8)) == 1)
    }

    @Test("Keys with the same signature are found in an object of many members")
    func collidingKeys() throws {
        struct Found: Decodable {
            let values: [Int?]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: SampleKey.self)
                values = try ["1000000", "1000077", "none123"].map {
                    try container.decodeIfPresent(Int.self, forKey: SampleKey(stringValue: "beginning\($0)end.of.it"))
                }
            }
        }
        let count = 50_000 * HostileDocumentTests.scale
        var text = "{"
        for number in 0..<count { text += "\"beginning\(1_000_000 + number)end.of.it\":\(number)," }
        let data = Data((text + "\"beginning1000077end.of.it\":true}").utf8), decoder = JSONBodyDecoder()
        #expect(try decoder.decode(Found.self, from: data).values == [0, 77, nil])
        let dictionary = try decoder.decode([String: Int].self, from: data)
        #expect(dictionary.count == count)
        #expect(dictionary["beginning1000099end.of.it"] == 99)
    }

    @Test("The first value of a name that repeats thousands of times counts", arguments: [2, 32, 33, 20_000])
    func repeatedNames(count: Int) throws {
        struct Named: Decodable { let name: Int }
        let text = "{\"name\":1" + String(repeating: ",\"n\\u0061me\":\"x\"", count: count - 1) + "}"
        let decoder = JSONBodyDecoder()
        #expect(try decoder.decode(Named.self, from: Data(text.utf8)).name == 1)
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)) == ["name": 1])
    }

    @Test("Converted names with the same signature keep their own texts")
    func collidingConvertedNames() throws {
        struct Names: Decodable {
            let names: [String]
            init(from decoder: any Decoder) throws { names = try decoder.container(keyedBy: SampleKey.self).allKeys.map(\.stringValue) }
        }
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let names = (1_000..<3_000).map { "same_length_\($0)_and_ending" }
        let object = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        for found in try decoder.decode([Names].self, from: Data("[\(object),\(object)]".utf8)) {
            #expect(found.names == names.map(SnakeCase.camelCase))
        }
    }

    @Test("Custom keys of many members in a deep object are converted")
    func deepCustomKeys() throws {
        struct Deep: Decodable {
            let count: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: SampleKey.self), keys = container.allKeys
                count = keys.count == 1 ? try container.decode(Deep.self, forKey: keys[0]).count : keys.count
            }
        }
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .custom { path in path[path.count - 1] }
        let members = (0..<20_000).map { "\"\($0)\":1" }.joined(separator: ",")
        let text = String(repeating: "{\"a\":", count: 400) + "{\(members)}" + String(repeating: "}", count: 400)
        #expect(try decoder.decode(Deep.self, from: Data(text.utf8)).count == 20_000)
    }

    @Test("Lone surrogates and invalid UTF-8 in names are errors at their position")
    func invalidNames() throws {
        for name in [
            Array("\\uD800".utf8), Array("\\uDC00\\uD800".utf8), [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
        ] {
            let data = Data("{\"".utf8) + name + Data("\":1}".utf8)
            #expect(try kind(data) == .malformed)
        }
    }

    @Test("Failing elements in a loop take linear time, even if paths and counts are read in between")
    func failingElements() throws {
        struct Lossy: Decodable {
            var failures = 0
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while container.currentIndex < container.count ?? 0 {
                    if (try? container.decode(Int.self)) == nil {
                        failures += container.codingPath.count
                        _ = try container.decode(Skipped.self)
                    }
                }
            }
        }
        let list = "[" + String(repeating: "\"x\",", count: 79_999) + "{\"a\":[1,2]}]"
        let lossy = try JSONBodyDecoder().decode([String: [Lossy]].self, from: Data("{\"a\":[\(list)]}".utf8))
        #expect(lossy["a"]?.first?.failures == 160_000)
    }

    @Test("Failing members of an object and failing elements of objects take linear time")
    func failingMembers() throws {
        struct Lossy: Decodable {
            var failures = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: SampleKey.self)
                for key in container.allKeys where (try? container.decode(Int.self, forKey: key)) == nil { failures += 1 }
            }
        }
        struct Attempt: Decodable {
            struct Inner: Decodable { let missing: Int }
            let inner: Inner?
            init(from decoder: any Decoder) throws { inner = try? Inner(from: decoder) }
        }
        let members = "{" + (0..<20_000).map { "\"key\($0)\":\"x\"" }.joined(separator: ",") + "}"
        #expect(try JSONBodyDecoder().decode(Lossy.self, from: Data(members.utf8)).failures == 20_000)
        let objects = "[" + String(repeating: "{\"a\":{\"b\":1}},", count: 19_999) + "1]"
        #expect(try JSONBodyDecoder().decode([Attempt].self, from: Data(objects.utf8)).allSatisfy { $0.inner == nil })
    }

    @Test("Names of every length are found, plain and with escapes")
    func nameLengths() throws {
        for length in [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 4_094, 4_095, 4_096, 20_000] {
            let name = String(repeating: "n", count: length), escaped = length == 0 ? "" : "\\u006e" + name.dropFirst()
            for written in [name, escaped] {
                let data = Data("{\"\(name)x\":0,\"\(written)\":1}".utf8)
                for strategy in [JSONBodyDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase, .custom { $0.last! }] {
                    var decoder = JSONBodyDecoder()
                    decoder.keyDecodingStrategy = strategy
                    struct Probe: Decodable {
                        let names: [String], contains: Bool
                        init(from decoder: any Decoder) throws {
                            let container = try decoder.container(keyedBy: SampleKey.self)
                            names = container.allKeys.map(\.stringValue)
                            contains = names.allSatisfy { container.contains(SampleKey(stringValue: $0)) }
                        }
                    }
                    let probe = try decoder.decode(Probe.self, from: data)
                    #expect(probe.contains && probe.names == [name + "x", name])
                    #expect(try decoder.decode([String: Int].self, from: data) == [name + "x": 0, name: 1])
                }
            }
        }
    }

    @Test("Mutated documents never trap, whatever type decodes them")
    func changedDocuments() {
        var random = SeededGenerator(seed: 51)
        for round in 0..<1_500 {
            var bytes = Array(ScalarSample.document(&random).text(&random).utf8)
            for _ in 0...random.below(2) { bytes[random.below(bytes.count)] = random.pick(Array("[]{}:,\"\\0e.-x\u{7F}".utf8) + [0xC3]) }
            let data = Data(bytes), settings = DecodingSettings.all[round % DecodingSettings.all.count]
            _ = try? settings.martlet.decode(ScalarSample.self, from: data)
            _ = try? settings.martlet.decode([String: TryingSample.Either].self, from: data)
        }
    }

    @Test("A custom key closure that decodes the same object again works with valid keys")
    func reentrantKeys() throws {
        final class Box: @unchecked Sendable {
            // Proof: one test uses it from one task.
            var decoder: (any Decoder)?
            var depth = 0
        }
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let box = Box()
        struct Kept: Decodable {
            static let info = CodingUserInfoKey(rawValue: "box")!
            let keys: [String]
            init(from decoder: any Decoder) throws {
                (decoder.userInfo[Kept.info] as? Box)?.decoder = decoder
                keys = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
            }
        }
        var decoder = JSONBodyDecoder()
        decoder.userInfo[Kept.info] = box
        decoder.keyDecodingStrategy = .custom { path in
            box.depth += 1
            defer { box.depth -= 1 }
            if box.depth == 1 { _ = try? box.decoder?.container(keyedBy: Name.self) }
            return Name(stringValue: "X\(path.last?.stringValue ?? "")" + String(repeating: "y", count: 300))
        }
        let keys = try decoder.decode(Kept.self, from: Data(#"{"a":1,"b\n":2,"c":3}"#.utf8)).keys
        box.decoder = nil
        #expect(keys == ["Xa", "Xb\n", "Xc"].map { $0 + String(repeating: "y", count: 300) })
    }
}
