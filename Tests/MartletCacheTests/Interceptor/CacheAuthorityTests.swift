import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCache
@testable import MartletTransfers

@Suite("CacheInterceptor: the authority of a request", .timeLimit(.minutes(5)))
struct CacheAuthorityTests {
    private struct Naming: Interceptor {
        let host: String

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.headers[.host] = host
            return try await next(request)
        }
    }

    /// Creates a client whose server responds with the tenant's name.
    private func cached(inside: [any Interceptor] = []) -> CachedClient {
        CachedClient(MockTransport { .text($0.headers[.host] ?? "none", headers: .fresh()) }, inside: inside)
    }

    @Test("Requests for one URL with different Host fields never share a response")
    func tenants() async throws {
        let cached = cached()
        for host in ["tenant-a", "tenant-b", nil] {
            let fields: HTTPFields = host.map { [.host: $0] } ?? [:]
            for _ in 0..<2 { #expect(try await cached.get("x", fields).text == host ?? "none") }
        }
        #expect(cached.count == 3)
    }

    @Test("Spellings of one authority, including the URL's own, share a response")
    func spellings() async throws {
        let cached = cached()
        for host in ["tenant-a", "TENANT-A", " Tenant-A:443 ", "tenant-a:"] { _ = try await cached.get("x", [.host: host]) }
        #expect(cached.count == 1)
        for fields: HTTPFields in [[:], [.host: "birds.test"], [.host: "BIRDS.test:443"]] { _ = try await cached.get("x", fields) }
        #expect(cached.count == 2)
    }

    @Test("Concurrent requests with different Host fields are sent separately")
    func flights() async throws {
        let gates = ["tenant-a": OneShot<Void>(), "tenant-b": OneShot<Void>()]
        let cached = CachedClient(
            MockTransport { request in
                await gates[request.headers[.host] ?? ""]?.value()
                return .text(request.headers[.host] ?? "none", headers: .fresh())
            })
        let calls = ["tenant-a", "tenant-b"].map { host in Task { try await cached.get("x", [.host: host]).text } }
        try await cached.transport.waitForRequests(2)
        for gate in gates.values { gate.set(()) }
        #expect(try await calls[0].value == "tenant-a")
        #expect(try await calls[1].value == "tenant-b")
    }

    @Test("An unsafe request of one tenant does not invalidate another tenant's response")
    func invalidation() async throws {
        let cached = cached()
        for host in ["tenant-a", "tenant-b"] { _ = try await cached.get("x", [.host: host]) }
        _ = try await cached.get("x", [.host: "tenant-a"], method: .post)
        #expect(try await cached.get("x", [.host: "tenant-b"]).cacheStatus?.isHit == true)
        #expect(try await cached.get("x", [.host: "tenant-a"]).cacheStatus?.isHit == false)
    }

    @Test("A Host added inside the cache prevents storing, unless it names the authority that the cache received")
    func inside() async throws {
        let hidden = cached(inside: [Naming(host: "tenant-a")])
        #expect(try await hidden.get().cacheStatus?.isStored == false)
        let same = cached(inside: [Naming(host: "BIRDS.test")])
        #expect(try await same.get().cacheStatus?.isStored == true)
    }

    private struct Routing: Interceptor {
        let host: String
        var name: String?

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.url = try #require(URL(string: "https://\(host)/x"))
            request.headers[.host] = name
            return try await next(request)
        }
    }

    @Test("Rewriting the URL to another server inside the cache prevents storing, unless Host names the original one")
    func rewritten() async throws {
        let other = cached(inside: [Routing(host: "tenant-a.test")])
        #expect(try await other.get().cacheStatus?.isStored == false)
        let meant = cached(inside: [Routing(host: "tenant-a.test", name: "birds.test")])
        #expect(try await meant.get().cacheStatus?.isStored == true)
    }

    @Test("A Host field never makes the key of another target")
    func ambiguity() throws {
        func key(_ url: String, _ host: String?) throws -> String {
            TargetURI.uri(of: CacheSample.request(host.map { [.host: $0] } ?? [:], .get, url))
        }
        #expect(try key("http://a.example/x", "t") == "http://t@a.example/x")
        #expect(try key("http://a.example/x", "t/../@b?") == "http://t%2f..%2f%40b%3f@a.example/x")
        #expect(try key("http://a.example/x", "%2f") == "http://%252f@a.example/x")
        #expect(try key("http://a.example/x", "") == "http://@a.example/x")
        #expect(try key("http://a.example:8080/x", "a.example") == "http://a.example@a.example:8080/x")
        #expect(try key("http://u:p@A.example:80/x", "a.Example") == "http://a.example/x")
    }

    @Test("A download is not resumed with another Host")
    func downloads() {
        let hosts: [HTTPFields] = [[:], [.host: "tenant-a"], [.host: "tenant-b"]]
        #expect(Set(hosts.map { PartialDownload.key(of: CacheSample.request($0)) }).count == 3)
    }
}
