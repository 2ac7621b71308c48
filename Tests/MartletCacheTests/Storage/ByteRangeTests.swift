import Testing

@testable import MartletCache

@Suite("Byte ranges", .timeLimit(.minutes(5)))
struct ByteRangeTests {
    private static let most = Int64.max

    private static let texts: [(section: String, text: String, range: ByteRange?)] = [
        ("RFC 9110 §14.1.2", "bytes=0-4", .from(0, through: 4)), ("RFC 9110 §14.1.2: to the end", "bytes=5-", .from(5, through: nil)),
        ("RFC 9110 §14.1.2: at the end", "bytes=-5", .last(5)), ("RFC 9110 §14.1.2: nothing at the end", "bytes=-0", .last(0)),
        ("RFC 9110 §14.1: case of the unit", "Bytes=0-4", .from(0, through: 4)), ("RFC 9110 §14.1: another unit", "lines=0-4", nil),
        ("RFC 9110 §14.1: no unit", "0-4", nil), ("RFC 9110 §14.1: no unit", "=0-4", nil),
        ("RFC 9110 §14.2: several", "bytes=0-4, 6-7", nil), ("RFC 9110 §14.2: several lines", "bytes=0-4, bytes=6-7", nil),
        ("RFC 9110 §14.1.1: reversed bounds", "bytes=4-0", nil), ("RFC 9110 §14.1.1: neither", "bytes=-", nil),
        ("RFC 9110 §14.1.1: three", "bytes=0-1-2", nil), ("RFC 9110 §14.1.1: negative", "bytes=--5", nil),
        ("RFC 9110 §14.1.1: a sign", "bytes=+0-4", nil), ("RFC 9110 §14.1.1: a word", "bytes=a-b", nil),
        ("RFC 9110 §14.1.1: no number after the prefix", "bytes=0-x", nil), ("RFC 9110 §14.1.1: white space inside", "bytes=0 - 4", nil),
        ("RFC 9110 §14.1.1: nothing", "bytes=", nil), ("RFC 9110 §14.1.1: nothing at all", "", nil),
        ("RFC 9110 §14.1.1: digits of another script", "bytes=٠-٤", nil), ("RFC 9110 §14.1.1: zeros", "bytes=00-04", .from(0, through: 4)),
        ("RFC 9110 §14.1.1: white space around", " bytes=0-4\t", .from(0, through: 4)),
        ("RFC 9110 §14.1.1: large", "bytes=0-9223372036854775806", .from(0, through: most - 1)),
        ("RFC 9110 §14.1.1: too large", "bytes=0-9223372036854775807", nil),
        ("RFC 9110 §14.1.1: far too large", "bytes=-99999999999999999999", nil),
    ]

    @Test("A single byte range is parsed, and everything else is left to the server (RFC 9110 §14.1.1)", arguments: texts.indices)
    func reads(_ index: Int) {
        let row = Self.texts[index]
        #expect(ByteRange(row.text) == row.range, "\(row.section): \(row.text)")
    }

    private static let wholes: [(section: String, range: ByteRange, length: Int64, bounds: ClosedRange<Int64>?)] = [
        ("RFC 9110 §14.1.2", .from(0, through: 4), 10, 0...4), ("RFC 9110 §14.1.2: past the end", .from(5, through: 99), 10, 5...9),
        ("RFC 9110 §14.1.2: to the end", .from(9, through: nil), 10, 9...9),
        ("RFC 9110 §14.1.2: after the end", .from(10, through: nil), 10, nil),
        ("RFC 9110 §14.1.2: after the end", .from(10, through: 12), 10, nil), ("RFC 9110 §14.1.2: the last", .last(3), 10, 7...9),
        ("RFC 9110 §14.1.2: more bytes than exist", .last(99), 10, 0...9), ("RFC 9110 §14.1.2: none of them", .last(0), 10, nil),
        ("RFC 9110 §14.1.2: of nothing", .from(0, through: nil), 0, nil), ("RFC 9110 §14.1.2: of nothing", .last(1), 0, nil),
        ("RFC 9110 §14.1.2: the largest", .from(most - 1, through: nil), most, most - 1...most - 1),
        ("RFC 9110 §14.1.2: the largest", .last(most - 1), most, 1...most - 1),
        ("RFC 9110 §14.1.2: the largest", .from(0, through: most - 1), 1, 0...0),
    ]

