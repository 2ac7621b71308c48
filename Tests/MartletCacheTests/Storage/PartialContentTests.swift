import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("Partial content", .timeLimit(.minutes(5)))
struct PartialContentTests {
    private typealias Part = StoredResponse.Part
    private static let most = Int64.max

    private static let parts: [(section: String, headers: HTTPFields, part: StoredResponse.Part?)] = [
        ("RFC 9110 §14.4", [.contentRange: "bytes 0-4/10"], Part(bounds: 0...4, total: 10)),
        ("RFC 9110 §14.4: an unknown total", [.contentRange: "bytes 5-9/*"], Part(bounds: 5...9, total: nil)),
        ("RFC 9110 §14.4: other units", [.contentRange: "lines 0-4/10"], nil), ("RFC 9110 §14.4: none", [:], nil),
        ("RFC 9110 §14.4: not satisfied", [.contentRange: "bytes */10"], nil),
        ("RFC 9110 §14.4: reversed bounds", [.contentRange: "bytes 4-0/10"], nil),
        ("RFC 9110 §14.4: after the end", [.contentRange: "bytes 5-10/10"], nil),
        ("RFC 9110 §14.4: two", [.contentRange: "bytes 0-4/10", "content-range": "bytes 0-4/10"], nil),
        (
            "RFC 9110 §14.4: the largest", [.contentRange: "bytes 9223372036854775805-9223372036854775806/*"],
            Part(bounds: most - 2...most - 1, total: nil)
        ),
        ("RFC 9110 §14.4: too large", [.contentRange: "bytes 0-9223372036854775807/*"], nil),
        ("RFC 9110 §15.3.7.2", [.contentRange: "bytes 0-4/10", .contentType: "Multipart/Byteranges; boundary=x"], nil),
    ]

    @Test("A 206 is a part if it states its range (RFC 9111 §3.3)", arguments: parts.indices)
    func reads(_ index: Int) {
        let row = Self.parts[index]
        var response = CacheSample.response(row.headers, 206)
        #expect(PartialContent.part(of: response) == row.part, "\(row.section)")
        response.metadata.wasContentCoded = true
        #expect(PartialContent.part(of: response) == nil, "\(row.section)")
        #expect(PartialContent.part(of: CacheSample.response(row.headers, 200)) == nil, "\(row.section)")
    }

    @Test("A response that lacks only bytes at its end can be completed (RFC 9111 §3.4)")
    func completes() {
        func can(_ bounds: ClosedRange<Int64>?, _ total: Int64?) -> Bool {
            PartialContent.canBeCompleted(CacheSample.stored([:], part: bounds.map { Part(bounds: $0, total: total) }))
        }
        #expect(can(0...4, 10) && can(0...4, nil) && can(0...8, 10))
        #expect(!can(0...9, 10) && !can(1...4, 10) && !can(nil, nil) && !can(0...Self.most, Self.most))
    }

    @Test("The missing bytes are requested with If-Range (RFC 9111 §3.4, RFC 9110 §13.1.5)")
    func asks() {
        let part = Part(bounds: 0...4, total: 10)
        let tagged = PartialContent.completing(CacheSample.stored([.eTag: "\"a\""], part: part), [.accept: "x"])
        #expect(tagged == [.accept: "x", .range: "bytes=5-", .ifRange: "\"a\""])
        let weak = PartialContent.completing(CacheSample.stored([.eTag: "W/\"a\""], part: part), [.range: "bytes=0-", .ifRange: "\"b\""])
        #expect(weak == [.range: "bytes=5-"])
        #expect(PartialContent.completing(CacheSample.stored([:]), [.range: "bytes=0-"]) == [.range: "bytes=0-"])
    }

    private struct Row {
        let section: String
        /// The stored range. Nil for the whole.
        var held: (ClosedRange<Int64>, Int64?)?
        var count: Int64 = 5
        var tag = "\"a\""
        var wasContentCoded = false
        let added: (ClosedRange<Int64>, Int64?)
        var addedTag = "\"a\""
        /// The combined range, and whether it is the whole. Nil if the parts stay separate.
        let union: (ClosedRange<Int64>, Int64?, Bool)?
    }

