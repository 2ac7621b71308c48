import Foundation
import Testing

@testable import MartletJSON

@Suite("Decoders that are kept after decoding", .timeLimit(.minutes(5)))
struct KeptDecoderTests {
    /// A value that keeps its decoder and containers.
    private struct Keeper: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<SampleKey>
        let list: any UnkeyedDecodingContainer
        let missing: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try decoder.container(keyedBy: SampleKey.self)
            list = try keyed.nestedUnkeyedContainer(forKey: SampleKey(stringValue: "list"))
            missing = try keyed.superDecoder(forKey: SampleKey(stringValue: "none"))
        }
    }

    // Proof: one task throws, catches and uses it.
    private struct Refusal: Error, Decodable, @unchecked Sendable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            throw self
        }
    }

    private let text = #"{"name":"a long name in the document","full_name":"b","list":["x",{"y":1.5}],"\u0061":7}"#

    /// Decodes from memory that is overwritten and freed before this function returns.
    private func decode<Value: Decodable>(_ type: Value.Type, _ decoder: JSONBodyDecoder = JSONBodyDecoder()) throws -> Value {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = memory.initialize(from: text.utf8)
        defer {
            memory.update(repeating: 0xFF)
            memory.deallocate()
        }
        return try decoder.decode(type, from: UnsafeBufferPointer(memory))
    }

    @Test("A kept decoder and its containers still decode the document")
    func kept() throws {
        var snakeCase = JSONBodyDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        for decoder in [JSONBodyDecoder(), snakeCase] {
            let keeper = try decode(Keeper.self, decoder)
            #expect(try keeper.keyed.decode(String.self, forKey: SampleKey(stringValue: "name")) == "a long name in the document")
            #expect(try keeper.keyed.decode(Int.self, forKey: SampleKey(stringValue: "a")) == 7)
            #expect(keeper.keyed.allKeys.count == 4)
            #expect(
                keeper.keyed.contains(SampleKey(stringValue: "fullName"))
                    == (decoder.userInfo.isEmpty && keeper.keyed.allKeys[1].stringValue == "fullName"))
            var list = keeper.list
            #expect(try list.decode(String.self) == "x")
            #expect(try list.decode([String: Double].self) == ["y": 1.5])
            #expect(throws: DecodingError.self) { try [String: Int](from: keeper.decoder) }
            #expect(try keeper.missing.singleValueContainer().decodeNil())
            #expect(keeper.missing.codingPath.map(\.stringValue) == ["none"])
        }
    }

    @Test("A decoder in a thrown error still decodes the document")
    func thrown() throws {
        let error = try #require(throws: Refusal.self) { try decode(Refusal.self) }
        let container = try error.decoder.container(keyedBy: SampleKey.self)
        #expect(try container.decode(String.self, forKey: SampleKey(stringValue: "full_name")) == "b")
    }

    @Test("Many kept decoders share one copy of the document")
    func many() throws {
        struct Element: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let bytes = Array(("[" + (0..<1_000).map(String.init).joined(separator: ",") + "]").utf8)
        let elements = try withExactMemory(bytes) { try JSONBodyDecoder().decode([Element].self, from: $0) }
        #expect(try elements.map { try Int(from: $0.decoder) } == Array(0..<1_000))
    }
}
