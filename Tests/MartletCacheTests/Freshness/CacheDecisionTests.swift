import Foundation
import Testing

@testable import MartletCache

@Suite("CacheDecision: hit, validation or forwarding", .timeLimit(.minutes(5)))
struct CacheDecisionTests {
    /// A short form of a decision.
    enum Short: Equatable {
        case fresh
        /// Stale, with the reason, and whether it is revalidated.
        case stale(String, Bool)
        case ask(CacheStatus.ForwardReason, CacheDecision.Forward.Manner)
        case unavailable

        init(_ decision: CacheDecision) {
            switch decision {
            case .reuse(let reuse): self = reuse.reason.map { .stale($0, reuse.revalidates) } ?? .fresh
            case .forward(let forward): self = .ask(forward.reason, forward.manner)
            case .unavailable: self = .unavailable
            }
        }
    }

    struct Row {
        let section: String
        /// Directives after `max-age=60`. Nil for no stored response.
        var control: String? = "x"
        var request: HTTPFields = [:]
        var method: HTTPMethod = .get
        var after = 10.0
        var policy = CachePolicy.useProtocol
        var settings = CacheSettings()
        var part: StoredResponse.Part?
        var tag: String? = "\"a\""
        var status: HTTPStatus = 200
        var wasContentCoded = false
        let short: Short
    }

    static func check(_ row: Row) {
        var headers: HTTPFields = [.date: CacheSample.date(0), .contentLength: "10"]
        headers[.eTag] = row.tag
        headers[.cacheControl] = "max-age=60, \(row.control ?? "")"
        let stored = CacheSample.stored(headers, row.status, part: row.part, wasContentCoded: row.wasContentCoded)
        let decision = CacheDecision.decide(
            CacheSample.request(row.request, row.method), stored: row.control == nil ? [] : [stored], policy: row.policy,
            now: CacheSample.moment.addingTimeInterval(row.after), settings: row.settings)
        #expect(Short(decision) == row.short, "\(row.section)")
    }

    private static func asks(_ control: String) -> HTTPFields { [.cacheControl: control] }

