import Foundation
import Testing

@testable import MartletCache

@Suite("Updating stored fields from a 304 or HEAD response", .timeLimit(.minutes(5)))
struct FresheningTests {
    private static let stored: HTTPFields = [
        .date: CacheSample.date(-50), .age: "50", .cacheControl: "max-age=60", .eTag: "\"a\"", .contentType: "text/plain",
        .contentLength: "5", .contentEncoding: "gzip", "X-A": "1", "X-B": "2",
    ]

    private static func updated(_ headers: HTTPFields, _ response: StoredResponse? = nil, _ settings: CacheSettings = CacheSettings())
        -> StoredResponse
    {
        Freshening.updated(
            response ?? CacheSample.stored(stored, isInvalidated: true), by: headers,
            requestTime: CacheSample.moment.addingTimeInterval(99),
            responseTime: CacheSample.moment.addingTimeInterval(100), settings)
    }

    private static let late = CacheSample.date(100)

    private static let rows: [(section: String, new: HTTPFields, changed: [(HTTPFieldName, String?)])] = [
        ("RFC 9111 §3.2: nothing but the time", [:], [(.date, late), (.age, nil)]),
        ("RFC 9111 §3.2: replaced", ["X-A": "3", .date: late], [("X-A", "3"), (.date, late), (.age, nil)]),
        ("RFC 9111 §3.2: added", ["X-C": "3", .date: late], [("X-C", "3"), (.date, late), (.age, nil)]),
        (
            "RFC 9111 §3.2: directives", [.cacheControl: "max-age=9", .date: late],
            [(.cacheControl, "max-age=9"), (.date, late), (.age, nil)]
        ),
        ("RFC 9111 §4.2.3: an Age of its own", [.age: "7", .date: late], [(.age, "7"), (.date, late)]),
        ("RFC 9110 §6.6.1: an invalid Date", [.date: "x"], [(.date, late), (.age, nil)]),
        (
            "RFC 9111 §3.2: fields that describe the body stay",
            [.contentLength: "0", .contentEncoding: "br", .contentRange: "bytes 0-1/2", .date: late], [(.date, late), (.age, nil)]
        ),
        (
            "RFC 9111 §3.1: not the connection's", [.connection: "X-A", "X-A": "3", "Keep-Alive": "x", .date: late],
            [(.date, late), (.age, nil)]
        ),
        (
            "RFC 9111 §5.2.2.4: fields named by no-cache are removed",
            [.cacheControl: "max-age=9, no-cache=\"x-a\"", "X-A": "3", .date: late],
            [(.cacheControl, "max-age=9, no-cache=\"x-a\""), ("X-A", nil), (.date, late), (.age, nil)]
        ),
        ("RFC 9111 §4.3.4: a weaker tag", [.eTag: "W/\"a\"", .date: late], [(.eTag, "W/\"a\""), (.date, late), (.age, nil)]),
    ]

    @Test("A 304 replaces the fields it has, except those that describe the body (RFC 9111 §3.2)", arguments: rows.indices)
    func updates(_ index: Int) {
        let row = Self.rows[index]
        var expected = Self.stored
        for (name, value) in row.changed { expected[name] = value }
        let updated = Self.updated(row.new)
        #expect(updated.headers == expected, "\(row.section): \(Array(updated.headers))")
        #expect(updated.requestTime == CacheSample.moment.addingTimeInterval(99), "\(row.section)")
        #expect(updated.responseTime == CacheSample.moment.addingTimeInterval(100) && !updated.isInvalidated, "\(row.section)")
    }

    @Test("Repeated lines are replaced by those of the newer response (RFC 9111 §3.2)")
    func lines() {
        let response = CacheSample.stored([.date: Self.late, "X-A": "1", "x-a": "2"])
        #expect(Self.updated(["X-A": "3", "x-A": "4"], response).headers.values(for: "X-A") == ["3", "4"])
        #expect(Self.updated(["X-A": "3"], response).headers.values(for: "X-A") == ["3"])
    }

    @Test("Fields named by private are removed from a shared cache (RFC 9111 §5.2.2.7)")
    func privateFields() {
        let new: HTTPFields = [.cacheControl: "max-age=9, private=\"X-A\""]
        #expect(Self.updated(new, nil, CacheSample.shared).headers["X-A"] == nil && Self.updated(new).headers["X-A"] == "1")
    }

    private struct Doubtful {
        let section: String
        let new: HTTPFields
        var stored: HTTPFields = [:]
        var settings = CacheSettings()
        let isInvalidated: Bool
    }

