import CMartletCurl
import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("PendingLookups", .timeLimit(.minutes(5)))
struct PendingLookupsTests {
    private let version = CurlVersion(7, 81, 0)
    private let targets = [LookupTarget(host: "proxy.example", port: 1), LookupTarget(host: "api.example", port: 2)]

    @Test("Addresses are stored for one name after the other, and the lookups end with the last")
    func order() {
        var lookups = PendingLookups(targets)
        let start = ContinuousClock.now
        #expect(lookups.begin(at: start) == start)
        lookups.take(["10.0.0.1"], version: version, at: start + .seconds(1))
        #expect(lookups.duration == nil)
        // The names of a transfer have one time limit together.
        #expect(lookups.begin(at: start + .seconds(1)) == start)
        lookups.take(["10.0.0.2", "10.0.0.3"], version: version, at: start + .seconds(3))
        #expect(lookups.duration == .seconds(3))
        #expect(lookups.targets == [])
        #expect(lookups.lines == ["+proxy.example:1:10.0.0.1", "+api.example:2:10.0.0.2,10.0.0.3"])
    }

    @Test("A name without an address is the proxy's fault or that of the host, as with libcurl's own lookup")
    func unknownHost() throws {
        let lookups = PendingLookups(targets)
        let direct = lookups.unknownHost(over: Route())
        #expect(direct == .networkError(NetworkFailure(.failedLookup(), "")))
        let proxy = try Proxy(url: #require(URL(string: "http://proxy.example:1")))
        #expect(lookups.unknownHost(over: Route(proxy: proxy)) == .networkError(NetworkFailure(.proxyFailed, "")))
    }
}

@Suite("AddressList", .timeLimit(.minutes(5)))
struct AddressListTests {
    @Test(
        "The lines form a linked list in order, as libcurl reads them",
        arguments: [["a:80:10.0.0.1"], ["a:80:10.0.0.1", "+b:443:::1", "c:1:10.0.0.2"]])
    func lines(_ lines: [String]) {
        let list = AddressList(lines)
        var found: [String] = [], next = list.pointer
        while let item = next {
            found.append(String(cString: item.pointee.data))
            next = item.pointee.next
        }
        #expect(found == lines)
        withExtendedLifetime(list) {}
    }
}

@Suite("LookupTarget", .timeLimit(.minutes(5)))
struct LookupTargetTests {
    private let old = ResolverTraits(version: CurlVersion(7, 81, 0))

    private func hosts(_ url: String, _ resolver: ResolverTraits? = nil, route: Route = Route(), usesUnixSocket: Bool = false) throws
        -> [String]
    {
        let url = try #require(URL(string: url))
        return LookupTarget.needed(by: resolver ?? old, for: url, over: route, usesUnixSocket: usesUnixSocket).map {
            "\($0.host):\($0.port)"
        }
    }

    private func route(through proxy: String, resolve: String? = nil) throws -> Route {
        Route(proxy: try Proxy(url: #require(URL(string: proxy))), resolve: resolve)
    }

    @Test("A lookup can block the engine before libcurl 7.87, except with c-ares, and always if it is synchronous")
    func blocking() {
        #expect(ResolverTraits(version: CurlVersion(7, 68, 0)).canBlock)
        #expect(ResolverTraits(version: CurlVersion(7, 86, 9)).canBlock)
        #expect(!ResolverTraits(version: CurlVersion(7, 87, 0)).canBlock)
        #expect(!ResolverTraits(version: CurlVersion(8, 5, 0)).canBlock)
        #expect(!ResolverTraits(version: CurlVersion(7, 68, 0), usesCAres: true).canBlock)
        #expect(ResolverTraits(version: CurlVersion(8, 5, 0), isAsynchronous: false).canBlock)
    }

    @Test("If lookups cannot block the engine, libcurl does them")
    func modern() throws { #expect(try hosts("https://api.example/", ResolverTraits(version: CurlVersion(7, 87, 0))) == []) }

    @Test("A name is looked up with the port of its origin")
    func origins() throws {
        #expect(try hosts("https://API.example/x") == ["api.example:443"])
        #expect(try hosts("http://api.example:8080/x") == ["api.example:8080"])
    }

    @Test(
        "Addresses, configured names and Unix sockets need no lookup",
        arguments: ["http://127.0.0.1/", "http://[::1]:81/", "http://[fe80::1]/"])
    func none(url: String) throws {
        #expect(try hosts(url) == [])
        #expect(try hosts("http://api.example/", route: Route(resolve: "api.example:80:10.0.0.1")) == [])
        #expect(try hosts("http://api.example/", usesUnixSocket: true) == [])
    }

    @Test("Through a proxy the proxy's name is looked up, and the origin's only if the proxy gets addresses")
    func proxies() throws {
        for scheme in ["http", "https", "socks5h"] {
            #expect(try hosts("https://api.example/", route: route(through: "\(scheme)://proxy.example:3128")) == ["proxy.example:3128"])
            #expect(try hosts("https://api.example/", route: route(through: "\(scheme)://127.0.0.1:3128")) == [])
        }
        #expect(
            try hosts("https://api.example/", route: route(through: "socks5://proxy.example")) == ["proxy.example:1080", "api.example:443"])
        let configured = try route(through: "socks5://proxy.example", resolve: "api.example:443:10.0.0.1")
        #expect(try hosts("https://api.example/", route: configured) == ["proxy.example:1080"])
    }

    @Test("libcurl gets a line that expires if it supports that, and both spellings of a name with a trailing dot")
    func lines() {
        let target = LookupTarget(host: "api.example", port: 443)
        #expect(target.lines(["10.0.0.1", "::1"], version: CurlVersion(7, 81, 0)) == ["+api.example:443:10.0.0.1,::1"])
        #expect(target.lines(["10.0.0.1"], version: CurlVersion(7, 74, 0)) == ["api.example:443:10.0.0.1"])
        #expect(
            LookupTarget(host: "api.example.", port: 80).lines(["10.0.0.1"], version: CurlVersion(7, 74, 0)) == [
                "api.example.:80:10.0.0.1", "api.example:80:10.0.0.1",
            ])
    }
}
