import Foundation
import MartletHTTP
import Testing

@Suite("Retry-After", .timeLimit(.minutes(5)))
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func wait(_ value: String) -> Duration? { (["retry-after": value] as HTTPFields).retryAfter(now: now) }

    @Test("A number is a wait in seconds (RFC 9110 §10.2.3)", arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("007", 7)])
    func seconds(text: String, expected: Int) {
        #expect(wait(text) == .seconds(expected))
    }

    @Test("A number that is too large becomes the largest supported wait", arguments: ["2147483648", "99999999999999999999999"])
    func huge(text: String) {
        #expect(wait(text) == .seconds(Int32.max))
    }

    @Test(
        "A date in any of the three formats is the time until then",
        arguments: [
            "Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994",
        ])
    func dates(text: String) {
        #expect(wait(text) == .seconds(30))
    }

    @Test("A date in the past is a wait of zero")
    func past() {
        #expect(wait("Sun, 06 Nov 1994 08:49:36 GMT") == .zero)
        #expect(wait("Thu, 01 Jan 1970 00:00:00 GMT") == .zero)
    }

    @Test("Fractions are rounded up, so that the wait is never too short")
    func roundsUp() {
        let fields: HTTPFields = ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(fields.retryAfter(now: now.addingTimeInterval(-0.0001)) == .milliseconds(1))
    }

    @Test("The last possible date is supported")
    func farDate() {
        #expect(wait("Fri, 31 Dec 9999 23:59:59 GMT") == .seconds(253_402_300_799 - 784_111_777))
    }

    @Test("A value that is neither seconds nor a date is ignored", arguments: ["", "soon", "-1", "+5", "1.5", "5s", "1, x", "0x10", "٣"])
    func garbage(text: String) {
        #expect(wait(text) == nil)
    }

    @Test("The longest wait of several lines counts, and invalid lines are ignored")
    func several() {
        var fields: HTTPFields = [.retryAfter: "5"]
        fields.append(.retryAfter, "100")
        fields.append(.retryAfter, "soon")
        #expect(fields.retryAfter(now: now) == .seconds(100))
        // A proxy joins two lines in this way.
        #expect(wait("5, 10") == .seconds(10) && wait("10,5") == .seconds(10))
    }

    @Test("Without the field there is no wait")
    func missing() {
        #expect(HTTPFields().retryAfter(now: now) == nil)
    }
}
