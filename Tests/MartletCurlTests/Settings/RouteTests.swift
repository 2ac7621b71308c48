import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("Route", .timeLimit(.minutes(5)))
struct RouteTests {
    private func route(_ url: String, environment: [String: String] = [:], _ change: (inout CurlTransport.Configuration) throws -> Void)
        throws -> Route
    {
        var configuration = CurlTransport.Configuration()
        try change(&configuration)
        return try Routing(configuration, environment: environment).route(to: try #require(URL(string: url)))
    }

    @Test("Without settings a route is direct, whatever the environment contains")
    func plain() throws {
        #expect(try route("https://a.example", environment: ["https_proxy": "http://p:1"]) { _ in } == Route())
    }

    @Test("A route has the pins of its host in libcurl's notation, over TLS only")
    func pins() throws {
        let one = Data(repeating: 1, count: 32).base64EncodedString()
        let two = Data(repeating: 2, count: 32).base64EncodedString()
        let change = { (configuration: inout CurlTransport.Configuration) in
            configuration.tls.pinnedKeys = [try PinnedKeys(sha256: [one, two], hosts: ["a.example"])]
        }
        #expect(try route("https://A.example/", change).pins == "sha256//\(one);sha256//\(two)")
        #expect(try route("https://b.example/", change).pins == nil)
        #expect(try route("http://a.example/", change).pins == nil)
    }

    @Test("A route has the identity of its host, over TLS only")
    func identities() throws {
        let change = { (configuration: inout CurlTransport.Configuration) in
            configuration.tls.clientIdentities = try ["a.example", "*.example"].map {
                try ClientIdentity(.pkcs12(Data(), password: ""), hosts: [$0])
            }
        }
        let urls = ["https://A.example./", "https://b.example/", "https://c.elsewhere/", "http://a.example/"]
        #expect(try urls.map { try route($0, change).identity } == [0, 1, nil, nil])
    }

    @Test("A route has the configured addresses of its host with its port")
    func addresses() throws {
        let change = { (configuration: inout CurlTransport.Configuration) in
            configuration.resolve = ["A.example": ["127.0.0.1", "::1"]]
        }
        #expect(try route("https://a.example/", change).resolve == "a.example:443:127.0.0.1,::1")
        #expect(try route("http://a.example:8080/", change).resolve == "a.example:8080:127.0.0.1,::1")
        #expect(try route("http://b.example/", change).resolve == nil)
    }

    @Test("A route uses the proxy of the settings or the environment, and an invalid proxy is an error")
    func proxies() throws {
        let environment = { (configuration: inout CurlTransport.Configuration) in configuration.proxy = .environment }
        #expect(
            try route("http://a.example/", environment: ["http_proxy": "http://p:1"], environment).proxy?.url.absoluteString == "http://p:1"
        )
        #expect(try route("http://a.example/", environment: ["HTTP_PROXY": "http://p:1"], environment) == Route())
        #expect(throws: HTTPError.self) { try route("http://a.example/", environment: ["http_proxy": "ftp://p"], environment) }
    }
}
