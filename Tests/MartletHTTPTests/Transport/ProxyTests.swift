import Foundation
import MartletHTTP
import Testing

@Suite("Proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
    private func proxy(_ text: String) throws -> Proxy { try Proxy(url: try #require(URL(string: text))) }

    @Test(
        "Host and port come from the URL; the scheme gives the default port",
        arguments: [
            ("http://P.example", "p.example", 80), ("https://p:444/ignored", "p", 444), ("https://p", "p", 443), ("socks5://p", "p", 1080),
            ("SOCKS5H://p:9050", "p", 9050), ("http://[::1]:3128", "::1", 3128),
        ])
    func parts(text: String, host: String, port: Int) throws {
        let proxy = try proxy(text)
        #expect(proxy.host == host)
        #expect(proxy.port == port)
    }

    @Test(
        "User name and password are decoded from the URL unless they are given",
        arguments: [
            ("http://user:pa%3Ass%40@p:1", "user", "pa:ss@"), ("http://user@p:1", "user", nil), ("http://:pw@p:1", nil, "pw"),
            ("http://p:1", nil, nil), ("http://a:b:c@p:1", "a", "b:c"),
        ] as [(String, String?, String?)])
    func credentials(text: String, username: String?, password: String?) throws {
        let read = try proxy(text)
        #expect(read.username == username)
        #expect(read.password == password)
        #expect(read.url == URL(string: "http://p:1"))
        let given = try Proxy(url: read.url, username: "u", password: "w")
        #expect(given.username == "u")
        #expect(given.password == "w")
    }

    @Test(
        "An invalid proxy URL throws a typed error", arguments: ["ftp://p:1", "socks4://p:1", "p:3128", "http:///x", "/p", "http://p:0"])
    func malformed(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: HTTPError.self) { try Proxy(url: url) }
        guard case .invalidURL = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("An error about a proxy does not show its password")
    func errors() throws {
        let error = #expect(throws: HTTPError.self) { try proxy("ftp://user:hunter2@p:1") }
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }

    @Test("Descriptions never show user name or password")
    func descriptions() throws {
        let proxy = try proxy("http://someone:hunter2@p:3128")
        var dumped = ""
        dump(ProxySettings.explicit(proxy, bypass: ["x"]), to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), "\(ProxySettings.explicit(proxy))", dumped] {
            #expect(!text.contains("hunter2") && !text.contains("someone"), "\(text)")
        }
        #expect("\(proxy)" == "http://p:3128 (with credentials)")
        #expect("\(try self.proxy("http://p:3128"))" == "http://p:3128")
    }
}
