import Foundation
import MartletHTTP
import Testing

@Suite("ProblemDetails", .timeLimit(.minutes(5)))
struct ProblemDetailsTests {
    private func read(_ text: String) -> ProblemDetails? { ProblemDetails(Data(text.utf8)) }

    @Test("All five members are read, and all others are extensions (RFC 9457 §3)")
    func reading() {
        let problem = read(
            #"{"type":"https://e/out","title":"Out","status":403,"detail":"d","instance":"/i","balance":30,"accounts":["a"]}"#)
        #expect(
            problem
                == ProblemDetails(
                    type: "https://e/out", title: "Out", status: .forbidden, detail: "d", instance: "/i",
                    extensions: ["balance": 30, "accounts": ["a"]]))
    }

    @Test("An absent type is about:blank (RFC 9457 §4.2.1)")
    func blank() {
        #expect(read(#"{"title":"Not Found"}"#)?.type == "about:blank")
    }

    @Test(
        "A member of the wrong type is ignored, and the others are read (RFC 9457 §3.1)",
        arguments: [
            #"{"type":7,"title":"T","status":"403","detail":null,"instance":{}}"#, #"{"type":[],"title":"T","status":403.5}"#,
            #"{"title":"T","status":true}"#,
        ])
    func lenient(text: String) {
        #expect(read(text) == ProblemDetails(title: "T"))
    }

    @Test(
        "One of the members is enough",
        arguments: [#"{"type":"t"}"#, #"{"title":"t"}"#, #"{"status":400}"#, #"{"detail":"t"}"#, #"{"instance":"t"}"#])
    func oneMember(text: String) {
        #expect(read(text) != nil)
    }

    @Test(
        "Anything but a JSON object with at least one of the members is not problem details",
        arguments: [
            "", "[]", "null", "7", "\"title\"", "{}", #"{"error":"x"}"#, #"{"Title":"t"}"#, "{", "<html>", "[{\"title\":\"t\"}]",
        ])
    func refusing(text: String) {
        #expect(read(text) == nil)
    }
}
