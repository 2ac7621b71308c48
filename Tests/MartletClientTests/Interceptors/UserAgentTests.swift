import Testing

@testable import MartletClient

@Suite("UserAgent", .timeLimit(.minutes(5)))
struct UserAgentTests {
    @Test("Products are written with versions and comments, in order (RFC 9110 §10.1.5)")
    func products() throws {
        #expect(try UserAgent("Birds").description == "Birds")
        #expect(try UserAgent("Birds", version: "2.1").description == "Birds/2.1")
        let agent = try UserAgent("Birds", version: "2.1", comment: "Linux; build 7").adding("Martlet", version: "1")
        #expect(agent.description == "Birds/2.1 (Linux; build 7) Martlet/1")
    }

    @Test("Parentheses and backslashes in a comment are escaped (RFC 9110 §5.6.5)")
    func comments() throws {
        #expect(try UserAgent("a", comment: #"x) evil/1 (\"#).description == #"a (x\) evil/1 \(\\)"#)
    }

    @Test(
        "A name that is not a token, or could inject a line, is an error",
        arguments: ["", "a b", "a/b", "a\r\nX: 1", "ä", "a(b)", "a\u{0}"])
    func refused(text: String) {
        #expect(throws: HTTPError.self) { try UserAgent(text) }
        #expect(throws: HTTPError.self) { try UserAgent("a", version: text) }
        #expect(throws: HTTPError.self) { try UserAgent("a").adding(text) }
    }

    @Test("A comment with a control character is an error", arguments: ["a\nb", "a\rb", "\u{0}", "\u{7F}"])
    func refusedComments(text: String) {
        #expect(throws: HTTPError.self) { try UserAgent("a", comment: text) }
    }

    @Test(
        "Every app has a valid User-Agent",
        arguments: [
            ("Birds", "Birds"), ("My  Birds!", "My-Birds!"), ("Vögel", "V-gel"), ("鳥", "App"), ("", "App"), ("a\r\nX: 1", "a-X-1"),
            ("(x)", "x"),
        ])
    func apps(name: String, product: String) {
        #expect(UserAgent(AppMetadata(name: name, platform: "")).description == product)
        #expect(
            UserAgent(AppMetadata(name: name, version: "1 b", build: "(7)\n", platform: "")).description == product + #"/1-b (build \(7\))"#
        )
    }
}
