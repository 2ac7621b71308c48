import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("Cookie", .timeLimit(.minutes(5)))
struct CookieTests {
    @Test("A cookie set by hand is for its host alone, Secure and for every path by default")
    func defaults() throws {
        let cookie = try Cookie("theme", "dark", domain: "API.Example")
        #expect(cookie.domain == "api.example" && cookie.isHostOnly && cookie.isSecure && cookie.path == "/" && !cookie.isPersistent)
        #expect(try Cookie("a", "b", domain: "Bücher.example").domain == "xn--bcher-kva.example")
    }

    @Test(
        "A cookie that a server can set can be decoded again",
        arguments: [
            "a=b; Path=/\u{301}x", "a=\u{301}", "\u{301}a=b", "a=b; Path=/x y", "=a=b", "a", "a=\u{FEFF}", "a=\u{37E}; Path=/\u{37E}",
            "a=b; Domain=h.example", "__Host-a=b; Path=/; Secure", "a=b; Max-Age=99999999999999999999; SameSite=None; Secure",
        ])
    func decodable(line: String) throws {
        var jar = CookieJar()
        let now = Date(timeIntervalSince1970: 1_767_225_600)
        jar.receive([.setCookie: line], for: HTTPRequest(method: .get, url: URL(string: "https://a.h.example/")!), at: now)
        let cookie = try #require(jar.cookies(at: now).first)
        #expect(try JSONBodyDecoder().decode(Cookie.self, from: JSONBodyEncoder().encode(cookie)) == cookie)
    }

    @Test("A text that could add another cookie or a line is refused", arguments: ["a;b", "a\r\nX: 1", "a\u{0}", " a", "a ", " \u{301}"])
    func injection(text: String) {
        #expect(throws: CookieRejection.controlCharacter) { try Cookie(text, "v", domain: "h.example") }
        #expect(throws: CookieRejection.controlCharacter) { try Cookie("n", text, domain: "h.example") }
        #expect(throws: CookieRejection.controlCharacter) { try Cookie("n=", "v", domain: "h.example") }
        #expect(throws: CookieRejection.controlCharacter) { try Cookie("n", "v", domain: "h.example", path: text) }
    }

    @Test("The domain, the prefix and SameSite are checked")
    func rules() {
        #expect(throws: CookieRejection.unsupportedHost) { try Cookie("n", "v", domain: "a..b") }
        #expect(throws: CookieRejection.unsupportedHost) { try Cookie("n", "v", domain: ".h.example") }
        #expect(throws: CookieRejection.publicSuffix) { try Cookie("n", "v", domain: "co.uk", includesSubdomains: true) }
        #expect(throws: CookieRejection.foreignDomain) { try Cookie("n", "v", domain: "127.0.0.1", includesSubdomains: true) }
        #expect(throws: CookieRejection.prefix) { try Cookie("__Host-n", "v", domain: "h.example", includesSubdomains: true) }
        #expect(throws: CookieRejection.prefix) { try Cookie("__Secure-n", "v", domain: "h.example", isSecure: false) }
        #expect(throws: CookieRejection.sameSiteNoneWithoutSecure) {
            try Cookie("n", "v", domain: "h.example", isSecure: false, sameSite: .none)
        }
        #expect(throws: CookieRejection.empty) { try Cookie("", "", domain: "h.example") }
    }

    @Test("The value is not in the description, the reflection or a dump")
    func redaction() throws {
        let cookie = try Cookie("session", "s3cret", domain: "h.example", includesSubdomains: true)
        var text = "\(cookie) \(String(reflecting: cookie)) \(Mirror(reflecting: cookie).children.count)"
        dump(cookie, to: &text)
        #expect(!text.contains("s3cret") && text.contains("session=… (*.h.example/)"))
    }

    @Test("A decoded cookie equals the encoded one, and an invalid one is refused")
    func codable() throws {
        var cookie = try Cookie(
            "a", "b", domain: "h.example", path: "/x", includesSubdomains: true, expires: Date(timeIntervalSince1970: 1_800_000_000.5),
            isSecure: true, isHTTPOnly: true, sameSite: .strict, created: Date(timeIntervalSince1970: 1_700_000_000))
        cookie.lastAccessed = Date(timeIntervalSince1970: 1_750_000_000)
        let data = try JSONBodyEncoder().encode(cookie)
        #expect(try JSONBodyDecoder().decode(Cookie.self, from: data) == cookie)
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "h.example", with: "co.uk")
        #expect(throws: (any Error).self) { try JSONBodyDecoder().decode(Cookie.self, from: Data(text.utf8)) }
    }
}
