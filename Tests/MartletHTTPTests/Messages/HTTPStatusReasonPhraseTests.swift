import MartletHTTP
import Testing

@Suite("Reason phrases", .timeLimit(.minutes(5)))
struct HTTPStatusReasonPhraseTests {
    @Test(
        "A registered status has its reason phrase (RFC 9110 §15)",
        arguments: [
            (100, "Continue"), (200, "OK"), (203, "Non-Authoritative Information"), (308, "Permanent Redirect"), (413, "Content Too Large"),
            (422, "Unprocessable Content"), (429, "Too Many Requests"), (451, "Unavailable For Legal Reasons"), (504, "Gateway Timeout"),
            (511, "Network Authentication Required"),
        ])
    func registered(number: Int, phrase: String) {
        #expect(HTTPStatus(rawValue: number).reasonPhrase == phrase)
    }

    @Test("An unregistered or reserved status has no reason phrase", arguments: [0, 99, 104, 306, 418, 499, 599, 600, -1])
    func unregistered(number: Int) {
        #expect(HTTPStatus(rawValue: number).reasonPhrase == "")
    }
}
