import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("Invariants of the cache rules for any input", .timeLimit(.minutes(5)))
struct CacheRulesPropertyTests {
    /// Random fields from the words that caches interpret, sometimes with arbitrary bytes.
    private struct Chance {
        var generator: SeededGenerator

        init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

        mutating func one<T>(of all: [T]) -> T { all[number(0...all.count - 1)] }

        mutating func date() -> String {
            if number(0...4) == 0 { return one(of: ["", "0", "-1", "x", "Tuesday, 14-Nov-23 22:14:20 GMT", "Tue Nov 14 22:14:20 2023"]) }
            return CacheSample.date(Double(one(of: [-1_000_000, -1_000, -50, -1, 0, 1, 50, 1_000, 250_000_000_000]) + number(-3...3)))
        }

        mutating func directive() -> String {
            let names = [
                "max-age", "s-maxage", "no-cache", "no-store", "private", "public", "must-revalidate", "proxy-revalidate", "immutable",
                "stale-while-revalidate", "stale-if-error", "must-understand", "max-stale", "min-fresh", "only-if-cached", "x",
            ]
            return one(of: names)
                + one(of: [
                    "", "", "=\(number(0...100))", "=\(number(0...100))", "=\"\(number(0...9))\"", "=", "=x", "=\"", "=\"x-a, age\"",
                    "=99999999999999999999", " =1",
                ])
        }

        mutating func directives() -> String {
            (0..<number(0...4)).map { _ in directive() }.joined(separator: one(of: [", ", ",", " ,, "]))
        }

        mutating func garbage() -> [UInt8] { (0..<number(0...12)).map { _ in UInt8(number(0...255)) } }

        mutating func value(_ name: HTTPFieldName) -> String {
            switch name {
            case .cacheControl: directives()
            case .date, .expires, .lastModified, .ifModifiedSince, .ifUnmodifiedSince: date()
            case .age: one(of: ["0", "5", "70", "-1", "x", "5, 6", "99999999999999999999"])
            case .vary: one(of: ["", "X-A", "Accept, X-A", "*", "x a", "Accept-Language", "Cookie"])
            case .eTag, .ifNoneMatch, .ifRange, .ifMatch:
                one(of: ["\"a\"", "W/\"a\"", "\"b\"", "*", "a", "\"a,b\"", "", "\"a\", \"b\"", "\""])
            case .range: one(of: ["bytes=0-4", "bytes=-3", "bytes=2-", "bytes=0-1,3-4", "x", "bytes=9223372036854775806-", "bytes=4-2"])
            case .connection: one(of: ["close", "X-A", "x-a, Age", "Cache-Control", ",", "ETag"])
            case .pragma: one(of: ["no-cache", "x"])
            case .contentLength: String(number(0...10))
            default: one(of: ["1", "2", "en", "de, en;q=0.5", ""])
            }
        }

        mutating func fields(_ names: [HTTPFieldName]) -> HTTPFields {
            var fields = HTTPFields()
            for _ in 0..<number(0...7) {
                let name = one(of: names)
                if number(0...9) == 0 {
                    fields.append(nameBytes: name.rawName.utf8, valueBytes: garbage())
                } else {
                    fields.append(name, value(name))
                }
            }
            return fields
        }

        mutating func responseFields() -> HTTPFields {
            fields([
                .cacheControl, .cacheControl, .date, .expires, .lastModified, .age, .vary, .eTag, .connection, "X-A", "X-A", "Keep-Alive",
                "TE",
                "Upgrade", .contentLength, .contentEncoding, .contentRange, .contentLanguage, "Proxy-Authenticate",
            ])
        }

        mutating func requestFields() -> HTTPFields {
            fields([
                .cacheControl, .pragma, .range, .ifRange, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, "X-A", .accept,
                .acceptLanguage, .cookie, .authorization,
            ])
        }

        mutating func settings() -> CacheSettings {
            CacheSettings(
                isShared: one(of: [false, true]), heuristicFraction: one(of: [0.1, 0, 1, -1, .nan]),
                maxHeuristicLifetime: .seconds(number(-1...100_000)), staleIfError: one(of: [nil, .zero, .seconds(60)]))
        }

        mutating func part() -> StoredResponse.Part? {
            let first = one(of: [0, 0, 3, Int64.max - 5])
            return number(0...3) > 0 ? nil : .init(bounds: first...(first + 3), total: one(of: [nil, first + 4, first + 4]))
        }

