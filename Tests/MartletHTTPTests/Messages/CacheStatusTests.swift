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

    private static let sentences: [(status: CacheStatus, words: String)] = [
        (CacheStatus(isHit: true), "A stored response was used."),
        (CacheStatus(isHit: true, timeToLive: 30), "A stored response was used, fresh for another 30 s."),
        (CacheStatus(isHit: false, forwardReason: .bypass), "The cache does not handle such a request."),
        (CacheStatus(isHit: false, forwardReason: .method), "Responses to this method are not served from a cache."),
        (status { ($0.forwardReason, $0.isStored) = (.uriMiss, true) }, "No response is stored for this URL. The response was stored."),
        (
            status { ($0.forwardReason, $0.isCollapsed) = (.uriMiss, true) },
            "No response is stored for this URL. The response of an identical request is shared."
        ),
        (
            CacheStatus(isHit: false, forwardReason: .varyMiss),
            "No response is stored for this request's values of the fields that Vary names."
        ),
        (CacheStatus(isHit: false, forwardReason: .request), "The request asks for a new response."),
        (CacheStatus(isHit: false, forwardReason: .stale), "The stored response is stale and is validated."),
        (
            status { ($0.forwardReason, $0.forwardStatus) = (.stale, .ok) },
            "The stored response is stale; the server sent a new one with 200 OK."
        ),
        (
            status { ($0.forwardReason, $0.forwardStatus) = (.stale, .notModified) },
            "The server confirmed the stored response with 304."
        ),
        (CacheStatus(isHit: false, forwardReason: .partial), "Only a part of the response is stored."),
        (CacheStatus(isHit: false, forwardReason: .miss, detail: "why"), "No stored response can be used. (why)"),
        (status { ($0.isHit, $0.isStale) = (true, true) }, "A stale response was used."),
        (status { ($0.isStale, $0.replacesFailure) = (true, true) }, "A stored response replaced the failure of the request."),
    ]

    @Test("A status is explained in sentences", arguments: sentences.indices)
    func explains(_ index: Int) {
        #expect(Self.sentences[index].status.words == Self.sentences[index].words)
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
