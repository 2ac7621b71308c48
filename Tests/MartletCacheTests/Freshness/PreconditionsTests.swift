import Testing

@testable import MartletCache

@Suite("Preconditions of requests", .timeLimit(.minutes(5)))
struct PreconditionsTests {
    private static let early = CacheSample.date(-100)
    private static let late = CacheSample.date(0)

    private struct Row {
        let section: String
        let request: HTTPFields
        var headers: HTTPFields = [.eTag: "\"a\"", .lastModified: early, .date: late]
        var status: HTTPStatus = 200
        let is304: Bool
    }

    private static let rows = [
        Row(section: "RFC 9110 §13.1.2: none", request: [:], is304: false),
        Row(section: "RFC 9110 §13.1.2", request: [.ifNoneMatch: "\"a\""], is304: true),
        Row(section: "RFC 9110 §13.1.2: another", request: [.ifNoneMatch: "\"b\""], is304: false),
        Row(section: "RFC 9110 §13.1.2: one of a list", request: [.ifNoneMatch: "\"b\", W/\"a\""], is304: true),
        Row(section: "RFC 9110 §13.1.2: on its second line", request: [.ifNoneMatch: "\"b\"", "if-none-match": "\"a\""], is304: true),
        Row(section: "RFC 9110 §13.1.2: compared weakly", request: [.ifNoneMatch: "\"a\""], headers: [.eTag: "W/\"a\""], is304: true),
        Row(section: "RFC 9110 §13.1.2: a star", request: [.ifNoneMatch: "*"], is304: true),
        Row(section: "RFC 9110 §13.1.2: a star without a tag", request: [.ifNoneMatch: " * "], headers: [:], is304: true),
        Row(section: "RFC 9110 §13.1.2: no tag stored", request: [.ifNoneMatch: "\"a\""], headers: [:], is304: false),
        Row(section: "RFC 9110 §13.1.2: in another's quotes", request: [.ifNoneMatch: "\"x, \"a\", y\""], is304: false),
        Row(section: "RFC 9110 §13.1.2: a comma in the tag", request: [.ifNoneMatch: "\"a,b\""], headers: [.eTag: "\"a,b\""], is304: true),
        Row(section: "RFC 9110 §13.1.2: a part of it", request: [.ifNoneMatch: "\"a\""], headers: [.eTag: "\"a,b\""], is304: false),
        Row(
            section: "RFC 9110 §13.1.2: a stored star is not a tag", request: [.ifNoneMatch: "*, \"b\""], headers: [.eTag: "*"],
            is304: false),
        Row(section: "RFC 9110 §13.1.3", request: [.ifModifiedSince: early], is304: true),
        Row(section: "RFC 9110 §13.1.3: later", request: [.ifModifiedSince: late], is304: true),
        Row(section: "RFC 9110 §13.1.3: a second earlier", request: [.ifModifiedSince: CacheSample.date(-101)], is304: false),
        Row(section: "RFC 9110 §13.1.3: no date", request: [.ifModifiedSince: "yesterday"], is304: false),
        Row(section: "RFC 9110 §13.1.3: two", request: [.ifModifiedSince: late, "if-modified-since": late], is304: false),
        Row(section: "RFC 9110 §13.1.3: ignored beside tags", request: [.ifNoneMatch: "\"b\"", .ifModifiedSince: late], is304: false),
        Row(
            section: "RFC 9111 §4.3.2: the Date, without Last-Modified", request: [.ifModifiedSince: late], headers: [.date: late],
            is304: true),
        Row(
            section: "RFC 9111 §4.3.2: before the Date", request: [.ifModifiedSince: CacheSample.date(-1)], headers: [.date: late],
            is304: false),
        Row(section: "RFC 9111 §4.3.2: the time of receipt, without either", request: [.ifModifiedSince: late], headers: [:], is304: true),
        Row(section: "RFC 9110 §13.2.1: not for 404", request: [.ifNoneMatch: "\"a\""], status: 404, is304: false),
        Row(section: "RFC 9110 §13.2.1: not for 301", request: [.ifNoneMatch: "*"], status: 301, is304: false),
    ]