    private static let doubtful = [
        Doubtful(section: "RFC 9111 §4.1: the same names", new: [.vary: "B,a"], stored: [.vary: "A, b"], isInvalidated: false),
        Doubtful(section: "RFC 9111 §4.1: no Vary in the 304", new: [:], stored: [.vary: "A"], isInvalidated: false),
        Doubtful(section: "RFC 9111 §4.1: other names", new: [.vary: "A"], isInvalidated: true),
        Doubtful(section: "RFC 9111 §4.1: a name less", new: [.vary: "A"], stored: [.vary: "A, B"], isInvalidated: true),
        Doubtful(section: "RFC 9111 §4.1: a star", new: [.vary: "*"], isInvalidated: true),
        Doubtful(section: "RFC 9111 §5.2.2.5: no-store by now", new: [.cacheControl: "no-store"], isInvalidated: true),
        Doubtful(
            section: "RFC 9111 §5.2.2.3: with must-understand", new: [.cacheControl: "must-understand, no-store"], isInvalidated: false),
        Doubtful(section: "RFC 9111 §5.2.2.7: private by now", new: [.cacheControl: "private"], isInvalidated: false),
        Doubtful(
            section: "RFC 9111 §5.2.2.7: private by now, in a shared cache", new: [.cacheControl: "private"], settings: CacheSample.shared,
            isInvalidated: true),
    ]

    @Test("An update that must not be stored makes the response require validation", arguments: doubtful.indices)
    func invalidates(_ index: Int) {
        let row = Self.doubtful[index]
        let updated = Self.updated(row.new, CacheSample.kept(row.stored), row.settings)
        #expect(updated.isInvalidated == row.isInvalidated, "\(row.section)")
    }

    private struct Head {
        let section: String
        let head: HTTPFields
        var stored: HTTPFields = [.eTag: "\"a\"", .lastModified: CacheSample.date(-9), .contentLength: "5"]
        var length: Int64? = 5
        var part: StoredResponse.Part?
        var wasContentCoded = false
        let isAbout: Bool
    }

    private static let heads = [
        Head(section: "RFC 9111 §4.3.5: no validator", head: [:], isAbout: true),
        Head(
            section: "RFC 9111 §4.3.5: all the same", head: [.eTag: "\"a\"", .lastModified: CacheSample.date(-9), .contentLength: "5"],
            isAbout: true),
        Head(section: "RFC 9111 §4.3.5: another tag", head: [.eTag: "\"b\""], isAbout: false),
        Head(
            section: "RFC 9111 §4.3.5: a tag that is equal in Unicode only", head: [.eTag: "\"é\""], stored: [.eTag: "\"e\u{301}\""],
            isAbout: false),
        Head(section: "RFC 9111 §4.3.5: a weak tag", head: [.eTag: "W/\"a\""], isAbout: false),
        Head(section: "RFC 9111 §4.3.5: another date", head: [.lastModified: CacheSample.date(0)], isAbout: false),
        Head(section: "RFC 9111 §4.3.5: another length", head: [.contentLength: "6"], isAbout: false),
        Head(section: "RFC 9111 §4.3.5: another length than the body's", head: [.contentLength: "6"], stored: [:], isAbout: false),
        Head(section: "RFC 9111 §4.3.5: the body's length", head: [.contentLength: "5"], stored: [:], isAbout: true),
        Head(
            section: "RFC 9111 §4.3.5: a length where there was none", head: [.contentLength: "5"], stored: [:], length: nil, isAbout: false
        ),
        Head(section: "RFC 9111 §4.3.5: the length on the way", head: [.contentLength: "3"], wasContentCoded: true, isAbout: true),
        Head(section: "RFC 9111 §4.3.5: an invalid length", head: [.contentLength: "x"], isAbout: true),
        Head(section: "RFC 9111 §4.3.5: a tag where there was none", head: [.eTag: "\"a\""], stored: [:], isAbout: false),
        Head(
            section: "RFC 9111 §3.3: a part", head: [:], part: StoredResponse.Part(bounds: 0...4, total: 10), isAbout: false),
    ]

    @Test("A HEAD response refers to the stored response with equal validators and length (RFC 9111 §4.3.5)", arguments: heads.indices)
    func head(_ index: Int) {
        let row = Self.heads[index]
        let stored = CacheSample.stored(row.stored, part: row.part, wasContentCoded: row.wasContentCoded)
        #expect(Freshening.isAbout(stored, head: row.head, bodyLength: row.length) == row.isAbout, "\(row.section)")
    }

    @Test("A response with some properties replaced keeps the others")
    func with() {
        let part = StoredResponse.Part(bounds: 0...4, total: 10)
        let response = CacheSample.stored([.eTag: "\"a\""], 404, part: part, wasContentCoded: true, isInvalidated: true)
        #expect(response.with() == response && response.with(part: .some(nil)).part == nil && response.with(part: .none).part == part)
        let other = response.with(id: "2", headers: [.eTag: "\"b\""], isInvalidated: false)
        #expect(other.id == "2" && other.facts.tag?.text == "\"b\"" && !other.isInvalidated && other.status == 404 && other.wasContentCoded)
        #expect(other != response && other.key == response.key)
    }
}
