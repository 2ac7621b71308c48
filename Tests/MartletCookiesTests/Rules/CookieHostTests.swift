import Testing

@testable import MartletCookies

@Suite("Hosts of cookies (RFC 6265bis §5.1.2 and §5.1.3)", .timeLimit(.minutes(5)))
struct CookieHostTests {
    @Test(
        "A host matches its own domain and the parents of it",
        arguments: [
            ("example.com", "example.com", true), ("a.example.com", "example.com", true), ("a.b.example.com", "example.com", true),
            ("example.com", "a.example.com", false), ("badexample.com", "example.com", false), ("example.com", "com", true),
            ("example.com.", "example.com", false), ("a.example.com", "example.com.", false), ("127.0.0.1", "0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("::1", "::1", true), ("a.example.com", "", false), ("a.example.com", ".example.com", false),
        ])
    func matching(host: String, domain: String, isMatch: Bool) throws {
        #expect(try #require(CookieHost(host)).matches(domain: domain) == isMatch)
    }

    @Test(
        "Hosts are compared in lower case, and invalid ones have no cookies",
        arguments: [
            ("API.Example", "api.example"), ("[::1]", "::1"), ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("bücher.example", nil),
            ("a..b", nil), ("", nil), ("a b", nil), ("1.2.3.4.5", nil), ("a%2eb", nil), ("fe80::1%25en0", nil),
            ("a_b.example", "a_b.example"),
        ] as [(String, String?)])
    func form(host: String, text: String?) {
        #expect(CookieHost(host)?.text == text)
    }

    @Test(
        "This machine counts as a secure connection",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost.evil.com", false),
            ("10.0.0.1", false), ("localhost.", false), ("127.0.0.1.", false), ("a.localhost", false),
        ])
    func loopback(host: String, isLoopback: Bool) throws {
        #expect(try #require(CookieHost(host)).isLoopback == isLoopback)
    }

    @Test("An internationalized name that the app writes becomes A-labels")
    func internationalized() {
        #expect(CookieHost(named: "Bücher.example")?.text == "xn--bcher-kva.example")
    }

    @Test(
        "A text with more than a host is not a name",
        arguments: ["ü@evil.example", "evil.example/ü", "evil.example?ü", "evil.example#ü", "evil.example:80ü", "evil.example\\ü"])
    func moreThanName(text: String) {
        #expect(CookieHost(named: text) == nil)
    }

    @Test(
        "Paths match whole segments (RFC 6265bis §5.1.4)",
        arguments: [
            ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/b", "/a", true), ("/ab", "/a", false), ("/a/b", "/a/", true),
            ("/a", "/a/", false), ("/A", "/a", false), ("/%61", "/a", false),
        ])
    func paths(path: String, cookiePath: String, isMatch: Bool) {
        #expect(CookiePath.matches(path, within: cookiePath) == isMatch)
    }

    @Test(
        "The default path ends before the last slash",
        arguments: [("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("", "/"), ("a/b", "/")])
    func defaultPath(path: String, expected: String) {
        #expect(CookiePath.defaultPath(of: path) == expected)
    }
}
