import Foundation
import Testing

@testable import MartletHTTP

@Suite("HTTPRequest", .timeLimit(.minutes(5)))
struct HTTPRequestTests {
    private let url = URL(string: "https://api.example/users?token=abc&page=2")!

    @Test("A request is a GET without fields and body by default")
    func defaults() {
        let request = HTTPRequest(url: url)
        #expect(request.method == .get)
        #expect(request.headers.isEmpty)
        #expect(request.body == nil)
    }

    @Test(
        "A request may be resent if its method is idempotent or it has an Idempotency-Key (RFC 9110 §9.2.2)",
        arguments: [
            (HTTPMethod.get, false, true), (.put, false, true), (.post, false, false), (.post, true, true), (.patch, true, true),
        ])
    func idempotence(method: HTTPMethod, hasKey: Bool, expected: Bool) {
        let request = HTTPRequest(method: method, url: url, headers: hasKey ? ["idempotency-key": "1"] : [:])
        #expect(request.isIdempotent == expected)
    }

    @Test(
        "The target is the path and query as sent (RFC 9112 §3.2.1)",
        arguments: [
            ("https://api.example/users?token=abc&page=2", "/users?token=abc&page=2"), ("https://api.example", "/"),
            ("https://api.example?a=1", "/?a=1"), ("https://api.example/?", "/?"),
            ("https://api.example/a%2Fb/../%c3%bc//", "/a%2Fb/../%c3%bc//"),
            ("https://u:p@api.example:81/a+b?c=d+e%20f&u=http://x/?y", "/a+b?c=d+e%20f&u=http://x/?y"), ("https://api.example#a?b/c", "/"),
            ("https://api.example/a#b?c", "/a"), ("http://[::1]:80/x", "/x"),
        ])
    func target(url: String, expected: String) throws {
        #expect(HTTPRequest(url: try #require(URL(string: url))).target == expected)
    }

    @Test(
        "The target equals what the conformance suite expects each transport to send",
        arguments: ["a%2Fb/../c", "./x//y/", "%7Eu/%7e", "q?a=1+2%20&b=%2B/../?", "", "semi;colon:@!$&'()*+,="])
    func sentTarget(path: String) throws {
        #expect(HTTPRequest(url: try #require(URL(string: "http://127.0.0.1:80/\(path)"))).target == "/\(path)")
    }

    @Test("A request is replayable unless its body is a stream")
    func replayability() {
        #expect(HTTPRequest(url: url).isReplayable)
        #expect(HTTPRequest(url: url, body: HTTPBody("x")).isReplayable)
        #expect(!HTTPRequest(url: url, body: HTTPBody { nil }).isReplayable)
    }

    @Test("The description has the method and the URL with secrets masked")
    func description() {
        #expect("\(HTTPRequest(method: .post, url: url))" == "POST https://api.example/users?token=‹redacted›&page=2")
    }
}

@Suite("RequestURL", .timeLimit(.minutes(5)))
struct RequestURLTests {
    private static let base = "http://a.example:8080/v1/"

    private func made(_ rest: String) -> RequestURL? {
        let text = Self.base + rest
        return RequestURL(text, checkedFrom: text.utf8.index(text.startIndex, offsetBy: Self.base.utf8.count))
    }

    private func isText(_ url: RequestURL?) -> Bool { if case .text? = url { true } else { false } }

    @Test(
        "A text of legal characters and escapes is kept as text, and is the text of its URL",
        arguments: ["", "users/1", "a?b=c&d=e", "-._~!$&'()*+,;=:@/?", "%41%6a%FF?%2F", "a//b/", "?", "a?b?c"])
    func plain(rest: String) throws {
        let url = try #require(made(rest))
        #expect(isText(url))
        #expect(url.text == Self.base + rest)
        #expect(url.url.absoluteString == Self.base + rest)
        #expect(url.url == URL(string: Self.base + rest))
    }

    @Test("Any other text is parsed immediately", arguments: ["a|b", "100%", "%4", "%4g", "ä", "a b", "[1]", "\"", "a\u{7F}", "%%41"])
    func other(rest: String) {
        let url = made(rest)
        #expect(!isText(url))
        #expect(url?.text == Self.base + PercentEncoding.escapeIllegal(rest))
    }

    @Test("No text is kept that is not the text of its URL", arguments: 0..<20)
    func random(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<500 {
            let bytes = (0..<next(12)).map { _ in next(3) == 0 ? UInt8(ascii: "%") : UInt8(0x20 + next(0x5F)) }
            guard let url = made(String(decoding: bytes, as: UTF8.self)), isText(url) else { continue }
            #expect(URL(string: url.text)?.absoluteString == url.text)
        }
    }

    @Test("A request reads its text without a URL, and a new URL replaces it and its origin")
    func request() throws {
        let base = try #require(URL(string: Self.base))
        let origin = try #require(CheckedOrigin(base)), location = try #require(made("x?y=1"))
        var request = HTTPRequest(
            method: .get, url: location, checkedOrigin: origin, headers: [:], body: nil, context: RequestContext())
        #expect(request.urlText == Self.base + "x?y=1")
        #expect(request.target == "/v1/x?y=1")
        #expect(request.url.query == "y=1")
        #expect(request.withoutContext.urlText == request.urlText)
        request.url = try #require(URL(string: "https://b.example/"))
        #expect(request.urlText == "https://b.example/")
        #expect(request.checkedOrigin == nil)
    }
}