    @Test("A cache evaluates If-None-Match, or without it If-Modified-Since (RFC 9111 §4.3.2)", arguments: rows.indices)
    func judges(_ index: Int) {
        let row = Self.rows[index]
        #expect(
            Preconditions.matchNotModified(row.request, for: CacheSample.stored(row.headers, row.status)) == row.is304, "\(row.section)")
    }

    @Test("Only the server evaluates If-Match and If-Unmodified-Since (RFC 9111 §4.3.2)")
    func forTheServer() {
        #expect(Preconditions.areForTheServer([.ifMatch: "\"a\""]) && Preconditions.areForTheServer([.ifUnmodifiedSince: Self.early]))
        #expect(!Preconditions.areForTheServer([.ifNoneMatch: "*", .ifModifiedSince: Self.early, .ifRange: "\"a\""]))
        #expect(
            Preconditions.arePresent([.ifNoneMatch: ""]) && Preconditions.arePresent([.ifModifiedSince: ""])
                && !Preconditions.arePresent([.ifMatch: "*"]))
    }

    private struct Asked {
        let section: String
        let stored: HTTPFields
        var request: HTTPFields = [:]
        let asked: HTTPFields
    }

    private static let asked = [
        Asked(
            section: "RFC 9111 §4.3.1: both", stored: [.eTag: "\"a\"", .lastModified: early],
            asked: [.ifNoneMatch: "\"a\"", .ifModifiedSince: early]),
        Asked(section: "RFC 9111 §4.3.1: a tag", stored: [.eTag: "W/\"a\""], asked: [.ifNoneMatch: "W/\"a\""]),
        Asked(section: "RFC 9111 §4.3.1: a date", stored: [.lastModified: early], asked: [.ifModifiedSince: early]),
        Asked(section: "RFC 9111 §4.3.1: nothing", stored: [:], asked: [:]),
        Asked(section: "RFC 9111 §4.3.1: no date", stored: [.lastModified: "yesterday"], asked: [:]),
        Asked(section: "RFC 9111 §4.3.1: a star is not a tag", stored: [.eTag: "*"], asked: [:]),
        Asked(
            section: "RFC 9111 §4.3.1: the caller's tags too", stored: [.eTag: "\"a\""], request: [.ifNoneMatch: "\"b,c\", W/\"d\""],
            asked: [.ifNoneMatch: "\"b,c\", W/\"d\", \"a\""]),
        Asked(
            section: "RFC 9111 §4.3.1: the caller's tag is the stored one", stored: [.eTag: "\"a\""],
            request: [.ifNoneMatch: "W/\"a\", \"b\""],
            asked: [.ifNoneMatch: "W/\"a\", \"b\""]),
        Asked(
            section: "RFC 9111 §4.3.1: the caller's star", stored: [.eTag: "\"a\"", .lastModified: early], request: [.ifNoneMatch: "*"],
            asked: [.ifNoneMatch: "*"]),
        Asked(
            section: "RFC 9111 §4.3.1: the stored date in place of the caller's", stored: [.lastModified: early],
            request: [.ifModifiedSince: late],
            asked: [.ifModifiedSince: early]),
        Asked(
            section: "RFC 9111 §4.3.1: the stored date in place of the caller's, beside a tag",
            stored: [.eTag: "\"a\"", .lastModified: early],
            request: [.ifModifiedSince: late], asked: [.ifNoneMatch: "\"a\"", .ifModifiedSince: early]),
        Asked(
            section: "RFC 9111 §4.3.1: the caller's tags without a stored one", stored: [.lastModified: early],
            request: [.ifNoneMatch: "\"b\"", .ifModifiedSince: late], asked: [.ifNoneMatch: "\"b\"", .ifModifiedSince: late]),
    ]

    @Test("A cache validates with the stored validators and keeps the caller's tags (RFC 9111 §4.3.1)", arguments: asked.indices)
    func validates(_ index: Int) {
        let row = Self.asked[index]
        let stored = CacheSample.stored(row.stored)
        var (request, asked) = (row.request, row.asked)
        request[.accept] = "text/plain"
        asked[.accept] = "text/plain"
        #expect(Preconditions.validating(stored, request) == asked, "\(row.section)")
        #expect(Preconditions.canValidate(stored) == (stored.facts.tag != nil || stored.facts.lastModified != nil), "\(row.section)")
    }

    private struct About {
        let section: String
        let stored: HTTPFields
        let answer: HTTPFields
        var request: HTTPFields = [:]
        let isAbout: Bool
    }

    private static let abouts = [
        About(section: "RFC 9111 §4.3.4: the same strong one", stored: [.eTag: "\"a\""], answer: [.eTag: "\"a\""], isAbout: true),
        About(section: "RFC 9111 §4.3.4: another strong one", stored: [.eTag: "\"a\""], answer: [.eTag: "\"b\""], isAbout: false),
        About(section: "RFC 9111 §4.3.4: the same weak one", stored: [.eTag: "W/\"a\""], answer: [.eTag: "W/\"a\""], isAbout: true),
        About(section: "RFC 9111 §4.3.4: a weak one for a strong one", stored: [.eTag: "\"a\""], answer: [.eTag: "W/\"a\""], isAbout: true),
        About(
            section: "RFC 9111 §4.3.4: a strong one for a weak one", stored: [.eTag: "W/\"a\""], answer: [.eTag: "\"a\""], isAbout: false),
        About(
            section: "RFC 9111 §4.3.4: a tag where there was none", stored: [.lastModified: early], answer: [.eTag: "\"a\""], isAbout: false
        ),
        About(section: "RFC 9111 §4.3.4: no validator, the stored one was sent", stored: [.eTag: "\"a\""], answer: [:], isAbout: true),
        About(
            section: "RFC 9111 §4.3.4: no validator, the caller's was sent too", stored: [.eTag: "\"a\""], answer: [:],
            request: [.ifNoneMatch: "\"b\""], isAbout: false),
        About(
            section: "RFC 9111 §4.3.4: the caller's tag", stored: [.eTag: "\"a\""], answer: [.eTag: "\"b\""],
            request: [.ifNoneMatch: "\"b\""],
            isAbout: false),
        About(
            section: "RFC 9111 §4.3.4: the stored one of two tags", stored: [.eTag: "\"a\""], answer: [.eTag: "\"a\""],
            request: [.ifNoneMatch: "\"b\""], isAbout: true),
        About(
            section: "RFC 9111 §4.3.4: no validator, only the caller's was sent", stored: [.lastModified: early], answer: [:],
            request: [.ifNoneMatch: "\"b\""], isAbout: false),
        About(section: "RFC 9111 §4.3.4: the same date", stored: [.lastModified: early], answer: [.lastModified: early], isAbout: true),
        About(section: "RFC 9111 §4.3.4: no date", stored: [.lastModified: early], answer: [:], isAbout: true),
        About(section: "RFC 9111 §4.3.4: another date", stored: [.lastModified: early], answer: [.lastModified: late], isAbout: false),
    ]

    @Test("A 304 refers to the response with its validators (RFC 9111 §4.3.4)", arguments: abouts.indices)
    func isAbout(_ index: Int) {
        let row = Self.abouts[index]
        let stored = CacheSample.stored(row.stored)
        let sent = Preconditions.validating(stored, row.request)
        #expect(Preconditions.isAbout(stored, notModified: row.answer, asked: sent) == row.isAbout, "\(row.section)")
    }
}