        mutating func stored(_ request: HTTPFields, _ settings: CacheSettings) -> StoredResponse {
            var headers = responseFields()
            // Some responses are fresh for a while.
            if number(0...1) == 0 {
                headers = [.cacheControl: "max-age=60", .eTag: "\"a\""]
                headers.append(.cacheControl, one(of: ["x", "stale-while-revalidate=60", directives()]))
            }
            return CacheSample.stored(
                StorageRules.storedFields(headers, received: CacheSample.moment, settings),
                one(of: [200, 200, 200, 206, 301, 302, 404, 999]),
                id: "\(number(0...1_000_000))", variant: VaryRules.variant(of: request, for: headers) ?? CacheVariant(),
                asked: Double(number(-5...1)), received: Double(number(-20...5)), part: part(), wasContentCoded: number(0...9) == 0,
                isInvalidated: number(0...9) == 0)
        }
    }

    @Test(
        "A reused response is fresh, or stale with a permitted reason (RFC 9111 §4.2, §4.2.4)"
    )
    func neverOlder() async {
        var chance = Chance(1)
        var counts: [String: Int] = [:]
        for _ in 0..<2_000 {
            let settings = chance.settings(), first = chance.requestFields()
            let stored = (0..<chance.number(0...3)).map { _ in chance.stored(first, settings) }
            var request = CacheSample.request(
                chance.number(0...1) == 0 ? first : chance.requestFields(), chance.one(of: [.get, .get, .head]))
            if chance.number(0...4) == 0 { request.headers[.cacheControl] = chance.one(of: ["max-stale", "max-stale=50"]) }
            let policy = chance.one(of: [
                CachePolicy.useProtocol, .useProtocol, .useProtocol, .reload, .cacheOnly, .cacheElseNetwork, .cacheAndNetwork,
            ])
            let now = CacheSample.moment.addingTimeInterval(Double(chance.one(of: [-100, -1, 0, 5, 30, 59, 61, 100, 1_000_000])))
            let decision = CacheDecision.decide(request, stored: stored, policy: policy, now: now, settings: settings)
            guard case .reuse(let reuse) = decision else {
                counts["other", default: 0] += 1
                continue
            }
            let control = CacheControl(request.headers), own = reuse.response.facts.control
            #expect(reuse.freshness == Freshness(of: reuse.response, at: now, settings: settings))
            #expect((reuse.reason == nil) == (reuse.freshness.age < reuse.freshness.lifetime))
            #expect(reuse.freshness.age >= 0 && reuse.freshness.lifetime >= 0)
            #expect(stored.contains(reuse.response) && VaryRules.fits(reuse.response, request.headers))
            #expect(policy != .reload && !Preconditions.areForTheServer(request.headers))
            counts[reuse.reason ?? "fresh", default: 0] += 1
            guard policy == .useProtocol else { continue }
            #expect(!own.isUnqualified("no-cache") && !control.contains("no-cache") && !reuse.response.isInvalidated)
            if reuse.reason != nil { #expect(!StaleRules.isForbidden(reuse.response, settings)) }
            if let most = control.maxAge, !own.isImmutable { #expect(reuse.freshness.age <= most / .seconds(1)) }
            if let least = control.minFresh { #expect(reuse.freshness.remaining >= least / .seconds(1)) }
            await Task.yield()
        }
        #expect(counts.count == 5 && counts.values.allSatisfy { $0 > 5 }, "\(counts)")
    }

    @Test("A 304 never changes the body's fields, the range, the status or the key (RFC 9111 §3.2)")
    func neverTheBody() async {
        var chance = Chance(2)
        for _ in 0..<400 {
            let settings = chance.settings(), stored = chance.stored([:], settings), new = chance.responseFields()
            let updated = Freshening.updated(
                stored, by: new, requestTime: CacheSample.moment, responseTime: CacheSample.moment.addingTimeInterval(9), settings)
            let withheld = StorageRules.withheldFields(CacheControl(updated.headers), settings)
            for name in [HTTPFieldName.contentLength, .contentEncoding, .contentRange] where !withheld.contains(name) {
                #expect(updated.headers.bytes(for: name) == stored.headers.bytes(for: name))
            }
            #expect(updated.part == stored.part && updated.status == stored.status && updated.wasContentCoded == stored.wasContentCoded)
            #expect(updated.id == stored.id && updated.key == stored.key && updated.variant == stored.variant)
            #expect(updated.headers[.date] != nil && updated.responseTime == CacheSample.moment.addingTimeInterval(9))
            await Task.yield()
        }
    }

    @Test("Stored responses have no connection fields and no fields for a single request (RFC 9111 §3.1, §5.2.2.4)")
    func neverTheConnection() async {
        var chance = Chance(3)
        let always: Set<HTTPFieldName> = [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization", "Proxy-Connection", "TE",
            "Transfer-Encoding", "Upgrade",
        ]
        for _ in 0..<400 {
            let headers = chance.responseFields(), settings = chance.settings()
            let fields = StorageRules.storedFields(headers, received: CacheSample.moment, settings)
            let named = headers.values(for: .connection).flatMap { $0.split(separator: ",") }.map {
                HTTPFieldName(String($0.trimmingWhitespace))
            }
            let control = CacheControl(headers)
            let withheld = control.uncachedFields + (settings.isShared ? control.privateFields : [])
            for field in fields {
                #expect(!always.contains(field.name))
                // The cache may write `Date` and `Cache-Control: no-cache` itself.
                guard !named.contains(field.name), !withheld.contains(field.name) else {
                    #expect(field.name == .date || field.name == .cacheControl && field.value == "no-cache", "\(field)")
                    continue
                }
                #expect(headers.contains(field.name) || field.name == .date || field.value == "no-cache", "\(field)")
            }
            #expect(fields[.date].flatMap { HTTPDate($0, now: CacheSample.moment) } != nil)
            await Task.yield()
        }
    }

    @Test("Requests with different credentials never share a key")
    func neverAnothers() async {
        var chance = Chance(4)
        var known: [CacheKey: [[UInt8]]] = [:]
        for _ in 0..<400 {
            var headers = chance.requestFields()
            if chance.number(0...4) == 0 { headers.append(nameBytes: "Authorization".utf8, valueBytes: chance.garbage()) }
            let request = CacheSample.request(
                headers, .get, chance.one(of: ["http://a.example/x", "http://u@a.example/x", "http://u:p@a.example/x"]))
            let scope = await CacheScope.credentials.names(for: request, CacheSettings()).own
            let key = CacheKey(uri: TargetURI.uri(of: request.url), scope: scope)
            let user = (request.url.user ?? "-") + ":" + (request.url.password ?? "-")
            let credentials = [Array(user.utf8)] + headers.bytes(for: .cookie) + [[0]] + headers.bytes(for: .authorization)
            #expect(known[key, default: credentials] == credentials)
            known[key] = credentials
            await Task.yield()
        }
        #expect(known.count > 100)
    }

    @Test("No input from a server or a user traps")
    func neverTraps() async {
        var chance = Chance(5)
        let names: [HTTPFieldName] = [
            .cacheControl, .vary, .age, .date, .expires, .eTag, .lastModified, .range, .ifRange, .ifNoneMatch, .contentRange, .connection,
            .location, .pragma, .acceptLanguage, .contentLanguage, .contentLength,
        ]
        for _ in 0..<400 {
            var response = HTTPFields(), request = HTTPFields()
            for _ in 0..<6 {
                response.append(nameBytes: chance.one(of: names).rawName.utf8, valueBytes: chance.garbage())
                request.append(nameBytes: chance.one(of: names).rawName.utf8, valueBytes: chance.garbage())
            }
            let settings = chance.settings(), part = chance.part()
            let stored = CacheSample.stored(
                StorageRules.storedFields(response, received: CacheSample.moment, settings), part: part)
            let now = CacheSample.moment.addingTimeInterval(Double(chance.number(-5...100)))
            _ = CacheDecision.decide(CacheSample.request(request), stored: [stored], now: now, settings: settings)
            _ = StorageRules.mayStore(
                CacheSample.response(response, chance.one(of: [200, 206, 999])), to: CacheSample.request(request), settings)
            _ = Invalidation.targets(of: CacheSample.request(request, .post), CacheSample.response(response))
            _ = Preconditions.validating(stored, request)
            _ = Preconditions.matchNotModified(request, for: stored)
            _ = PartialContent.completing(stored, request)
            let count = chance.one(of: [0, 4, 5, Int64.max - 1, .max])
            for range in [ByteRange.from(0, through: nil), .from(.max - 3, through: .max - 1), .last(3)] {
                if let part { _ = range.bounds(of: part, holding: count) }
                _ = range.bounds(ofWhole: count)
            }
            if let part { _ = PartialContent.union(of: stored, holding: count, and: part, response) }
            #expect(CacheControl(CacheControl(response).description) == CacheControl(response))
            #expect(StoredResponse(encoded: stored.encoded).map { $0 == stored } != false)
            await Task.yield()
        }
    }
}
