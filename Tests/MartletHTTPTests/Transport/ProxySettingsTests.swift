import Foundation
import MartletHTTP
import Testing

@Suite("ProxySettings", .timeLimit(.minutes(5)))
struct ProxySettingsTests {
    private func proxy(_ text: String) throws -> Proxy { try Proxy(url: try #require(URL(string: text))) }

    private func chosen(_ url: String, _ environment: [String: String]) throws -> String? {
        try ProxySettings.environment.proxy(for: try #require(URL(string: url)), environment: environment)?.url.absoluteString
    }

    @Test("Without proxy settings, no request uses a proxy, whatever the environment says")
    func none() throws {
        let url = try #require(URL(string: "https://h/"))
        #expect(try ProxySettings.none.proxy(for: url, environment: ["https_proxy": "http://p:1", "all_proxy": "http://p:2"]) == nil)
    }

    @Test(
        "Each scheme has its variable, then the variable for all; lower case takes precedence",
        arguments: [
            ("https://h/", ["https_proxy": "http://a:1", "HTTPS_PROXY": "http://b:1", "all_proxy": "http://c:1"], "http://a:1"),
            ("https://h/", ["HTTPS_PROXY": "http://b:1", "all_proxy": "http://c:1"], "http://b:1"),
            ("https://h/", ["all_proxy": "socks5h://c:1", "ALL_PROXY": "http://d:1", "http_proxy": "http://e:1"], "socks5h://c:1"),
            ("https://h/", ["ALL_PROXY": "http://d:1"], "http://d:1"),
            ("http://h/", ["http_proxy": "http://e:1", "https_proxy": "http://a:1"], "http://e:1"),
            ("http://h/", ["https_proxy": "http://a:1"], nil), ("https://h/", ["http_proxy": "http://e:1"], nil),
            ("https://h/", ["https_proxy": " ", "HTTPS_PROXY": "http://b:1"], "http://b:1"), ("https://h/", ["https_proxy": ""], nil),
            ("https://h/", ["https_proxy": "p:3128"], "http://p:3128"), ("https://h/", [:], nil),
        ] as [(String, [String: String], String?)])
    func environment(url: String, environment: [String: String], expected: String?) throws {
        #expect(try chosen(url, environment) == expected)
    }

    @Test("HTTP_PROXY in upper case is not read, because a request's sender may control it (CVE-2016-5385)")
    func httpoxy() throws {
        #expect(try chosen("http://h/", ["HTTP_PROXY": "http://evil:1"]) == nil)
        #expect(try chosen("https://h/", ["HTTP_PROXY": "http://evil:1"]) == nil)
    }

    @Test("An invalid proxy in the environment throws a typed error, unless it is bypassed")
    func malformed() throws {
        #expect(throws: HTTPError.invalidURL("the scheme of a proxy must be http, https, socks5 or socks5h: ftp://p:1")) {
            try chosen("https://h/", ["https_proxy": "ftp://p:1"])
        }
        #expect(throws: HTTPError.self) { try chosen("https://h/", ["https_proxy": "http://"]) }
        #expect(throws: HTTPError.self) { try chosen("https://h/", ["https_proxy": "http://p:x"]) }
        #expect(try chosen("https://h/", ["https_proxy": "ftp://p:1", "no_proxy": "h"]) == nil)
    }

    @Test("no_proxy names the bypassed hosts; lower case takes precedence")
    func noProxy() throws {
        let through = ["https_proxy": "http://p:1"]
        #expect(try chosen("https://a.example/", through.merging(["no_proxy": "x, a.example"]) { $1 }) == nil)
        #expect(try chosen("https://a.example/", through.merging(["no_proxy": "x a.example"]) { $1 }) == nil)
        #expect(try chosen("https://a.example/", through.merging(["NO_PROXY": "a.example"]) { $1 }) == nil)
        #expect(try chosen("https://a.example/", through.merging(["no_proxy": "b", "NO_PROXY": "a.example"]) { $1 }) == "http://p:1")
    }

    @Test("An explicit proxy is used except for bypassed hosts, and ignores the environment")
    func explicit() throws {
        let proxy = try proxy("http://p:1")
        let settings = ProxySettings.explicit(proxy, bypass: ["intranet.example"])
        let environment = ["no_proxy": "*", "https_proxy": "http://other:1"]
        #expect(try settings.proxy(for: "https://a.example", environment: environment) == proxy)
        #expect(try settings.proxy(for: "https://intranet.example", environment: environment) == nil)
    }

    @Test(
        "A rule names a host with all names below it, an address or a network, with or without a port",
        arguments: [
            ("*", "https://any.example", true), ("example.com", "https://example.com", true),
            ("example.com", "https://a.b.example.com", true),
            (".example.com", "https://example.com", true), (".example.com", "https://a.example.com", true),
            ("*.example.com", "https://a.example.com", true), ("EXAMPLE.com.", "https://Example.COM", true),
            ("example.com", "https://badexample.com", false), ("example.com", "https://example.com.evil.example", false),
            ("a.example.com", "https://example.com", false), ("example.com:8443", "https://example.com:8443", true),
            ("example.com:8443", "https://example.com", false), ("example.com:443", "https://example.com", true),
            ("example.com:80", "http://a.example.com", true), ("10.0.0.1", "http://10.0.0.1", true), ("0.0.1", "http://10.0.0.1", false),
            ("10.0.0.1:81", "http://10.0.0.1:81", true), ("10.0.0.1:81", "http://10.0.0.1", false),
            ("10.0.0.0/8", "http://10.255.3.4", true),
            ("10.0.0.0/8", "http://11.0.0.1", false), ("192.168.4.0/22", "http://192.168.7.255", true),
            ("192.168.4.0/22", "http://192.168.8.0", false), ("0.0.0.0/0", "http://8.8.8.8", true),
            ("0.0.0.0/0", "http://example.com", false),
            ("10.0.0.1/32", "http://10.0.0.1", true), ("10.0.0.0/33", "http://10.0.0.1", false), ("10.0.0.0/x", "http://10.0.0.1", false),
            ("::1", "http://[::1]", true), ("[::1]", "http://[0:0::1]", true), ("[::1]:8080", "http://[::1]:8080", true),
            ("[::1]:8080", "http://[::1]", false), ("fd00::/8", "http://[fd12::9]", true), ("fd00::/8", "http://[fe80::1]", false),
            ("::ffff:10.0.0.1", "http://[::ffff:a00:1]", true), ("::1", "http://[::2]", false), ("", "http://h", false),
            (".", "http://h", false),
        ])
    func rules(rule: String, origin: String, isBypassed: Bool) throws {
        let settings = ProxySettings.explicit(try proxy("http://p:1"), bypass: [rule])
        let chosen = try settings.proxy(for: try #require(URL(string: origin)), environment: [:])
        #expect((chosen == nil) == isBypassed)
    }
}

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
