import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("Limits of cookies (RFC 6265bis §5.7)", .timeLimit(.minutes(5)))
struct CookieEvictionTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private func get(_ host: String) -> HTTPRequest { HTTPRequest(method: .get, url: URL(string: "https://\(host)/")!) }

    private func receive(_ lines: [String], from host: String, at time: Date, in jar: inout CookieJar) {
        var fields = HTTPFields()
        for line in lines { fields.append(.setCookie, line) }
        jar.receive(fields, for: get(host), at: time)
    }

    @Test("Beyond the limit of a domain, expired cookies go first, then those that are not Secure, then those used least recently")
    func domain() {
        var jar = CookieJar(limits: .init(cookiesPerDomain: 3))
        receive(["s1=1; Secure"], from: "h.example", at: now, in: &jar)
        receive(["s2=1; Secure"], from: "h.example", at: now + 1, in: &jar)
        receive(["old=1; Max-Age=5"], from: "a.h.example", at: now + 2, in: &jar)
        receive(["n1=1"], from: "h.example", at: now + 10, in: &jar)
        #expect(jar.cookies(at: now).map(\.name) == ["s1", "s2", "n1"])
        receive(["s3=1; Secure"], from: "h.example", at: now + 11, in: &jar)
        #expect(jar.cookies(at: now).map(\.name) == ["s1", "s2", "s3"])
        _ = jar.take(for: get("h.example"), at: now + 12)
        receive(["s1=2; Secure"], from: "h.example", at: now + 13, in: &jar)
        receive(["s4=1; Secure"], from: "h.example", at: now + 14, in: &jar)
        #expect(jar.cookies(at: now).map(\.name) == ["s1", "s3", "s4"])
    }

    @Test("An expired Secure cookie goes before a valid one that is not Secure")
    func expiredFirst() {
        var jar = CookieJar(limits: .init(cookiesPerDomain: 2))
        receive(["old=1; Secure; Max-Age=5", "a=1"], from: "h.example", at: now, in: &jar)
        receive(["b=1"], from: "h.example", at: now + 10, in: &jar)
        #expect(jar.cookies(at: now + 10).map(\.name) == ["a", "b"])
    }

    @Test("Beyond the limit of all, expired cookies go first, then those used least recently")
    func all() {
        var jar = CookieJar(limits: .init(cookies: 3))
        for (index, host) in ["a.example", "b.example", "c.example", "d.example"].enumerated() {
            receive([host == "b.example" ? "x=1; Max-Age=1" : "x=1"], from: host, at: now + Double(index), in: &jar)
        }
        #expect(jar.cookies(at: now).map(\.domain) == ["a.example", "c.example", "d.example"])
        _ = jar.take(for: get("a.example"), at: now + 10)
        receive(["x=1"], from: "e.example", at: now + 11, in: &jar)
        #expect(jar.cookies(at: now).map(\.domain) == ["a.example", "d.example", "e.example"])
    }

    @Test("Ten thousand Set-Cookie lines leave at most 180 cookies of a domain, and those of other domains stay")
    func flood() {
        var jar = CookieJar()
        receive(["keep=1"], from: "bank.example", at: now, in: &jar)
        for start in stride(from: 0, to: 10_000, by: 1_000) {
            receive(
                (start..<start + 1_000).map { "c\($0)=\($0); Path=/\($0)" }, from: "evil\(start).attacker.example", at: now + 1, in: &jar)
        }
        #expect((159...181).contains(jar.count))
        receive(["more=1"], from: "attacker.example", at: now + 1, in: &jar)
        #expect((159...181).contains(jar.count))
        #expect(jar.take(for: get("bank.example"), at: now + 2).count == 1)
    }

    @Test("At most three thousand cookies stay by default, and an eighth fewer after a removal")
    func total() {
        var jar = CookieJar()
        for site in 0..<30 { receive((0..<100).map { "c\($0)=1" }, from: "site\(site).example", at: now + Double(site), in: &jar) }
        #expect(jar.count == 3_000)
        for site in 30..<40 {
            receive((0..<100).map { "c\($0)=1" }, from: "site\(site).example", at: now + Double(site), in: &jar)
            #expect((2_626...3_000).contains(jar.count))
        }
        #expect(jar.take(for: get("site39.example"), at: now + 99).count == 100)
        #expect(jar.take(for: get("site0.example"), at: now + 99).isEmpty)
    }

    @Test("Of very many cookies stored at once, as from a crafted file, those used last stay", arguments: [true, false])
    func crafted(ofOneSite: Bool) async throws {
        let cookies = try (0..<20_000).map {
            try Cookie("c\($0)", "1", domain: ofOneSite ? "h.example" : "h\($0).example", created: now + Double($0))
        }
        let store = MemoryCookieStore()
        try await store.set(cookies, at: now)
        let limit = ofOneSite ? 180 : 3_000, kept = await store.withJar { $0.count }
        #expect((limit - limit / 8...limit).contains(kept))
        #expect(try await store.cookies(at: now).map(\.created).min() == now + Double(20_000 - kept))
    }

    @Test("Limits of zero store nothing, and a cookie set by hand keeps the limit of its size")
    func zero() throws {
        var jar = CookieJar(limits: .init(cookies: 0))
        receive(["a=1"], from: "h.example", at: now, in: &jar)
        #expect(jar.isEmpty)
        let cookie = try Cookie("a", String(repeating: "x", count: 4_096), domain: "h.example")
        #expect(throws: CookieRejection.tooLarge) { try jar.insert(cookie, at: now) }
    }
}
