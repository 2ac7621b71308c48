import Foundation
import Testing

@testable import MartletClient

@Suite("The wait that a server requests", .timeLimit(.minutes(5)))
struct ServerWaitTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func wait(_ status: HTTPStatus, _ headers: HTTPFields) -> Duration? {
        ServerWait.asked(by: HTTPResponse(status: status, headers: headers, body: ()), now: now)
    }

    @Test("Retry-After is read in seconds and as a date (RFC 9110 §10.2.3)")
    func retryAfter() {
        #expect(wait(503, [.retryAfter: "7"]) == .seconds(7))
        #expect(wait(503, [.retryAfter: "Thu, 01 Jan 2026 00:01:00 GMT"]) == .seconds(60))
    }

    @Test("A date is measured by the server's own clock if the response has a Date, so that a wrong local clock does no harm")
    func serverClock() {
        let fields: HTTPFields = [.retryAfter: "Fri, 02 Jan 2026 00:00:10 GMT", .date: "Fri, 02 Jan 2026 00:00:00 GMT"]
        #expect(wait(503, fields) == .seconds(10))
        #expect(wait(503, [.retryAfter: "Thu, 01 Jan 2026 00:01:00 GMT", .date: "today"]) == .seconds(60))
    }

    @Test("A malformed Retry-After is ignored", arguments: ["soon", "-1", "1.5", "", "٣"])
    func garbage(text: String) {
        #expect(wait(503, [.retryAfter: text]) == nil)
        #expect(wait(429, ["RateLimit-Reset": text]) == nil)
    }

    @Test("RateLimit-Reset is in seconds, or since 1970 if large", arguments: ["RateLimit-Reset", "X-RateLimit-Reset"])
    func rateLimit(name: String) {
        let name = HTTPFieldName(name)
        #expect(wait(429, [name: "30"]) == .seconds(30))
        #expect(wait(429, [name: "1767225610"]) == .seconds(10))
        #expect(wait(429, [name: "1767225000"]) == .zero)
        #expect(wait(429, [name: "99999999999999999999"]) == .seconds(Int32.max))
    }

    @Test("Retry-After takes precedence over RateLimit-Reset, which is used only for a 429")
    func precedence() {
        #expect(wait(429, [.retryAfter: "3", "RateLimit-Reset": "30"]) == .seconds(3))
        #expect(wait(429, ["RateLimit-Reset": "4", "X-RateLimit-Reset": "30"]) == .seconds(4))
        #expect(wait(503, ["RateLimit-Reset": "30"]) == nil)
        #expect(wait(429, [:]) == nil)
    }
}
