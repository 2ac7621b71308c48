import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("PendingLookups", .timeLimit(.minutes(1)))
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
