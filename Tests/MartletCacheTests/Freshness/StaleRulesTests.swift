import Testing

@testable import MartletCache

@Suite("Stale responses", .timeLimit(.minutes(5)))
struct StaleRulesTests {
    private static let forbidden: [(section: String, control: String, isForbidden: (Bool, Bool))] = [
        ("RFC 9111 §4.2.4: nothing", "max-age=1", (false, false)), ("RFC 9111 §5.2.2.2", "must-revalidate", (true, true)),
        ("RFC 9111 §5.2.2.2: malformed", "must-revalidate=\"", (true, true)), ("RFC 9111 §5.2.2.4", "no-cache", (true, true)),
        ("RFC 9111 §5.2.2.4: for some fields", "no-cache=\"a\"", (false, false)),
        ("RFC 9111 §5.2.2.8: for shared caches", "proxy-revalidate", (false, true)),
        ("RFC 9111 §5.2.2.10: for shared caches", "s-maxage=1", (false, true)),
        ("RFC 9111 §5.2.2.10: malformed", "s-maxage=x", (false, true)),
        ("RFC 5861 §3: does not lift it", "must-revalidate, stale-while-revalidate=60", (true, true)),
    ]

    @Test("The server can forbid stale use, in each mode (RFC 9111 §4.2.4)", arguments: forbidden.indices)
    func forbids(_ index: Int) {
        let row = Self.forbidden[index]
        let response = CacheSample.stored([.cacheControl: row.control])
        #expect(StaleRules.isForbidden(response, CacheSettings()) == row.isForbidden.0, "\(row.section), private")
        #expect(StaleRules.isForbidden(response, CacheSample.shared) == row.isForbidden.1, "\(row.section), shared")
        #expect(StaleRules.isForbidden(CacheSample.stored([:], isInvalidated: true), CacheSettings()))
    }

    private struct Row {
        let section: String
        /// Directives after `max-age=60`.
        let control: String
        var request: HTTPFields = [:]
        var settings = CacheSettings()
        var after = 70.0
        var part: StoredResponse.Part?
        let isAllowed: Bool
    }

    private static let later = [
        Row(section: "RFC 5861 §3: not said", control: "x", isAllowed: false),
        Row(section: "RFC 5861 §3", control: "stale-while-revalidate=20", isAllowed: true),
        Row(section: "RFC 5861 §3: the last moment", control: "stale-while-revalidate=10", isAllowed: true),
        Row(section: "RFC 5861 §3: over", control: "stale-while-revalidate=9", isAllowed: false),
        Row(section: "RFC 5861 §3: nothing", control: "stale-while-revalidate=0", after: 60, isAllowed: false),
        Row(section: "RFC 5861 §3: none", control: "stale-while-revalidate=long", after: 60, isAllowed: false),
        Row(section: "RFC 5861 §3: two", control: "stale-while-revalidate=20, stale-while-revalidate=30", isAllowed: false),
        Row(section: "RFC 5861 §3: too large", control: "stale-while-revalidate=99999999999999999999", after: 1e9, isAllowed: true),
    ]

