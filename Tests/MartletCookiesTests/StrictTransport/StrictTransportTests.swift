import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("Strict transport security (RFC 6797)", .timeLimit(.minutes(5)))
struct StrictTransportTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func url(_ text: String) -> URL { URL(string: text)! }

    private func hosts(_ field: String, from source: String = "https://h.example/") -> StrictTransportHosts {
        var hosts = StrictTransportHosts()
        hosts.receive(["Strict-Transport-Security": field], from: url(source), at: now)
        return hosts
    }

    @Test(
        "The directives are read in any order and case (RFC 6797 §6.1)",
        arguments: [
            ("max-age=60", 60, false), ("MAX-AGE=60 ; includeSubDomains", 60, true), ("includeSubDomains;max-age=\"60\"", 60, true),
            ("; max-age=60; preload; x=\"y z\"", 60, false),
            ("x=\"a;b\"; max-age=60", 60, false), ("x=\"a\\\";b\"; max-age=\"6\\0\" ; includeSubDomains", 60, true),
            ("max-age=0", 0, false), ("max-age=99999999999999999999", .max, false),
        ])
    func valid(text: String, maxAge: Int, includesSubdomains: Bool) throws {
        let field = try #require(StrictTransportField(text))
        #expect(field.maxAge == maxAge && field.includesSubdomains == includesSubdomains)
    }

    @Test(
        "A malformed field is ignored",
        arguments: [
            "", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=1x", "max-age=1; max-age=2", "max-age=\"1",
            "max-age=1; a b",
            "max-age=1; includeSubDomains=1", "max-age=\"\"", "max-age=\"1\"2", "max-age=1; x=\"a;b", "max-age=1; =x", "max-age=\"٣\"",
            "max-age=1, max-age=2",
        ])
    func malformed(text: String) {
        #expect(StrictTransportField(text) == nil)
    }

    @Test("A known host is upgraded, until its time ends, and port 80 becomes 443 (RFC 6797 §8.3)")
    func upgrade() {
        let hosts = hosts("max-age=60")
        #expect(hosts.upgraded(url("http://H.example/a?b#c"), at: now) == url("https://H.example/a?b#c"))
        #expect(hosts.upgraded(url("http://h.example.:80/"), at: now) == url("https://h.example.:443/"))
        #expect(hosts.upgraded(url("http://h.example:8080/"), at: now) == url("https://h.example:8080/"))
        #expect(hosts.upgraded(url("https://h.example/"), at: now) == nil)
        #expect(hosts.upgraded(url("http://a.h.example/"), at: now) == nil)
        #expect(hosts.upgraded(url("http://example/"), at: now) == nil)
        #expect(hosts.upgraded(url("http://h.example/"), at: now + 60) == nil)
    }

    @Test("includeSubDomains concerns the names below the host")
    func subdomains() {
        let hosts = hosts("max-age=60; includeSubDomains")
        #expect(hosts.upgraded(url("http://a.b.h.example/"), at: now) != nil)
        #expect(hosts.upgraded(url("http://bh.example/"), at: now) == nil)
    }

    @Test("Fields over http, of addresses and malformed ones are ignored, only the first counts, and max-age=0 removes the host")
    func ignored() {
        #expect(hosts("max-age=60", from: "http://h.example/").names == [])
        #expect(hosts("max-age=60", from: "https://127.0.0.1/").names == [])
        #expect(hosts("max-age=60", from: "https://[::1]/").names == [])
        #expect(hosts("bad", from: "https://h.example/").names == [])
        var hosts = hosts("max-age=60")
        #expect(hosts.names == ["h.example"])
        hosts.receive(
            ["Strict-Transport-Security": "max-age=60", "Strict-Transport-Security": "max-age=0"], from: url("https://h.example/"), at: now)
        #expect(hosts.names == ["h.example"])
        hosts.receive(["Strict-Transport-Security": "max-age=0"], from: url("https://h.example/"), at: now)
        #expect(hosts.names == [])
    }

    @Test("The number of hosts is limited, and hosts are kept as JSON")
    func limit() throws {
        var hosts = StrictTransportHosts(maxHosts: 2)
        for (index, host) in ["c.example", "a.example", "b.example"].enumerated() { hosts.insert(host, until: now + Double(index + 1)) }
        #expect(hosts.names == ["a.example", "b.example"])
        #expect(try JSONBodyDecoder().decode(StrictTransportHosts.self, from: JSONBodyEncoder().encode(hosts)) == hosts)
    }

    @Test("A site with many names removes entries of its own, not those of other sites")
    func flood() {
        var hosts = StrictTransportHosts(maxHosts: 10)
        hosts.insert("bank.example", until: now + 60)
        hosts.insert("shop.example", until: now + 60)
        for index in 0..<50 {
            hosts.receive(
                ["Strict-Transport-Security": "max-age=99999999999999999999"], from: url("https://a\(index).evil.example/"), at: now)
        }
        #expect(hosts.names.count == 10)
        #expect(hosts.upgraded(url("http://bank.example/"), at: now) != nil)
        #expect(hosts.upgraded(url("http://shop.example/"), at: now) != nil)
    }

    @Test("A file with very many names is restored up to the limit, and those of other sites stay")
    func crafted() {
        let far = now.timeIntervalSince1970 + 1e9
        let others = ["bank.example", "shop.example"].map {
            StrictTransportHosts.Document.Host(name: $0, includesSubdomains: false, expires: now.timeIntervalSince1970 + 60)
        }
        let evil = (0..<20_000).map {
            StrictTransportHosts.Document.Host(name: "a\($0).evil.example", includesSubdomains: false, expires: far + Double($0))
        }
        var hosts = StrictTransportHosts()
        hosts.restore(.init(hosts: others + evil), at: now)
        #expect((876...1_000).contains(hosts.names.count))
        #expect(Set(hosts.names).isSuperset(of: ["bank.example", "shop.example", "a19999.evil.example"]))
        #expect(!hosts.names.contains("a0.evil.example"))
    }

    @Test("Expired hosts are removed before valid ones")
    func expiredFirst() {
        var hosts = StrictTransportHosts(maxHosts: 2)
        hosts.insert("old.example", until: now - 1)
        hosts.insert("a.h.example", until: now + 60)
        hosts.receive(["Strict-Transport-Security": "max-age=60"], from: url("https://b.h.example/"), at: now)
        #expect(hosts.names == ["a.h.example", "b.h.example"])
    }

    @Test("The interceptor upgrades later requests, so that Secure cookies are sent, and learns nothing from a cache")
    func interceptor() async throws {
        let time = ManualTime(now: now), store = MemoryStrictTransportStore(), cookies = CookieInterceptor()
        try await cookies.store.set(Cookie("a", "1", domain: "h.example"))
        let transport = MockTransport { request in
            request.url.scheme == "https"
                ? .status(.noContent, headers: ["Strict-Transport-Security": "max-age=60"])
                : .status(.noContent, headers: ["Strict-Transport-Security": "max-age=0"])
        }
        let client = HTTPClient(transport: transport, interceptors: [StrictTransportInterceptor(store: store), cookies], time: time)
        for text in ["http://h.example/", "https://h.example/", "http://h.example/", "http://other.example/"] {
            try await client.send(Request<EmptyResponse>.get(url: url(text)))
        }
        #expect(transport.requests.map { $0.url.scheme } == ["http", "https", "https", "http"])
        #expect(transport.requests.map { $0.headers[.cookie] } == [nil, "a=1", "a=1", nil])
        time.advance(by: .seconds(60))
        try await client.send(Request<EmptyResponse>.get(url: url("http://h.example/")))
        #expect(transport.requests.last?.url.scheme == "http")
    }

    @Test("A redirect of an upgraded request starts from its https URL: credentials stay on the host, and http is refused")
    func redirects() async throws {
        let store = MemoryStrictTransportStore()
        await store.withHosts { $0.insert("h.example", until: now + 60) }
        let transport = MockTransport { request in
            switch request.url.path {
            case "/same": .status(.found, headers: ["Location": "https://h.example/next"])
            case "/down": .status(.found, headers: ["Location": "http://other.example/"])
            default: .status(.noContent)
            }
        }
        let client = HTTPClient(
            transport: transport, interceptors: [StrictTransportInterceptor(store: store)], time: ManualTime(now: now))
        try await client.send(Request<EmptyResponse>.get(url: url("http://h.example/same")).header("Authorization", "Bearer t"))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
        await #expect(throws: HTTPError.redirectFailed("from https to http: http://other.example/")) {
            try await client.send(Request<EmptyResponse>.get(url: url("http://h.example/down")))
        }
    }

    @Test("An https response that is repeated sets the host's strict transport security")
    func strictTransport() async throws {
        let store = MemoryStrictTransportStore()
        let transport = MockTransport(
            .status(.serviceUnavailable, headers: ["Strict-Transport-Security": "max-age=60"]), .status(.noContent), .status(.noContent))
        var standard = StandardInterceptors(retry: RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.zero))))
        standard.strictTransport = StrictTransportInterceptor(store: store)
        let client = HTTPClient(transport: transport, interceptors: standard.list, time: ManualTime())
        for scheme in ["https", "http"] {
            try await client.send(Request<EmptyResponse>.get(url: url("\(scheme)://h.example/")))
        }
        #expect(transport.requests.map { $0.url.scheme } == ["https", "https", "https"])
    }
}
