import Foundation
import Testing

@testable import MartletCache

@Suite("Freshness", .timeLimit(.minutes(5)))
struct FreshnessTests {
    private struct Life {
        let section: String
        let headers: HTTPFields
        var status: HTTPStatus = 200
        var settings = CacheSettings()
        let lifetime: Double
        let source: Freshness.Source
    }

    private static let date = CacheSample.date(0)

    private static let lives = [
        Life(section: "RFC 9111 §4.2.1: nothing", headers: [:], lifetime: 0, source: .none),
        Life(section: "RFC 9111 §5.2.2.1", headers: [.cacheControl: "max-age=60"], lifetime: 60, source: .maxAge),
        Life(section: "RFC 9111 §5.2.2.1: zero", headers: [.cacheControl: "max-age=0"], lifetime: 0, source: .maxAge),
        Life(
            section: "RFC 9111 §5.3: max-age before Expires",
            headers: [.cacheControl: "max-age=60", .date: date, .expires: CacheSample.date(600)], lifetime: 60, source: .maxAge),
        Life(
            section: "RFC 9111 §4.2.1: an invalid max-age before Expires",
            headers: [.cacheControl: "max-age=x", .date: date, .expires: CacheSample.date(600)], lifetime: 0, source: .maxAge),
        Life(
            section: "RFC 9111 §5.2.2.10: s-maxage is for shared caches", headers: [.cacheControl: "max-age=60, s-maxage=600"],
            lifetime: 60, source: .maxAge),
        Life(
            section: "RFC 9111 §5.2.2.10", headers: [.cacheControl: "max-age=60, s-maxage=600"], settings: CacheSample.shared,
            lifetime: 600,
            source: .sharedMaxAge),
        Life(
            section: "RFC 9111 §4.2.1: an invalid s-maxage", headers: [.cacheControl: "max-age=60, s-maxage=-1"],
            settings: CacheSample.shared, lifetime: 0, source: .sharedMaxAge),
        Life(
            section: "RFC 9111 §5.2.2.10: a shared cache without it", headers: [.cacheControl: "max-age=60"], settings: CacheSample.shared,
            lifetime: 60, source: .maxAge),
        Life(
            section: "RFC 9110 §5.6.7: IMF-fixdate", headers: [.date: date, .expires: "Tue, 14 Nov 2023 22:14:20 GMT"], lifetime: 60,
            source: .expires),
        Life(
            section: "RFC 9110 §5.6.7: RFC 850", headers: [.date: date, .expires: "Tuesday, 14-Nov-23 22:14:20 GMT"], lifetime: 60,
            source: .expires),
        Life(
            section: "RFC 9110 §5.6.7: asctime", headers: [.date: date, .expires: "Tue Nov 14 22:14:20 2023"], lifetime: 60,
            source: .expires),
        Life(
            section: "RFC 9110 §5.6.7: RFC 850, a year more than 50 ahead",
            headers: [.date: date, .expires: "Tuesday, 14-Nov-94 22:14:20 GMT"],
            lifetime: 0, source: .expires),
        Life(
            section: "RFC 9111 §5.3: without a Date, from when it came", headers: [.expires: CacheSample.date(60)], lifetime: 60,
            source: .expires),
        Life(
            section: "RFC 9111 §4.2.1: relative to the Date, not to the receipt",
            headers: [.date: CacheSample.date(-100), .expires: CacheSample.date(60)], lifetime: 160, source: .expires),
        Life(
            section: "RFC 9111 §5.3: in the past", headers: [.date: date, .expires: CacheSample.date(-60)], lifetime: 0, source: .expires),
        Life(
            section: "RFC 9111 §4.2: far", headers: [.date: date, .expires: "Fri, 31 Dec 9999 23:59:59 GMT"],
            lifetime: 253_402_300_799 - 1_700_000_000, source: .expires),
        Life(
            section: "RFC 9111 §5.3: twice", headers: [.date: date, .expires: CacheSample.date(60), "expires": CacheSample.date(60)],
            lifetime: 0, source: .expires),
    ]

    @Test("The lifetime is the first present of s-maxage, max-age and Expires (RFC 9111 §4.2.1)", arguments: lives.indices)
    func lifetime(_ index: Int) {
        let row = Self.lives[index]
        let freshness = CacheSample.freshness(CacheSample.stored(row.headers, row.status), after: 0, row.settings)
        #expect(freshness.lifetime == row.lifetime && freshness.source == row.source, "\(row.section): \(freshness)")
    }

