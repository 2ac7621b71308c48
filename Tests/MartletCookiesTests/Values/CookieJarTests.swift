import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("CookieJar", .timeLimit(.minutes(5)))
struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func get(_ url: String) -> HTTPRequest { HTTPRequest(method: .get, url: URL(string: url)!) }

    private func fields(_ lines: [String]) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines { fields.append(.setCookie, line) }
        return fields
    }

    /// Returns a jar with the cookies of a response, and the rejected ones.
    private func receive(_ lines: String..., from url: String) -> (jar: CookieJar, rejections: [CookieRejection]) {
        var jar = CookieJar()
        let rejections = jar.receive(fields(lines), for: get(url), at: now)
        return (jar, rejections.map(\.reason))
    }

    private func sent(_ jar: CookieJar, to url: String, after seconds: Double = 0) -> [String] {
        var jar = jar
        return jar.take(for: get(url), at: now + seconds).map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "A cookie is rejected by the rules of RFC 6265bis §5.7",
        arguments: [
            ("a=b; Domain=other.example", "https://a.example/", .foreignDomain),
            ("a=b; Domain=b.a.example", "https://a.example/", .foreignDomain),
            ("a=b; Domain=ample", "https://a.example/", .foreignDomain), ("a=b; Domain=com", "https://a.com/", .publicSuffix),
            ("a=b; Domain=co.uk", "https://evil.co.uk/", .publicSuffix), ("a=b; Domain=.co.uk", "https://evil.co.uk/", .publicSuffix),
            ("a=b; Domain=co.uk.", "https://evil.co.uk/", .foreignDomain), ("a=b; Domain=co.uk.", "https://evil.co.uk./", .publicSuffix),
            ("a=b; Domain=CO.UK", "https://EVIL.co.uk/", .publicSuffix),
            ("a=b; Domain=github.io", "https://evil.github.io/", .publicSuffix),
            ("a=b; Domain=unknown", "https://evil.unknown/", .publicSuffix),
            ("a=b; Domain=amazonaws.com", "https://evil.s3.amazonaws.com/", .publicSuffix),
            ("a=b; Domain=kobe.jp", "https://a.b.kobe.jp/", .publicSuffix), ("a=b; Domain=0.0.1", "https://127.0.0.1/", .foreignDomain),
            ("a=b; Domain=[::1]", "https://[::1]/", .foreignDomain),
            ("a=b; Domain=bücher.example", "https://xn--bcher-kva.example/", .foreignDomain),
            ("a=b; Secure", "http://a.example/", .insecureConnection),
            ("a=b; SameSite=None", "https://a.example/", .sameSiteNoneWithoutSecure),
            ("__Secure-a=b", "https://a.example/", .prefix), ("__sEcUrE-a=b", "https://a.example/", .prefix),
            ("__Host-a=b; Secure", "https://a.example/", .prefix), ("__Host-a=b; Path=/", "https://a.example/", .prefix),
            ("__Host-a=b; Secure; Path=/; Domain=a.example", "https://a.example/", .prefix),
            ("__host-a=b; Secure; Path=/x", "https://a.example/x", .prefix), ("__Host-=b; Secure", "https://a.example/", .prefix),
            ("=__Secure-a; Secure", "https://a.example/", .prefix), ("__Host-a", "https://a.example/", .prefix),
        ] as [(String, String, CookieRejection)])
    func rejections(line: String, url: String, reason: CookieRejection) {
        let (jar, rejections) = receive(line, from: url)
        #expect(rejections == [reason])
        #expect(jar.isEmpty)
    }

    @Test(
        "A cookie is stored by the rules of RFC 6265bis §5.7",
        arguments: [
            ("a=b", "https://a.example/x/y", "a.example", true, "/x"),
            ("a=b; Domain=a.example", "https://b.a.example/", "a.example", false, "/"),
            ("a=b; Domain=.a.example; Path=/z", "https://a.example/", "a.example", false, "/z"),
            ("a=b; Domain=", "https://a.example/", "a.example", true, "/"),
            ("a=b; Domain=github.io", "https://github.io/", "github.io", true, "/"),
            ("a=b; Domain=localhost", "http://localhost:8080/", "localhost", true, "/"),
            ("a=b; Secure", "http://127.0.0.1:1/", "127.0.0.1", true, "/"),
            ("a=b; Domain=127.0.0.1", "http://127.0.0.1/", "127.0.0.1", true, "/"), ("a=b", "http://[::1]:80/", "::1", true, "/"),
            ("a=b; Domain=xn--bcher-kva.example", "https://www.xn--bcher-kva.example/", "xn--bcher-kva.example", false, "/"),
            ("__Host-a=b; Secure; Path=/", "https://a.example/x/", "a.example", true, "/"),
            ("__Secure-a=b; Secure; Domain=a.example", "https://a.example/", "a.example", false, "/"),
            ("a=b", "https://A.Example./", "a.example.", true, "/"),
        ])
    func storing(line: String, url: String, domain: String, isHostOnly: Bool, path: String) throws {
        let (jar, rejections) = receive(line, from: url)
        #expect(rejections == [])
        let cookie = try #require(jar.cookies(at: now).first)
        #expect(cookie.domain == domain && cookie.isHostOnly == isHostOnly && cookie.path == path)
        #expect(sent(jar, to: url.hasSuffix("y") ? url : url + String(path.dropFirst())).count == 1)
    }

    @Test("Max-Age precedes Expires, and both are limited to 400 days (RFC 6265bis §5.6.1 and §5.6.2)")
    func expiry() {
        let past = "Expires=Sun, 06 Nov 1994 08:49:37 GMT", future = "Expires=Sat, 06 Nov 2094 08:49:37 GMT"
        let jar = receive(
            "a=1; Max-Age=10; \(past)", "b=1; \(future); Max-Age=0", "c=1; \(future)", "d=1; \(past)", "e=1", from: "https://h.example/"
        ).jar
        #expect(jar.cookies(at: now).map(\.name) == ["a", "c", "e"])
        #expect(jar.cookies(at: now).map { $0.expires?.timeIntervalSince(now) } == [10, 34_560_000, nil])
        #expect(sent(jar, to: "https://h.example/", after: 9.9) == ["a=1", "c=1", "e=1"])
        #expect(sent(jar, to: "https://h.example/", after: 10) == ["c=1", "e=1"])
        #expect(sent(jar, to: "https://h.example/", after: 34_560_000) == ["e=1"])
    }

    @Test("A cookie replaces the one with the same name, domain and path, keeps its time of creation, and an expired one removes it")
    func replacing() throws {
        var jar = receive("a=1; Path=/", "b=1; Path=/", from: "https://h.example/").jar
        jar.receive(fields(["a=2; Path=/", "a=3; Path=/x", "a=4; Path=/; Domain=h.example"]), for: get("https://h.example/"), at: now + 5)
        #expect(sent(jar, to: "https://h.example/") == ["a=2", "b=1", "a=4"])
        #expect(jar.cookies(at: now).first?.created == now)
        jar.receive(fields(["a=; Path=/; Max-Age=0"]), for: get("https://h.example/"), at: now + 6)
        #expect(sent(jar, to: "https://h.example/") == ["b=1", "a=4"])
    }

    @Test("Longer paths come first, then earlier cookies (RFC 6265bis §5.8.3)")
    func order() {
        let jar = receive("a=1; Path=/", "b=1; Path=/x/y", "c=1; Path=/x", "d=1; Path=/x/y", from: "https://h.example/").jar
        #expect(sent(jar, to: "https://h.example/x/y/z") == ["b=1", "d=1", "c=1", "a=1"])
        #expect(sent(jar, to: "https://h.example/x") == ["c=1", "a=1"])
    }

    @Test("A Secure cookie is sent over https and to this machine only")
    func secure() {
        #expect(sent(receive("a=1; Secure", from: "https://h.example/").jar, to: "http://h.example/") == [])
        #expect(sent(receive("a=1; Secure", from: "https://h.example/").jar, to: "https://h.example/") == ["a=1"])
        #expect(sent(receive("a=1; Secure", from: "http://localhost/").jar, to: "http://localhost:81/") == ["a=1"])
    }

    @Test("A response over http can't replace or hide a Secure cookie (RFC 6265bis §5.7.16)")
    func leaveSecureAlone() {
        var jar = receive("a=1; Secure; Domain=h.example; Path=/x", from: "https://h.example/").jar
        func reject(_ line: String, _ url: String) -> [CookieRejection] {
            jar.receive(fields([line]), for: get(url), at: now).map(\.reason)
        }
        #expect(reject("a=2; Domain=h.example; Path=/x", "http://h.example/") == [.hidesSecureCookie])
        #expect(reject("a=2; Path=/x/y", "http://www.h.example/") == [.hidesSecureCookie])
        #expect(reject("a=2; Path=/x", "http://h.example/") == [.hidesSecureCookie])
        #expect(reject("a=2; Path=/", "http://h.example/") == [])
        #expect(reject("b=2; Path=/x", "http://h.example/") == [])
        #expect(reject("a=2; Path=/x", "http://other.example/") == [])
        #expect(reject("a=2; Domain=h.example; Path=/x", "https://h.example/") == [])
    }

    @Test("An expired Secure cookie does not prevent one over http")
    func expiredSecure() {
        var jar = receive("a=1; Secure; Max-Age=5", from: "https://h.example/").jar
        let rejections = jar.receive(fields(["a=2"]), for: get("http://h.example/"), at: now + 4)
        #expect(rejections == [.init(name: "a", reason: .hidesSecureCookie)])
        #expect(jar.receive(fields(["a=2"]), for: get("http://h.example/"), at: now + 5).isEmpty)
        #expect(sent(jar, to: "http://h.example/", after: 5) == ["a=2"])
    }

    @Test(
        "A rejection names the cookie and never contains its value",
        arguments: [
            ("session=s3cret; Domain=com", "session"), (" session = s3cret; Domain=com", "session"), ("s3cret; Domain=com", ""),
            ("=s3cret; Domain=com", ""), ("s3cret; Domain=com; x=y", ""),
        ])
    func rejectedName(line: String, name: String) {
        var jar = CookieJar()
        let rejections = jar.receive(fields([line]), for: get("https://h.com/"), at: now)
        #expect(rejections.map(\.name) == [name] && !"\(rejections)".contains("s3cret"))
    }

    @Test("A request whose Host names another host neither gets nor sets cookies")
    func foreignHost() {
        var jar = receive("a=1", from: "https://h.example/").jar
        var request = get("https://h.example/")
        request.headers[.host] = "tenant.example"
        #expect(jar.take(for: request, at: now) == [])
        #expect(jar.receive(fields(["b=1"]), for: request, at: now).map(\.reason) == [.unsupportedHost])
        request.headers[.host] = "H.example:443"
        #expect(jar.take(for: request, at: now).count == 1)
    }

    @Test(
        "After a redirect by another site, Strict is not sent, and Lax only with safe methods (RFC 6265bis §5.8.3)",
        arguments: [
            ([], .post, ["n", "l", "u", "s"]), (["https://www.h.example"], .post, ["n", "l", "u", "s"]),
            (["https://evil.example"], .get, ["n", "l", "u"]), (["https://evil.example"], .post, ["n"]),
            (["http://h.example"], .get, ["n", "l", "u"]), (["https://evil.example", "https://h.example"], .get, ["n", "l", "u"]),
        ] as [([Origin], HTTPMethod, [String])])
    func sameSite(passed: [Origin], method: HTTPMethod, names: [String]) {
        var jar = receive(
            "n=1; SameSite=None; Secure", "l=1; SameSite=Lax", "u=1", "s=1; SameSite=Strict", from: "https://h.example/"
        ).jar
        var request = HTTPRequest(method: method, url: URL(string: "https://h.example/")!)
        request.context.passedOrigins = passed
        #expect(jar.take(for: request, at: now).map(\.name) == names)
    }

    @Test("A time of use is not a change that must be saved, and an equal cookie is not either")
    func changes() {
        var jar = receive("a=1", from: "https://h.example/").jar
        let count = jar.changeCount
        _ = jar.take(for: get("https://h.example/"), at: now + 1)
        #expect(jar.cookies(at: now).first?.lastAccessed == now + 1)
        jar.receive(fields(["a=1", "b=1; Max-Age=0"]), for: get("https://h.example/"), at: now + 2)
        #expect(jar.changeCount == count)
        jar.receive(fields(["a=2"]), for: get("https://h.example/"), at: now + 2)
        #expect(jar.changeCount == count + 1)
    }

    @Test("A cookie without a name is stored, and its value is not sent with an equals sign")
    func nameless() {
        #expect(sent(receive("=b", from: "https://h.example/").jar, to: "https://h.example/") == ["=b"])
        #expect(receive("a", "=a", "a=", from: "https://h.example/").jar.count == 2)
    }

    @Test("A response over http can't hide a Secure cookie of a name below its Domain")
    func leaveSecureBelowAlone() {
        var jar = receive("a=1; Secure; Path=/x", from: "https://www.h.example/").jar
        let rejections = jar.receive(fields(["a=2; Domain=h.example; Path=/x"]), for: get("http://h.example/"), at: now)
        #expect(rejections.map(\.reason) == [.hidesSecureCookie])
    }

    @Test("Of paths with equal lengths, the cookie that was created earlier comes first, whenever it was stored")
    func orderOfCreation() throws {
        var jar = CookieJar()
        try jar.insert(Cookie("late", "1", domain: "h.example", created: now), at: now)
        try jar.insert(Cookie("early", "1", domain: "h.example", created: now - 10), at: now)
        #expect(sent(jar, to: "https://h.example/") == ["early=1", "late=1"])
    }

    @Test("Names with different bytes are different, even if their characters are equal")
    func bytesOfNames() {
        #expect(receive("\u{E9}=1", "e\u{301}=2", from: "https://h.example/").jar.count == 2)
    }

    @Test("Removing cookies is a change, and removing none is not")
    func removalChanges() {
        var jar = receive("a=1", "b=1", from: "https://h.example/").jar
        let count = jar.changeCount
        #expect(jar.removeAll { $0.name == "c" } == 0)
        #expect(jar.changeCount == count)
        #expect(jar.removeAll { $0.name == "a" } == 1)
        #expect(jar.changeCount == count + 1 && jar.count == 1)
    }

    @Test("A URL without a path has the path /")
    func emptyPath() {
        #expect(sent(receive("a=1; Path=/", from: "https://h.example").jar, to: "https://h.example") == ["a=1"])
    }

    @Test("Expired cookies are not listed")
    func listing() {
        let jar = receive("a=1; Max-Age=5", "b=1", from: "https://h.example/").jar
        #expect(jar.count == 2 && jar.cookies(at: now + 5).map(\.name) == ["b"])
    }
}
