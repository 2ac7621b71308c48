import Foundation
import Testing

@testable import MartletJSON

@Suite("Unkeyed containers", .timeLimit(.minutes(5)))
struct JSONDecodingContainersTests {
    /// A type that calls a closure with its container.
    private struct Probe: Decodable {
        init(from decoder: any Decoder) throws {
            let body = decoder.userInfo[.sample] as? @Sendable (any UnkeyedDecodingContainer) throws -> Void
            try body?(decoder.unkeyedContainer())
        }
    }

    private func probe(_ text: String, _ body: @escaping @Sendable (any UnkeyedDecodingContainer) throws -> Void) throws {
        var decoder = JSONBodyDecoder()
        decoder.userInfo[.sample] = body
        _ = try decoder.decode(Probe.self, from: Data(text.utf8))
        let reference = JSONDecoder()
        reference.userInfo[.sample] = body
        _ = try reference.decode(Probe.self, from: Data(text.utf8))
    }

    @Test("A failed decoding does not advance to the next element")
    func failures() throws {
        try probe("[\"a\",2]") { (container) throws in
            var container = container
            #expect(throws: DecodingError.self) { try container.decode(Int.self) }
            #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
            #expect(throws: DecodingError.self) { try container.nestedContainer(keyedBy: SampleKey.self) }
            #expect(container.currentIndex == 0)
            #expect(try container.decode(String.self) == "a")
            #expect(try container.decodeNil() == false)
            #expect(container.currentIndex == 1)
            #expect(try container.superDecoder().singleValueContainer().decode(UInt8.self) == 2)
            #expect(container.isAtEnd)
        }
    }

    @Test("At the end, every decoding reports a missing value at the next index")
    func end() throws {
        try probe("[[]]") { (outer) throws in
            var outer = outer
            var inner = try outer.nestedUnkeyedContainer()
            #expect(inner.isAtEnd && inner.count == 0)
            func check(_ type: String, _ decode: () throws -> Void) {
                let outcome = DecodingOutcome<Bool> {
                    try decode()
                    return true
                }
                #expect(outcome == .failure(.init(name: "valueNotFound", path: ["Index 0", "Index 0"], indexes: [0, 0], detail: type)))
            }
            check("Int") { _ = try inner.decode(Int.self) }
            check("String") { _ = try inner.decode(String.self) }
            check("Array<Int>") { _ = try inner.decode([Int].self) }
            check("Never") { _ = try inner.decodeNil() }
            check("UnkeyedDecodingContainer") { _ = try inner.nestedUnkeyedContainer() }
            check("KeyedDecodingContainer<SampleKey>") { _ = try inner.nestedContainer(keyedBy: SampleKey.self) }
            check("Decoder") { _ = try inner.superDecoder() }
            #expect(try inner.decodeIfPresent(Int.self) == nil)
        }
    }

    @Test("A copy of a container advances independently")
    func copies() throws {
        try probe("[1,2,3]") { (container) throws in
            var one = container, other = container
            #expect(try one.decode(Int.self) == 1)
            #expect(try one.decode(Int.self) == 2)
            #expect(try other.decode(Int.self) == 1)
            #expect(one.currentIndex == 2 && other.currentIndex == 1)
        }
    }
}