    @Test("A stale response may be used during revalidation (RFC 5861 §3)", arguments: later.indices)
    func revalidatesLater(_ index: Int) {
        let row = Self.later[index]
        let response = CacheSample.stored([.cacheControl: "max-age=60, " + row.control])
        #expect(
            StaleRules.mayRevalidateLater(response, CacheSample.freshness(response, after: row.after)) == row.isAllowed, "\(row.section)")
    }

    private static let ten = CacheSettings(staleIfError: .seconds(10))

    private static let failures = [
        Row(section: "RFC 5861 §4: not said", control: "x", isAllowed: false),
        Row(section: "RFC 5861 §4: not said, and fresh", control: "x", after: 5, isAllowed: false),
        Row(section: "RFC 5861 §4", control: "stale-if-error=20", isAllowed: true),
        Row(section: "RFC 5861 §4: fresh", control: "stale-if-error=20", after: 5, isAllowed: true),
        Row(section: "RFC 5861 §4: the last moment", control: "stale-if-error=10", isAllowed: true),
        Row(section: "RFC 5861 §4: over", control: "stale-if-error=9", isAllowed: false),
        Row(section: "RFC 5861 §4: nothing", control: "stale-if-error=0", after: 60, isAllowed: false),
        Row(section: "RFC 5861 §4: none", control: "stale-if-error=x", after: 60, isAllowed: false),
        Row(section: "RFC 5861 §4: the request's", control: "x", request: [.cacheControl: "stale-if-error=20"], isAllowed: true),
        Row(section: "RFC 5861 §4: the request's, over", control: "x", request: [.cacheControl: "stale-if-error=9"], isAllowed: false),
        Row(section: "RFC 9111 §4.2.4: the settings'", control: "x", settings: ten, isAllowed: true),
        Row(section: "RFC 9111 §4.2.4: the settings', over", control: "x", settings: ten, after: 71, isAllowed: false),
        Row(
            section: "RFC 9111 §4.2.4: part of a second", control: "x", settings: CacheSettings(staleIfError: .milliseconds(500)),
            after: 60.5,
            isAllowed: true),
        Row(
            section: "RFC 9111 §4.2.4: below zero", control: "x", settings: CacheSettings(staleIfError: .seconds(-1)), after: 5,
            isAllowed: false),
        Row(section: "RFC 9111 §4.2.4: the server's before the settings'", control: "stale-if-error=5", settings: ten, isAllowed: false),
        Row(section: "RFC 9111 §4.2.4: forbidden", control: "must-revalidate, stale-if-error=20", settings: ten, isAllowed: false),
        Row(section: "RFC 9111 §4.2.4: no-cache", control: "no-cache, stale-if-error=20", settings: ten, isAllowed: false),
        Row(
            section: "RFC 9111 §5.2.2.8: forbidden in shared caches", control: "proxy-revalidate, stale-if-error=20",
            settings: CacheSample.shared, isAllowed: false),
        Row(section: "RFC 9111 §5.2.2.8: not in private ones", control: "proxy-revalidate, stale-if-error=20", isAllowed: true),
        Row(section: "RFC 9111 §5.2.1.4", control: "stale-if-error=20", request: [.cacheControl: "no-cache"], isAllowed: false),
        Row(section: "RFC 9111 §5.4", control: "stale-if-error=20", request: [.pragma: "no-cache"], isAllowed: false),
        Row(
            section: "RFC 9111 §5.4: beside Cache-Control", control: "stale-if-error=20",
            request: [.pragma: "no-cache", .cacheControl: "x"], isAllowed: true),
        Row(
            section: "RFC 9111 §3.3: a part", control: "stale-if-error=20", part: StoredResponse.Part(bounds: 0...4, total: 10),
            isAllowed: false),
    ]

    @Test("A stale response may replace a failure (RFC 5861 §4)", arguments: failures.indices)
    func replacesFailures(_ index: Int) {
        let row = Self.failures[index]
        let response = CacheSample.stored([.cacheControl: "max-age=60, " + row.control], part: row.part)
        let freshness = CacheSample.freshness(response, after: row.after, row.settings)
        #expect(StaleRules.mayReplaceFailure(response, freshness, row.request, row.settings) == row.isAllowed, "\(row.section)")
    }

    @Test("500, 502, 503 and 504 are failures (RFC 5861 §4), and so is an unreachable server")
    func whatFails() {
        #expect((100...599).filter { StaleRules.isFailure(HTTPStatus(rawValue: $0)) } == [500, 502, 503, 504])
        #expect(StaleRules.isFailure(HTTPError.networkError(NetworkFailure(.other, "x"))) && !StaleRules.isFailure(HTTPError.cancelled))
    }
}
