import Foundation
import MartletHTTP
import Testing

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