    @Test("A range is resolved against the length of the whole (RFC 9110 §14.1.2)", arguments: wholes.indices)
    func ofWholes(_ index: Int) {
        let row = Self.wholes[index]
        #expect(row.range.bounds(ofWhole: row.length) == row.bounds, "\(row.section)")
    }

    private typealias Part = (bounds: ClosedRange<Int64>, total: Int64?)

    private static let parts: [(section: String, range: ByteRange, part: Part, count: Int64, bounds: ClosedRange<Int64>?)] = [
        ("RFC 9111 §3.3", .from(5, through: 6), (4...9, 20), 6, 5...6), ("RFC 9111 §3.3: all", .from(4, through: 9), (4...9, 20), 6, 4...9),
        ("RFC 9111 §3.3: a byte before", .from(3, through: 6), (4...9, 20), 6, nil),
        ("RFC 9111 §3.3: a byte after", .from(5, through: 10), (4...9, 20), 6, nil),
        ("RFC 9111 §3.3: past the end of the whole", .from(5, through: 99), (4...9, 10), 6, 5...9),
        ("RFC 9111 §3.3: past the end of a part of unknown total", .from(5, through: 99), (4...9, nil), 6, nil),
        ("RFC 9111 §3.3: after the end", .from(10, through: 99), (4...9, 10), 6, nil),
        ("RFC 9111 §3.3: to the end", .from(5, through: nil), (4...9, 10), 6, 5...9),
        ("RFC 9111 §3.3: to an end that is missing", .from(5, through: nil), (4...9, 20), 6, nil),
        ("RFC 9111 §3.3: to an unknown end", .from(5, through: nil), (4...9, nil), 6, nil),
        ("RFC 9111 §3.3: the last", .last(2), (4...9, 10), 6, 8...9),
        ("RFC 9111 §3.3: the last, all of it", .last(6), (4...9, 10), 6, 4...9),
        ("RFC 9111 §3.3: more of the last", .last(7), (4...9, 10), 6, nil),
        ("RFC 9111 §3.3: none of the last", .last(0), (4...9, 10), 6, nil),
        ("RFC 9111 §3.3: the last, missing", .last(2), (4...9, 20), 6, nil), ("RFC 9111 §3.3: nothing held", .last(1), (4...9, 10), 0, nil),
        ("RFC 9111 §3.3: fewer bytes than it says", .from(4, through: 9), (4...9, 10), 5, nil),
        ("RFC 9111 §3.3: fewer, to the end", .from(5, through: nil), (4...9, 10), 5, 5...8),
        ("RFC 9111 §3.3: fewer, the last", .last(1), (4...9, 10), 5, 8...8),
        ("RFC 9111 §3.3: the largest", .from(most - 2, through: nil), (most - 2...most - 1, nil), 2, nil),
        ("RFC 9111 §3.3: the largest", .from(most - 2, through: most - 1), (most - 2...most - 1, nil), 2, most - 2...most - 1),
        ("RFC 9111 §3.3: overflow", .from(most - 2, through: nil), (most - 2...most - 1, nil), 3, nil),
        ("RFC 9111 §3.3: far more", .last(1), (most - 2...most - 1, most), most, nil),
        ("RFC 9111 §3.3: up to the largest number", .from(0, through: nil), (0...most, most), 5, nil),
    ]

    @Test("A range is served from a part only if the part has all requested bytes (RFC 9111 §3.3)", arguments: parts.indices)
    func ofParts(_ index: Int) {
        let row = Self.parts[index]
        let part = StoredResponse.Part(bounds: row.part.bounds, total: row.part.total)
        #expect(row.range.bounds(of: part, holding: row.count) == row.bounds, "\(row.section)")
    }
}
