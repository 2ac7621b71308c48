import Foundation
import MartletEssentials
import Testing

@testable import MartletHTTP

@Suite("HTTPDate: reading", .timeLimit(.minutes(5)))
struct HTTPDateReaderTests {
    private let example = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "All three forms are read (RFC 9110 §5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate(text, now: example)?.date == example)
    }

    @Test(
        "Surrounding white space, the case of names, and UTC for GMT are accepted",
        arguments: [
            " Sun, 06 Nov 1994 08:49:37 GMT\t", "SUN, 06 NOV 1994 08:49:37 GMT", "sunday, 06-nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Mon, 06 Nov 1994 08:49:37 GMT",
        ])
    func lenient(text: String) {
        #expect(HTTPDate(text, now: example)?.date == example)
    }

    @Test("An asctime date with a two-digit day has no extra space")
    func asctimeTwoDigits() {
        #expect(HTTPDate("Wed Nov 16 08:49:37 1994")?.date == example.addingTimeInterval(864_000))
        #expect(HTTPDate("Wed Nov 6 08:49:37 1994") == nil)
    }

    @Test(
        "A two-digit year more than 50 years ahead is in the past (RFC 9110 §5.6.7)",
        arguments: [
            (2024, "74", 2074), (2024, "75", 1975), (2024, "99", 1999), (2024, "24", 2024), (2024, "00", 2000), (1994, "94", 1994),
            (1994, "45", 1945), (1994, "43", 1943), (2050, "99", 2099), (2000, "50", 2050), (2000, "51", 1951),
        ])
    func centuries(currentYear: Int, short: String, expected: Int) throws {
        let start = HTTPDate.Moment(year: currentYear, month: 6, day: 1, hour: 0, minute: 0, second: 0)
        let now = Date(timeIntervalSince1970: Double(try #require(start.secondsSince1970)))
        let date = try #require(HTTPDate("Monday, 02-Jan-\(short) 00:00:00 GMT", now: now)?.date)
        #expect(HTTPDate.components(of: date).year == expected)
    }

    @Test("A leap second is the next second")
    func leapSecond() {
        #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate("Sun, 01 Jan 2017 00:00:00 GMT"))
    }

    @Test(
        "A day or time that does not exist is refused",
        arguments: [
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 32 Oct 1994 08:49:37 GMT",
            "Mon, 29 Feb 1900 00:00:00 GMT",
            "Mon, 29 Feb 2023 00:00:00 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Mon, 30 Feb 2024 00:00:00 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sunday, 31-Feb-94 08:49:37 GMT", "Sun Nov 31 08:49:37 1994",
        ])
    func impossible(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", " ", "0", "-1", "Sun", "Sun,", "Sun, ", "06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 GMT;", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
            "Sun, 06 Nov 19944 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
            "Sunday 06-Nov-94 08:49:37 GMT", "Sundax, 06-Nov-94 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov 06 08:49:37 19945", "1994-11-06T08:49:37Z",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "Sun, -6 Nov 1994 08:49:37 GMT",
        ])
    func garbage(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test("Truncated or corrupted dates are refused or read, and never trap")
    func broken() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            for length in 0..<text.count { #expect(HTTPDate(text.prefix(length)) == nil) }
            for place in text.utf8.indices {
                var bytes = Array(text.utf8)
                bytes[text.utf8.distance(from: text.utf8.startIndex, to: place)] = UInt8(ascii: "~")
                #expect(HTTPDate(String(decoding: bytes, as: UTF8.self)) == nil)
            }
        }
    }
}