    @Test(
        "An invalid Expires counts as expired (RFC 9111 §5.3)",
        arguments: [
            "0", "-1", "", "now", "60", "1700000060", "Tue, 14 Nov 2023 22:14:20", "Tue, 14 Nov 2023 22:14:20 +0000",
            "Tue, 14 Nov 2023 22:14:20 UTC", "Tue, 14 Nov 2023 22:14:20 PST", "14 Nov 2023 22:14:20 GMT", "Tue, 32 Nov 2023 22:14:20 GMT",
            "Tue, 14 Nov 2023 25:14:20 GMT", "2023-11-14T22:14:20Z", "Tue, 14  Nov  2023 22:14:20 GMT", "Tue, 14 Nov 2023 22:14:20 GMT x",
            "Tue, 14 Nov 2023 22:14 GMT", "Tue, 14 Nov 23 22:14:20 GMT", "\u{0}", "é",
        ])
    func garbage(_ text: String) {
        let response = CacheSample.stored([.date: Self.date, .expires: text, .lastModified: CacheSample.date(-100_000)])
        let freshness = CacheSample.freshness(response, after: 0)
        #expect(freshness.lifetime == 0 && freshness.source == .expires && !freshness.isFresh)
    }

    private static let heuristics = [
        Life(
            section: "RFC 9111 §4.2.2", headers: [.date: date, .lastModified: CacheSample.date(-1_000)], lifetime: 100, source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: the limit", headers: [.date: date, .lastModified: CacheSample.date(-100_000_000)], lifetime: 86_400,
            source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: a limit of the cache's own", headers: [.date: date, .lastModified: CacheSample.date(-1_000)],
            settings: CacheSettings(maxHeuristicLifetime: .milliseconds(1_500)), lifetime: 1.5, source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: modified after the Date", headers: [.date: date, .lastModified: CacheSample.date(1_000)],
            lifetime: 0,
            source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: no date", headers: [.date: date, .lastModified: "yesterday"], lifetime: 0, source: .none),
        Life(
            section: "RFC 9111 §4.2.2: only without an explicit one",
            headers: [.date: date, .lastModified: CacheSample.date(-1_000), .expires: "0"], lifetime: 0, source: .expires),
        Life(
            section: "RFC 9110 §15.1: 302 is not heuristically cacheable",
            headers: [.date: date, .lastModified: CacheSample.date(-1_000)], status: 302, lifetime: 0, source: .none),
        Life(
            section: "RFC 9111 §4.2.2: marked as public",
            headers: [.cacheControl: "public", .date: date, .lastModified: CacheSample.date(-1_000)], status: 302, lifetime: 100,
            source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: never", headers: [.date: date, .lastModified: CacheSample.date(-1_000)],
            settings: CacheSettings(heuristicFraction: 0), lifetime: 0, source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: a fraction below zero", headers: [.date: date, .lastModified: CacheSample.date(-1_000)],
            settings: CacheSettings(heuristicFraction: -1), lifetime: 0, source: .heuristic),
        Life(
            section: "RFC 9111 §4.2.2: a limit below zero", headers: [.date: date, .lastModified: CacheSample.date(-1_000)],
            settings: CacheSettings(maxHeuristicLifetime: .seconds(-5)), lifetime: 0, source: .heuristic),
    ]

    @Test(
        "Without an expiry the lifetime is a fraction of the time since the last modification (RFC 9111 §4.2.2)",
        arguments: heuristics.indices)
    func heuristic(_ index: Int) {
        let row = Self.heuristics[index]
        let freshness = CacheSample.freshness(CacheSample.stored(row.headers, row.status), after: 0, row.settings)
        #expect(freshness.lifetime == row.lifetime && freshness.source == row.source, "\(row.section): \(freshness)")
    }

    @Test(
        "A fraction that is not a finite number disables heuristic freshness (RFC 9111 §4.2.2)",
        arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func fractions(_ fraction: Double) {
        var settings = CacheSettings(heuristicFraction: fraction)
        #expect(settings.heuristicFraction == 0)
        settings.heuristicFraction = fraction
        for modified in [-1_000, 0, 1_000] as [Double] {
            let freshness = CacheSample.freshness(CacheSample.stored([.lastModified: CacheSample.date(modified)]), after: 0, settings)
            #expect((0...86_400).contains(freshness.lifetime), "\(freshness)")
        }
    }

    private struct Age {
        let section: String
        let headers: HTTPFields
        var asked = 0.0
        var received = 0.0
        var after = 0.0
        let age: Double
    }

    private static let ages = [
        Age(section: "RFC 9111 §4.2.3: just now", headers: [.date: date], age: 0),
        Age(section: "RFC 9111 §4.2.3: resident time", headers: [.date: date], after: 7.5, age: 7.5),
        Age(section: "RFC 9111 §4.2.3: apparent age", headers: [.date: CacheSample.date(-30)], after: 7, age: 37),
        Age(section: "RFC 9111 §4.2.3: a Date in the future", headers: [.date: CacheSample.date(30)], after: 7, age: 7),
        Age(section: "RFC 9111 §4.2.3: without a Date", headers: [:], after: 7, age: 7),
        Age(section: "RFC 9111 §5.1: the Age field", headers: [.date: date, .age: "50"], after: 7, age: 57),
        Age(section: "RFC 9111 §4.2.3: the larger of both", headers: [.date: CacheSample.date(-60), .age: "50"], age: 60),
        Age(section: "RFC 9111 §4.2.3: the delay counts", headers: [.date: date, .age: "50"], asked: -4, age: 54),
        Age(
            section: "RFC 9111 §4.2.3: not added to the apparent age", headers: [.date: CacheSample.date(-60), .age: "50"], asked: -4,
            age: 60),
        Age(section: "RFC 9111 §4.2.3: the clock was set back on the way", headers: [.date: date], asked: 100, age: 0),
        Age(section: "RFC 9111 §5.1: several lines, the first", headers: [.age: "5", "age": "70"], age: 5),
        Age(section: "RFC 9111 §5.1: several members, the first", headers: [.age: "5, 70"], age: 5),
        Age(section: "RFC 9111 §5.1: no number", headers: [.age: "old"], age: 0),
        Age(section: "RFC 9111 §5.1: negative", headers: [.age: "-5"], age: 0),
        Age(section: "RFC 9111 §5.1: a decimal", headers: [.age: "5.5"], age: 0),
        Age(section: "RFC 9111 §5.1: quotes", headers: [.age: "\"5\""], age: 0),
        Age(section: "RFC 9111 §5.1: nothing", headers: [.age: ""], age: 0),
        Age(section: "RFC 9111 §5.1: a comma first", headers: [.age: ",5"], age: 0),
        Age(section: "RFC 9111 §5.1: parameters", headers: [.age: "5;x=1"], age: 0),
        Age(section: "RFC 9111 §1.2.2: too large", headers: [.age: "99999999999999999999"], age: 2_147_483_648),
        Age(section: "RFC 9110 §5.6.7: an invalid Date", headers: [.date: "0", .age: "5"], age: 5),
    ]

    @Test(
        "The age is the larger of the Date and Age values plus the time since receipt (RFC 9111 §4.2.3)",
        arguments: ages.indices)
    func age(_ index: Int) {
        let row = Self.ages[index]
        let response = CacheSample.stored(row.headers, asked: row.asked, received: row.received)
        #expect(CacheSample.freshness(response, after: row.after).age == row.age, "\(row.section)")
    }

    @Test("A response is fresh while its lifetime exceeds its age (RFC 9111 §4.2)")
    func boundary() {
        let response = CacheSample.stored([.cacheControl: "max-age=60"])
        #expect(CacheSample.freshness(response, after: 59.9).isFresh && !CacheSample.freshness(response, after: 60).isFresh)
        #expect(CacheSample.freshness(response, after: 50).remaining == 10 && CacheSample.freshness(response, after: 70).remaining == -10)
    }

    @Test("A response received before the clock was set back is stale, with a tolerance of one second (RFC 9111 §4.2.3)")
    func clockSetBack() {
        let response = CacheSample.stored([.cacheControl: "max-age=60"])
        #expect(CacheSample.freshness(response, after: -1).isFresh)
        let freshness = CacheSample.freshness(response, after: -1.5)
        #expect(!freshness.isFresh && freshness.lifetime == 0 && freshness.age == 0)
    }

    @Test("No extreme date makes a response of unknown age fresh")
    func oddMoments() {
        for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            let moment = Date(timeIntervalSinceReferenceDate: seconds)
            let now = Freshness(of: CacheSample.stored([.cacheControl: "max-age=60"]), at: moment, settings: CacheSettings())
            #expect(!now.isFresh, "\(seconds)")
            let response = StoredResponse(
                id: "1", key: CacheKey(uri: ""), status: 200, headers: [.cacheControl: "max-age=60", .date: Self.date],
                requestTime: moment, responseTime: moment)
            #expect(!Freshness(of: response, at: CacheSample.moment, settings: CacheSettings()).isFresh, "\(seconds)")
        }
    }

    @Test("The statuses cacheable by default are those of RFC 9110 §15.1, and the understood ones are from its §15")
    func statuses() {
        let all = (100...599).map { HTTPStatus(rawValue: $0) }
        #expect(all.filter(\.isHeuristicallyCacheable).map(\.rawValue) == [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
        #expect(all.filter { $0.isHeuristicallyCacheable && !$0.isUnderstood } == [] && !HTTPStatus(rawValue: 599).isUnderstood)
        #expect(!HTTPStatus(rawValue: 418).isUnderstood && HTTPStatus(rawValue: 503).isUnderstood)
    }
}