    private static let wishes = [
        Row(section: "RFC 9111 §4: nothing stored", control: nil, short: .ask(.uriMiss, .asIs)),
        Row(section: "RFC 9111 §4.2: fresh", short: .fresh), Row(section: "RFC 9111 §4.2: the last moment", after: 59.9, short: .fresh),
        Row(section: "RFC 9111 §4.2.4: stale", after: 60, short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §4.3.1: no validator", after: 60, tag: nil, short: .ask(.stale, .asIs)),
        Row(section: "RFC 9111 §4: HEAD", method: .head, short: .fresh),
        Row(section: "RFC 9111 §4.3.5: HEAD is not validated", method: .head, after: 60, short: .ask(.stale, .asIs)),
        Row(section: "RFC 9111 §5.2.1.1", request: asks("max-age=10"), short: .fresh),
        Row(section: "RFC 9111 §5.2.1.1: too old", request: asks("max-age=9"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.1: zero", request: asks("max-age=0"), after: 0, short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.1: none", request: asks("max-age=x"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.1: two", request: asks("max-age=50, max-age=55"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.1: nothing stale", request: asks("max-age=99"), after: 70, short: .ask(.stale, .validating)),
        Row(
            section: "RFC 9111 §5.2.1.1: with max-stale", request: asks("max-age=99, max-stale=20"), after: 70,
            short: .stale("max-stale", false)),
        Row(
            section: "RFC 9111 §5.2.1.1: stale-while-revalidate is not max-stale", control: "stale-while-revalidate=60",
            request: asks("max-age=99"), after: 70, short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §5.2.1.2", request: asks("max-stale=20"), after: 70, short: .stale("max-stale", false)),
        Row(section: "RFC 9111 §5.2.1.2: the last moment", request: asks("max-stale=10"), after: 70, short: .stale("max-stale", false)),
        Row(section: "RFC 9111 §5.2.1.2: over", request: asks("max-stale=9"), after: 70, short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §5.2.1.2: any", request: asks("max-stale"), after: 1e6, short: .stale("max-stale", false)),
        Row(section: "RFC 9111 §5.2.1.2: none", request: asks("max-stale=x"), after: 70, short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §5.2.1.2: fresh", request: asks("max-stale=9"), short: .fresh),
        Row(
            section: "RFC 9111 §5.2.1.2: over, within stale-while-revalidate", control: "stale-while-revalidate=60",
            request: asks("max-stale=9"), after: 70, short: .ask(.stale, .validating)),
        Row(
            section: "RFC 9111 §4.2.4: must-revalidate before max-stale", control: "must-revalidate", request: asks("max-stale"), after: 70,
            short: .ask(.stale, .validating)),
        Row(
            section: "RFC 9111 §5.2.2.8: proxy-revalidate means nothing here", control: "proxy-revalidate", request: asks("max-stale"),
            after: 70, short: .stale("max-stale", false)),
        Row(
            section: "RFC 9111 §5.2.2.8: but in a shared cache", control: "proxy-revalidate", request: asks("max-stale"), after: 70,
            settings: CacheSample.shared, short: .ask(.stale, .validating)),
        Row(
            section: "RFC 9111 §5.2.2.10: s-maxage too", control: "s-maxage=60", request: asks("max-stale"), after: 70,
            settings: CacheSample.shared, short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §5.2.1.3", request: asks("min-fresh=50"), short: .fresh),
        Row(section: "RFC 9111 §5.2.1.3: not for so long", request: asks("min-fresh=51"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.3: none", request: asks("min-fresh=x"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.3: two", request: asks("min-fresh=1, min-fresh=2"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.4", request: asks("no-cache"), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.4: with an argument", request: asks("no-cache=\"x\""), short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.1.7", request: asks("only-if-cached"), short: .fresh),
        Row(section: "RFC 9111 §5.2.1.7: nothing stored", control: nil, request: asks("only-if-cached"), short: .unavailable),
        Row(section: "RFC 9111 §5.2.1.7: stale", request: asks("only-if-cached"), after: 70, short: .unavailable),
        Row(section: "RFC 9111 §5.2.1.7: with no-cache", request: asks("only-if-cached, no-cache"), short: .unavailable),
        Row(
            section: "RFC 9111 §5.2.1.7: with max-stale", request: asks("only-if-cached, max-stale"), after: 70,
            short: .stale("max-stale", false)),
        Row(
            section: "RFC 9111 §5.2.1.7: no later revalidation", control: "stale-while-revalidate=60", request: asks("only-if-cached"),
            after: 70, short: .stale("stale-while-revalidate", false)),
        Row(
            section: "RFC 9111 §5.2.1.7: a condition for the server", request: [.cacheControl: "only-if-cached", .ifMatch: "*"],
            short: .unavailable),
        Row(section: "RFC 9111 §5.4", request: [.pragma: "no-cache"], short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.4: in a list", request: [.pragma: "x, No-Cache"], short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.4: others", request: [.pragma: "x=no-cache"], short: .fresh),
        Row(section: "RFC 9111 §5.4: beside Cache-Control", request: [.pragma: "no-cache", .cacheControl: "max-age=50"], short: .fresh),
        Row(
            section: "RFC 9111 §5.4: beside an empty one", request: [.pragma: "no-cache", .cacheControl: " , "],
            short: .ask(.request, .validating)),
        Row(section: "RFC 9111 §5.2.2.4", control: "no-cache", short: .ask(.stale, .validating)),
        Row(section: "RFC 9111 §5.2.2.4: for some fields", control: "no-cache=\"a\"", short: .fresh),
        Row(
            section: "RFC 9111 §5.2.2.4: max-stale does not lift it", control: "no-cache", request: asks("max-stale"),
            short: .ask(.stale, .validating)),
        Row(section: "RFC 5861 §3", control: "stale-while-revalidate=20", after: 70, short: .stale("stale-while-revalidate", true)),
        Row(section: "RFC 5861 §3: over", control: "stale-while-revalidate=9", after: 70, short: .ask(.stale, .validating)),
        Row(
            section: "RFC 5861 §3: forbidden", control: "must-revalidate, stale-while-revalidate=20", after: 70,
            short: .ask(.stale, .validating)),
        Row(
            section: "RFC 5861 §3: HEAD", control: "stale-while-revalidate=20", method: .head, after: 70,
            short: .stale("stale-while-revalidate", true)),
        Row(
            section: "RFC 5861 §3: no-cache", control: "stale-while-revalidate=20", request: asks("no-cache"), after: 70,
            short: .ask(.request, .validating)),
        Row(section: "RFC 5861 §4: only for failures", control: "stale-if-error=20", after: 70, short: .ask(.stale, .validating)),
        Row(section: "RFC 8246 §2", control: "immutable", request: asks("max-age=0"), short: .fresh),
        Row(section: "RFC 8246 §2: stale", control: "immutable", request: asks("max-age=0"), after: 70, short: .ask(.request, .validating)),
        Row(section: "RFC 8246 §2: a forced reload", control: "immutable", request: asks("no-cache"), short: .ask(.request, .validating)),
        Row(
            section: "RFC 8246 §2: not fresh for long enough", control: "immutable", request: asks("min-fresh=99"),
            short: .ask(.request, .validating)),
    ]

    @Test("The directives of request and response decide (RFC 9111 §4, §5.2)", arguments: wishes.indices)
    func obeys(_ index: Int) { Self.check(Self.wishes[index]) }

    private static let old = 1e5
    private static let wanted = Short.stale("the cache policy accepts any age", false)

    private static let policies = [
        Row(section: "reload: fresh", policy: .reload, short: .ask(.request, .asIs)),
        Row(section: "reload: nothing", control: nil, policy: .reload, short: .ask(.uriMiss, .asIs)),
        Row(section: "reload: only-if-cached", request: asks("only-if-cached"), policy: .reload, short: .unavailable),
        Row(section: "cacheOnly: fresh", policy: .cacheOnly, short: .fresh),
        Row(section: "cacheOnly: stale", after: old, policy: .cacheOnly, short: wanted),
        Row(section: "cacheOnly: nothing", control: nil, policy: .cacheOnly, short: .unavailable),
        Row(section: "cacheOnly: must-revalidate", control: "must-revalidate", after: old, policy: .cacheOnly, short: wanted),
        Row(section: "cacheOnly: the request's no-cache", request: asks("no-cache"), policy: .cacheOnly, short: .fresh),
        Row(section: "cacheOnly: for the server", request: [.ifMatch: "*"], policy: .cacheOnly, short: .unavailable),
        Row(section: "cacheOnly: a part", policy: .cacheOnly, part: .init(bounds: 0...4, total: 10), short: .unavailable),
        Row(section: "cacheElseNetwork: stale", after: old, policy: .cacheElseNetwork, short: wanted),
        Row(section: "cacheElseNetwork: nothing", control: nil, policy: .cacheElseNetwork, short: .ask(.uriMiss, .asIs)),
        Row(
            section: "cacheElseNetwork: a part", policy: .cacheElseNetwork, part: .init(bounds: 0...4, total: 10),
            short: .ask(.partial, .completing)),
        Row(
            section: "cacheAndNetwork: stale", after: old, policy: .cacheAndNetwork, short: .stale("the cache policy accepts any age", true)
        ),
        Row(section: "cacheAndNetwork: fresh", policy: .cacheAndNetwork, short: .fresh),
        Row(section: "cacheAndNetwork: nothing", control: nil, policy: .cacheAndNetwork, short: .ask(.uriMiss, .asIs)),
    ]

    @Test("The cache policy of the call decides", arguments: policies.indices)
    func obeysPolicies(_ index: Int) { Self.check(Self.policies[index]) }

    private static let half = StoredResponse.Part(bounds: 0...4, total: 10)

    private static let ranges = [
        Row(section: "RFC 9110 §14.2: of the whole", request: [.range: "bytes=0-4"], short: .fresh),
        Row(section: "RFC 9110 §14.2: stale", request: [.range: "bytes=0-4"], after: 70, short: .ask(.partial, .asIs)),
        Row(section: "RFC 9110 §14.2: of a HEAD", request: [.range: "bytes=0-4"], method: .head, short: .fresh),
        Row(section: "RFC 9110 §14.2: several", request: [.range: "bytes=0-1,3-4"], short: .ask(.partial, .asIs)),
        Row(section: "RFC 9110 §14.2: other units", request: [.range: "lines=0-1"], short: .ask(.partial, .asIs)),
        Row(section: "RFC 9110 §14.2: of other bytes", request: [.range: "bytes=0-4"], wasContentCoded: true, short: .ask(.partial, .asIs)),
        Row(section: "RFC 9110 §14.2: only of a 200", request: [.range: "bytes=0-4"], status: 404, short: .fresh),
        Row(section: "RFC 9111 §3.3: of a part", request: [.range: "bytes=0-4"], part: half, short: .fresh),
        Row(section: "RFC 9111 §3.3: a part is not the whole", part: half, short: .ask(.partial, .completing)),
        Row(section: "RFC 9111 §3.3: HEAD of a part", method: .head, part: half, short: .fresh),
        Row(section: "RFC 9111 §3.4: stale", after: 70, part: half, short: .ask(.partial, .completing)),
        Row(section: "RFC 9111 §3.4: stale, without a validator", after: 70, part: half, tag: nil, short: .ask(.partial, .asIs)),
        Row(section: "RFC 9111 §3.4: stale, with a weak one", after: 70, part: half, tag: "W/\"a\"", short: .ask(.partial, .asIs)),
        Row(section: "RFC 9111 §3.4: bytes missing before", part: .init(bounds: 5...9, total: 10), short: .ask(.partial, .asIs)),
        Row(section: "RFC 9111 §3.4: with a condition", request: [.ifNoneMatch: "\"a\""], part: half, short: .ask(.partial, .asIs)),
        Row(section: "RFC 9111 §3.4: no-cache", request: asks("no-cache"), part: half, short: .ask(.partial, .completing)),
        Row(section: "RFC 9110 §13.1.5: the same", request: [.range: "bytes=0-4", .ifRange: "\"a\""], short: .fresh),
        Row(section: "RFC 9110 §13.1.5: of a part", request: [.range: "bytes=0-4", .ifRange: "\"a\""], part: half, short: .fresh),
        Row(section: "RFC 9110 §13.1.5: another, the whole", request: [.range: "bytes=0-4", .ifRange: "\"b\""], short: .fresh),
        Row(
            section: "RFC 9110 §13.1.5: another, a part", request: [.range: "bytes=0-4", .ifRange: "\"b\""], part: half,
            short: .ask(.partial, .asIs)),
        Row(
            section: "RFC 9110 §13.1.5: weak ones are never the same", request: [.range: "bytes=0-4", .ifRange: "W/\"a\""], part: half,
            tag: "W/\"a\"", short: .ask(.partial, .asIs)),
        Row(section: "RFC 9110 §13.1.1: If-Match", request: [.ifMatch: "\"a\""], short: .ask(.request, .asIs)),
        Row(
            section: "RFC 9110 §13.1.4: If-Unmodified-Since", request: [.ifUnmodifiedSince: CacheSample.date(0)],
            short: .ask(.request, .asIs)),
        Row(section: "RFC 9110 §13.1.1: of a range", request: [.ifMatch: "\"a\"", .range: "bytes=0-4"], short: .ask(.request, .asIs)),
        Row(section: "RFC 9111 §4.3.2: If-None-Match is evaluated", request: [.ifNoneMatch: "\"a\""], short: .fresh),
        Row(section: "RFC 9111 §4.3.2: and validated", request: [.ifNoneMatch: "\"b\""], after: 70, short: .ask(.stale, .validating)),
    ]

    @Test("Ranges and conditions decide (RFC 9110 §13, §14, RFC 9111 §3.3, §3.4)", arguments: ranges.indices)
    func obeysConditions(_ index: Int) { Self.check(Self.ranges[index]) }

    private static func decide(_ request: HTTPFields, _ stored: [StoredResponse]) -> CacheDecision {
        CacheDecision.decide(CacheSample.request(request), stored: stored, now: CacheSample.moment.addingTimeInterval(10))
    }

    private static func used(_ decision: CacheDecision) -> String? {
        switch decision {
        case .reuse(let reuse): reuse.response.id
        case .forward(let forward): forward.stored?.id
        case .unavailable: nil
        }
    }

    @Test("The newest matching response is used, and one with the requested bytes has precedence (RFC 9111 §4, §4.1)")
    func selects() {
        let fresh: HTTPFields = [.cacheControl: "max-age=60"]
        let old = CacheSample.stored(fresh, id: "old", received: -5), new = CacheSample.stored(fresh, id: "new", received: 0)
        #expect(Self.used(Self.decide([:], [old, new])) == "new" && Self.used(Self.decide([:], [new, old])) == "new")
        let part = CacheSample.stored(fresh, id: "part", received: 5, part: Self.half)
        #expect(Self.used(Self.decide([:], [old, part])) == "old" && Self.used(Self.decide([.range: "bytes=0-1"], [old, part])) == "part")
        let other = CacheSample.stored(fresh, id: "other", variant: CacheVariant([.init(name: "accept-foo", value: "1")]), received: 8)
        #expect(
            Self.used(Self.decide([:], [old, other])) == "old" && Self.used(Self.decide(["Accept-Foo": "1"], [old, other])) == "other")
        #expect(Short(Self.decide([:], [other])) == .ask(.varyMiss, .asIs))
        #expect(Short(Self.decide([.cacheControl: "only-if-cached"], [other])) == .unavailable)
    }

    @Test("An invalidated response is validated before use, unless the policy accepts any stored response (RFC 9111 §4.4)")
    func invalidated() {
        let stored = CacheSample.stored([.cacheControl: "max-age=60", .eTag: "\"a\""], isInvalidated: true)
        #expect(Short(Self.decide([:], [stored])) == .ask(.stale, .validating))
        #expect(Short(Self.decide([.cacheControl: "max-stale"], [stored])) == .ask(.stale, .validating))
        let decision = CacheDecision.decide(CacheSample.request(), stored: [stored], policy: .cacheOnly, now: CacheSample.moment)
        #expect(Short(decision) == .fresh)
    }
}
