import Foundation
import MartletHTTP
import Testing

@Suite("Retry-After", .timeLimit(.minutes(5)))
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func wait(_ value: String) -> Duration? { (["retry-after": value] as HTTPFields).retryAfter(now: now) }

    @Test("Seconds are seconds (RFC 9110 §10.2.3)", arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("007", 7)])
    func seconds(text: String, expected: Int) {
        #expect(wait(text) == .seconds(expected))
    }

    @Test("A number too large to count is the largest that can be, never nothing", arguments: ["2147483648", "99999999999999999999999"])
    func huge(text: String) {
        #expect(wait(text) == .seconds(Int32.max))
    }

    @Test(
        "A date is the time until then, in any of the three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994",
        ])
    func dates(text: String) {
        #expect(wait(text) == .seconds(30))
    }

    @Test("A date in the past is no wait at all")
    func past() {
        #expect(wait("Sun, 06 Nov 1994 08:49:36 GMT") == .zero)
        #expect(wait("Thu, 01 Jan 1970 00:00:00 GMT") == .zero)
    }

    @Test("A date is never waited for too short, however small the rest")
    func roundsUp() {
        let fields: HTTPFields = ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(fields.retryAfter(now: now.addingTimeInterval(-0.0001)) == .milliseconds(1))
    }

    @Test("The last date there is can be counted")
    func farDate() {
        #expect(wait("Fri, 31 Dec 9999 23:59:59 GMT") == .seconds(253_402_300_799 - 784_111_777))
    }

    @Test("What is neither says nothing", arguments: ["", "soon", "-1", "+5", "1.5", "5s", "1, x", "0x10", "٣"])
    func garbage(text: String) {
        #expect(wait(text) == nil)
    }

    @Test("Of several lines the longest wait counts, so that none is cut short, and what can't be read is left out")
    func several() {
        var fields: HTTPFields = [.retryAfter: "5"]
        fields.append(.retryAfter, "100")
        fields.append(.retryAfter, "soon")
        #expect(fields.retryAfter(now: now) == .seconds(100))
        // As a proxy joins two lines.
        #expect(wait("5, 10") == .seconds(10) && wait("10,5") == .seconds(10))
    }

    @Test("No field says nothing")
    func missing() {
        #expect(HTTPFields().retryAfter(now: now) == nil)
    }
}