    private static let rows = [
        Row(section: "RFC 9111 §3.4: behind", held: (0...4, 10), added: (5...9, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: before", held: (5...9, 10), added: (0...4, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: not to the end", held: (0...4, 10), added: (5...8, 10), union: (0...8, 10, false)),
        Row(section: "RFC 9111 §3.4: not from the start", held: (1...5, 10), added: (6...9, 10), union: (1...9, 10, false)),
        Row(section: "RFC 9111 §3.4: over its end", held: (0...4, 10), added: (3...9, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: over its start", held: (5...9, 10), added: (0...6, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: inside", held: (3...7, 10), added: (4...5, 10), union: (3...7, 10, false)),
        Row(section: "RFC 9111 §3.4: the same", held: (3...7, 10), added: (3...7, 10), union: (3...7, 10, false)),
        Row(section: "RFC 9111 §3.4: around", held: (3...7, 10), added: (0...9, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: a byte missing", held: (0...4, 10), added: (6...9, 10), union: nil),
        Row(section: "RFC 9111 §3.4: a byte missing before", held: (5...9, 10), added: (0...3, 10), union: nil),
        Row(section: "RFC 9111 §3.4: of the whole", added: (1...2, 5), union: (0...4, 5, true)),
        Row(section: "RFC 9111 §3.4: of the whole, with unknown total", added: (1...2, nil), union: (0...4, 5, true)),
        Row(section: "RFC 9111 §3.4: behind the whole", added: (5...6, nil), union: nil),
        Row(section: "RFC 9111 §3.4: another whole", added: (1...2, 6), union: nil),
        Row(section: "RFC 9111 §3.4: totals that differ", held: (0...4, 10), added: (5...9, 11), union: nil),
        Row(section: "RFC 9111 §3.4: a total that comes", held: (0...4, nil), added: (5...9, 10), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: a total that was there", held: (0...4, 10), added: (5...9, nil), union: (0...9, 10, true)),
        Row(section: "RFC 9111 §3.4: no total", held: (0...4, nil), added: (5...9, nil), union: (0...9, nil, false)),
        Row(section: "RFC 9111 §3.4: past the total", held: (0...4, 8), added: (5...9, nil), union: nil),
        Row(section: "RFC 9111 §3.4: held past the total", held: (6...10, nil), added: (3...7, 8), union: nil),
        Row(section: "RFC 9111 §3.4: another tag", held: (0...4, 10), added: (5...9, 10), addedTag: "\"b\"", union: nil),
        Row(section: "RFC 9111 §3.4: weak tags", held: (0...4, 10), tag: "W/\"a\"", added: (5...9, 10), addedTag: "W/\"a\"", union: nil),
        Row(section: "RFC 9111 §3.4: an invalid tag", held: (0...4, 10), tag: "a", added: (5...9, 10), addedTag: "a", union: nil),
        Row(section: "RFC 9111 §3.4: other bytes", held: (0...4, 10), wasContentCoded: true, added: (5...9, 10), union: nil),
        Row(section: "RFC 9111 §3.3: fewer bytes than it says", held: (0...4, 10), count: 4, added: (5...9, 10), union: nil),
        Row(section: "RFC 9111 §3.3: more bytes than it says", held: (0...4, 10), count: 6, added: (5...9, 10), union: nil),
        Row(section: "RFC 9111 §3.4: a whole of nothing", count: 0, added: (0...1, nil), union: nil),
        Row(
            section: "RFC 9111 §3.4: the largest", held: (most - 6...most - 2, nil), added: (most - 1...most - 1, nil),
            union: (most - 6...most - 1, nil, false)),
        Row(
            section: "RFC 9111 §3.4: as far apart as can be", held: (most - 5...most - 1, nil), added: (0...1, nil), union: nil),
    ]

    @Test("Two parts are combined if no byte between them is missing (RFC 9111 §3.4)", arguments: rows.indices)
    func unites(_ index: Int) {
        let row = Self.rows[index]
        let stored = CacheSample.stored(
            [.eTag: row.tag], part: row.held.map { Part(bounds: $0.0, total: $0.1) }, wasContentCoded: row.wasContentCoded)
        let union = PartialContent.union(
            of: stored, holding: row.count, and: Part(bounds: row.added.0, total: row.added.1), [.eTag: row.addedTag])
        #expect(union?.bounds == row.union?.0 && union?.total == row.union?.1 && union?.isWhole == row.union?.2, "\(row.section)")
        if let union { #expect((union.part == nil) == union.isWhole, "\(row.section)") }
    }

    @Test("Combined bytes are in order, and newer bytes replace older ones (RFC 9111 §3.4)")
    func bytes() async {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<400 {
            let length = Int64.random(in: 1...12, using: &generator)
            func range() -> ClosedRange<Int64> {
                let (one, other) = (Int64.random(in: 0..<length, using: &generator), Int64.random(in: 0..<length, using: &generator))
                return min(one, other)...max(one, other)
            }
            let (held, added) = (range(), range())
            let stored = CacheSample.stored([.eTag: "\"a\""], part: Part(bounds: held, total: length))
            let union = PartialContent.union(
                of: stored, holding: Int64(held.count), and: Part(bounds: added, total: Bool.random(using: &generator) ? length : nil),
                [.eTag: "\"a\""])
            let touches = held.lowerBound <= added.upperBound + 1 && added.lowerBound <= held.upperBound + 1
            #expect((union != nil) == touches)
            guard let union else { continue }
            let bytes = union.bytes(Data(held.map { UInt8($0) }), Data(added.map { UInt8($0 + 100) }))
            #expect(Array(bytes) == union.bounds.map { UInt8(added.contains($0) ? $0 + 100 : $0) }, "\(held) \(added)")
            await Task.yield()
        }
    }

    @Test("A partial response states its range and length (RFC 9110 §14.4, §15.3.7)")
    func fields() {
        let response = CacheSample.stored([.eTag: "\"a\"", .contentLength: "10"])
        #expect(
            PartialContent.fields(response, bounds: 2...4, total: 10) == [
                .eTag: "\"a\"", .contentLength: "3", .contentRange: "bytes 2-4/10",
            ])
        #expect(PartialContent.fields(response, bounds: 2...2, total: nil)[.contentRange] == "bytes 2-2/*")
    }
}
