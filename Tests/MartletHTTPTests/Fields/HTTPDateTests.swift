import Foundation
import MartletEssentials
import Testing

@testable import MartletHTTP

@Suite("HTTPDate: writing and the calendar", .timeLimit(.minutes(5)))
struct HTTPDateTests {
    @Test(
        "A date is written as an IMF-fixdate (RFC 9110 §5.6.7)",
        arguments: [
            (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-2_203_891_201, "Wed, 28 Feb 1900 23:59:59 GMT"),
            (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
            (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"), (-11_644_473_600, "Mon, 01 Jan 1601 00:00:00 GMT"),
        ])
    func writing(seconds: Double, expected: String) {
        let date = HTTPDate(Date(timeIntervalSince1970: seconds))
        #expect("\(date)" == expected)
        #expect(HTTPDate(expected) == date)
    }

    @Test("Fractions of a second are rounded down, also before 1970")
    func fractions() {
        #expect(HTTPDate(Date(timeIntervalSince1970: 1.999)).date == Date(timeIntervalSince1970: 1))
        #expect(HTTPDate(Date(timeIntervalSince1970: -0.001)).description == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate(Date(timeIntervalSince1970: 1.2)) == HTTPDate(Date(timeIntervalSince1970: 1.8)))
    }

    @Test(
        "A date outside the years 1 to 9999 is written as the nearest date within, and never traps",
        arguments: [
            (Double.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"), (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"), (-Double.infinity, "Mon, 01 Jan 0001 00:00:00 GMT"),
            (-62_135_596_801, "Mon, 01 Jan 0001 00:00:00 GMT"), (Double.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ])
    func bounds(seconds: Double, expected: String) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).description == expected)
    }

    @Test(
        "A date in the year 0 is not a date", arguments: ["Sun, 12 Nov 0000 08:49:37 GMT", "Sun Nov 12 08:49:37 0000"])
    func yearZero(text: String) {
        #expect(HTTPDate(text) == nil)
        #expect(HTTPDate(text.replacing("0000", with: "0001")) != nil)
    }

    @Test(
        "Leap years are those of the Gregorian calendar",
        arguments: [
            (1900, false), (2000, true), (2023, false), (2024, true), (2100, false), (2400, true), (9999, false), (1600, true), (4, true),
        ])
    func leapYears(year: Int, isLeap: Bool) {
        let leapDay = HTTPDate.Moment(year: year, month: 2, day: 29, hour: 0, minute: 0, second: 0)
        #expect((leapDay.secondsSince1970 != nil) == isLeap)
    }

    @Test("Every day from 1890 to 2110 follows the day before, in date and weekday")
    func everyDay() throws {
        var expected = HTTPDate.components(of: Date(timeIntervalSince1970: -2_524_521_600))  // 1890-01-01, a Wednesday
        #expect(expected == .init(year: 1890, month: 1, day: 1, hour: 0, minute: 0, second: 0, weekday: 3))
        for day in 1..<80_353 {
            let seconds = -2_524_521_600 + day * 86_400
            let moment = HTTPDate.components(of: Date(timeIntervalSince1970: Double(seconds)))
            expected.day += 1
            if expected.secondsSince1970 == nil { (expected.month, expected.day) = (expected.month + 1, 1) }
            if expected.month == 13 { (expected.year, expected.month) = (expected.year + 1, 1) }
            expected.weekday = (expected.weekday + 1) % 7
            try #require(moment == expected)
            try #require(moment.secondsSince1970 == seconds)
        }
        #expect(expected.year == 2109 && expected.month == 12 && expected.day == 31)
    }

    @Test("Five thousand random dates are written and read back")
    func roundTrip() throws {
        var random = SplitMix(state: 1994)
        for _ in 0..<5_000 {
            let date = HTTPDate(Date(timeIntervalSince1970: Double(Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))))
            try #require(HTTPDate(date.description) == date, "\(date)")
        }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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
