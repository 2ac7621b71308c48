import Foundation
import Testing

@testable import MartletHTTP

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
