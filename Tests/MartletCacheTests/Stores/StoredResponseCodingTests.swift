import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("Serialized heads of stored responses", .timeLimit(.minutes(5)))
struct StoredResponseCodingTests {
    private static func text(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            ["a", "b", ":", " ", "\u{0}", "é", "\n", "😀"].randomElement(using: &generator) ?? "a"
        }
        return scalars.joined()
    }

    private static func fields(_ generator: inout SeededGenerator) -> HTTPFields {
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let value = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                UInt8.random(in: 0x80...0xFF, using: &generator) >> UInt8.random(in: 0...1, using: &generator)
            }
            let names = ["Date", "ETag", "Cache-Control", "x-a", "X-A", "Age", "Set-Cookie"]
            fields.append(
                nameBytes: (names.randomElement(using: &generator) ?? "a").utf8,
                valueBytes: value.filter(Token.isFieldContent))
        }
        return fields
    }

    private static func response(_ generator: inout SeededGenerator) -> StoredResponse {
        let selectors = (0..<Int.random(in: 0...3, using: &generator)).map { number in
            CacheVariant.Selector(name: "\(number)" + text(&generator), value: Bool.random(using: &generator) ? text(&generator) : nil)
        }
        let first = Int64.random(in: 0..<(.max / 2), using: &generator) >> Int64.random(in: 0...62, using: &generator)
        let last = first + Int64.random(in: 0..<1_000, using: &generator)
        let part = StoredResponse.Part(bounds: first...last, total: Bool.random(using: &generator) ? last + 1 : nil)
        return StoredResponse(
            id: text(&generator), key: CacheKey(uri: text(&generator), scope: text(&generator)), variant: CacheVariant(selectors),
            status: HTTPStatus(rawValue: .random(in: 0...999, using: &generator)), headers: fields(&generator),
            requestTime: Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &generator)),
            responseTime: Date(timeIntervalSinceReferenceDate: .random(in: 7e8...9e8, using: &generator)),
            part: Bool.random(using: &generator) ? part : nil, wasContentCoded: .random(using: &generator),
            isInvalidated: .random(using: &generator))
    }

    @Test("Decoding an encoded head returns an equal head")
    func roundTrip() async throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let response = Self.response(&generator)
            let read = try #require(StoredResponse(encoded: response.encoded))
            #expect(read == response)
            #expect(read.encoded == response.encoded)
            await Task.yield()
        }
    }

    @Test("The order of fields and bytes that are not text are preserved")
    func fields() throws {
        var headers: HTTPFields = ["B": "1", "A": "2", "b": "3"]
        headers.append(nameBytes: "X".utf8, valueBytes: [0xFF, 0xE9] as [UInt8])
        let read = try #require(StoredResponse(encoded: Self.sample(headers).encoded))
        #expect(read.headers.map(\.name.rawName) == ["B", "A", "b", "X"] && read.headers.bytes(for: "X") == [[0xFF, 0xE9]])
    }

    private static func sample(_ headers: HTTPFields = [.date: CacheSample.date(0), .eTag: "\"a\"", .cacheControl: "max-age=60"])
        -> StoredResponse
    {
        CacheSample.stored(
            headers, variant: CacheVariant([.init(name: "accept", value: "x"), .init(name: "foo", value: nil)]),
            part: StoredResponse.Part(bounds: 0...4, total: 10))
    }

    @Test("A truncated encoding or one with trailing bytes is invalid")
    func prefixes() {
        let bytes = Self.sample().encoded
        for count in 0..<bytes.count { #expect(StoredResponse(encoded: bytes.prefix(count)) == nil, "\(count)") }
        #expect(StoredResponse(encoded: bytes + [0]) == nil && StoredResponse(encoded: bytes + bytes) == nil)
        #expect(
            StoredResponse(encoded: Data([1, 2, 3]) + bytes) == nil
                && StoredResponse(encoded: (Data([1, 2, 3]) + bytes).dropFirst(3)) != nil)
    }

    @Test("A flipped bit makes the encoding invalid, or a different head that encodes and decodes consistently")
    func flips() async {
        let bytes = Self.sample().encoded
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                guard let read = StoredResponse(encoded: other) else { continue }
                #expect(StoredResponse(encoded: read.encoded) == read, "\(index)")
                _ = Freshness(of: read, at: CacheSample.moment, settings: CacheSettings())
                _ = CacheDecision.decide(CacheSample.request([.range: "bytes=0-"]), stored: [read], now: CacheSample.moment)
            }
            await Task.yield()
        }
    }

    @Test(
        "An impossible length or number anywhere makes the encoding invalid",
        arguments: [UInt64.max, UInt64.max - 1, UInt64(1) << 63, UInt64(1) << 62, UInt64(1) << 40])
    func lengths(_ number: UInt64) async {
        let bytes = Self.sample().encoded
        for index in 4..<(bytes.count - 8) {
            var other = bytes
            for place in 0..<8 { other[index + place] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place)) }
            if let read = StoredResponse(encoded: other) { #expect(StoredResponse(encoded: read.encoded) == read, "\(index)") }
            await Task.yield()
        }
    }

    @Test("Impossible values are rejected: an unsendable line, an empty part, an invalid date")
    func refuses() {
        #expect(StoredResponse(encoded: Self.sample(["X": "a\r\nb"]).encoded) == nil)
        #expect(StoredResponse(encoded: Self.sample(["X y": "a"]).encoded) == nil)
        #expect(StoredResponse(encoded: CacheSample.stored([:], HTTPStatus(rawValue: 1_000)).encoded) == nil)
        for part in [StoredResponse.Part(bounds: 0...4, total: 4), .init(bounds: -1...4, total: 10), .init(bounds: 0...(.max), total: nil)]
        {
            #expect(StoredResponse(encoded: CacheSample.stored([:], part: part).encoded) == nil, "\(part)")
        }
        for seconds in [Double.nan, .infinity, -.infinity, 1e13] {
            #expect(StoredResponse(encoded: CacheSample.stored([:], received: seconds).encoded) == nil, "\(seconds)")
        }
        #expect(StoredResponse(encoded: Data()) == nil && StoredResponse(encoded: Data("MRT1".utf8)) == nil)
    }

    @Test("Random bytes are invalid and never trap")
    func random() async {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<600 {
            var bytes = Data("MRT1".utf8)
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                bytes += [UInt8](repeating: 0, count: 7) + [UInt8.random(in: 0...3, using: &generator)]
            }
            if let read = StoredResponse(encoded: bytes) { #expect(StoredResponse(encoded: read.encoded) == read) }
            await Task.yield()
        }
    }
}
