import Testing

@testable import MartletCookies

@Suite("Cookie dates (RFC 6265bis §5.1.1)", .timeLimit(.minutes(5)))
struct CookieDateTests {
    private func seconds(_ text: String) -> Int? { CookieDate.seconds(in: Array(text.utf8)[...]) }

    @Test(
        "Dates in many formats are read, without regard to the zone",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06-Nov-1994 08:49:37 GMT",
            "06 nov 94 8:49:37", "1994 NOVEMBER 6 08:49:37", "6 Nov 1994 08:49:37 +0900", "08:49:37 6 Nov 1994",
            "Sun,06\tNov/1994;08:49:37 EST", "x 08:49:37z 6th Nov 1994",
        ])
    func formats(text: String) {
        #expect(seconds(text) == 784_111_777)
    }

    @Test(
        "Two digits of a year from 70 mean the twentieth century",
        arguments: [("70", 0), ("99", 915_148_800), ("00", 946_684_800), ("69", 3_124_224_000)])
    func centuries(year: String, expected: Int) {
        #expect(seconds("1 Jan \(year) 00:00:00") == expected)
    }

    @Test(
        "A text without a valid date is refused",
        arguments: [
            "", "now", "6 Nov 1994", "08:49:37 Nov 1994", "6 Nov 08:49:37", "32 Nov 1994 08:49:37", "0 Nov 1994 08:49:37",
            "30 Feb 1994 08:49:37", "29 Feb 1995 08:49:37", "6 Nov 1600 08:49:37", "6 Nov 1994 24:00:00", "6 Nov 1994 08:60:00",
            "6 Nov 1994 08:49:60", "6 Nov 19945 08:49:37", "6 Nov 1994 08:49", "6 Nov 1994 008:49:37", "6 Nov 1994 08:49:377",
            "6 Noz 1994 08:49:37", "784111777",
        ])
    func invalid(text: String) {
        #expect(seconds(text) == nil)
    }
}
