import Foundation
import MartletHTTP
import Testing

@Suite("HTTPRequest", .timeLimit(.minutes(5)))
struct HTTPRequestTests {
    private let url = URL(string: "https://api.example/users?token=abc&page=2")!

    @Test("It is a GET without fields and body unless told otherwise")
    func defaults() {
        let request = HTTPRequest(url: url)
        #expect(request.method == .get)
        #expect(request.headers.isEmpty)
        #expect(request.body == nil)
    }

    @Test(
        "It may be sent twice when its method is idempotent or it carries an Idempotency-Key (RFC 9110 §9.2.2)",
        arguments: [
            (HTTPMethod.get, false, true), (.put, false, true), (.post, false, false), (.post, true, true), (.patch, true, true),
        ])
    func idempotence(method: HTTPMethod, hasKey: Bool, expected: Bool) {
        let request = HTTPRequest(method: method, url: url, headers: hasKey ? ["idempotency-key": "1"] : [:])
        #expect(request.isIdempotent == expected)
    }

    @Test("It can be sent twice unless its body is a stream")
    func replayability() {
        #expect(HTTPRequest(url: url).isReplayable)
        #expect(HTTPRequest(url: url, body: HTTPBody("x")).isReplayable)
        #expect(!HTTPRequest(url: url, body: HTTPBody { nil }).isReplayable)
    }

    @Test("As text it is the method and the URL, secrets hidden")
    func description() {
        #expect("\(HTTPRequest(method: .post, url: url))" == "POST https://api.example/users?token=‹redacted›&page=2")
    }
}
