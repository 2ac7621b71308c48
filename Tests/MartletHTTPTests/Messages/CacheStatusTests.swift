import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("Cache-Status", .timeLimit(.minutes(5)))
struct CacheStatusTests {
    private static func status(_ change: (inout CacheStatus) -> Void) -> CacheStatus {
        var status = CacheStatus(isHit: false)
        change(&status)
        return status
    }

    private static let rows: [(section: String, status: CacheStatus, text: String)] = [
        ("RFC 9211 §2", CacheStatus(isHit: false), "Martlet"),
        ("RFC 9211 §2.1", CacheStatus(isHit: true, timeToLive: 30), "Martlet; hit; ttl=30"),
        ("RFC 9211 §2.4: stale", CacheStatus(isHit: true, timeToLive: -5), "Martlet; hit; ttl=-5"),
        ("RFC 9211 §2.2", CacheStatus(isHit: false, forwardReason: .uriMiss), "Martlet; fwd=uri-miss"),
        ("RFC 9211 §2.2: exclusive", CacheStatus(isHit: true, forwardReason: .stale), "Martlet; hit"),
        (
            "RFC 9211 §2.3",
            status {
                $0.forwardReason = .stale
                $0.forwardStatus = .notModified
            }, "Martlet; fwd=stale; fwd-status=304"
        ),
        (
            "RFC 9211 §2.5, §2.6",
            status {
                $0.forwardReason = .varyMiss
                $0.isStored = true
                $0.isCollapsed = true
            }, "Martlet; fwd=vary-miss; stored; collapsed"
        ),
        ("RFC 9211 §2.8", CacheStatus(isHit: true, detail: "max-stale"), "Martlet; hit; detail=\"max-stale\""),
        ("RFC 8941 §3.3.3: escapes", CacheStatus(isHit: true, detail: "a\"b\\c"), "Martlet; hit; detail=\"a\\\"b\\\\c\""),
        (
            "RFC 8941 §3.3.3: not printable", CacheStatus(isHit: true, detail: "a\r\nb\u{0}\u{7F}"),
            "Martlet; hit; detail=\"a%0D%0Ab%00%7F\""
        ),
        ("RFC 8941 §3.3.3: not ASCII", CacheStatus(isHit: true, detail: "é"), "Martlet; hit; detail=\"%C3%A9\""),
        ("RFC 8941 §3.3.3: nothing", CacheStatus(isHit: true, detail: ""), "Martlet; hit; detail=\"\""),
        ("RFC 8941 §3.3.1: at most 15 digits", CacheStatus(isHit: true, timeToLive: .max), "Martlet; hit; ttl=999999999999999"),
        ("RFC 8941 §3.3.1: at least", CacheStatus(isHit: true, timeToLive: .min), "Martlet; hit; ttl=-999999999999999"),
    ]

    @Test("A status is written in the syntax of RFC 9211", arguments: rows.indices)
    func describes(_ index: Int) {
        let row = Self.rows[index]
        #expect(row.status.description == row.text, "\(row.section)")
    }

    @Test("A status with any detail is a valid field value with one string (RFC 8941 §3.3.3)")
    func anyDetail() async {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let scalars = (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x2_0000), using: &generator))
            }
            let text = CacheStatus(isHit: true, detail: String(String.UnicodeScalarView(scalars))).description
            let bytes = Array(text.utf8)
            #expect(bytes.allSatisfy { (0x20...0x7E).contains($0) })
            var rest = bytes.dropFirst("Martlet; hit; detail=\"".utf8.count)
            var isEnded = false
            while let byte = rest.popFirst(), !isEnded {
                if byte == UInt8(ascii: "\\") { #expect([UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(rest.popFirst())) }
                if byte == UInt8(ascii: "\"") { isEnded = true }
            }
            #expect(isEnded && rest.isEmpty, "\(text)")
            await Task.yield()
        }
    }

    @Test("Hits, validated and stale responses come from the cache (RFC 9211 §2.1)")
    func fromCache() {
        #expect(CacheStatus(isHit: true).isFromCache && !CacheStatus(isHit: false, forwardReason: .miss).isFromCache)
        let validated = Self.status { $0.forwardStatus = .notModified }
        #expect(validated.wasValidated && validated.isFromCache)
        #expect(Self.status { $0.isStale = true }.isFromCache && !Self.status { $0.forwardStatus = .ok }.wasValidated)
        #expect(!Self.status { ($0.isHit, $0.forwardStatus) = (true, .notModified) }.wasValidated)
    }
}
