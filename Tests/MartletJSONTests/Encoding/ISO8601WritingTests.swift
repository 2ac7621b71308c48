import Foundation
import Testing

@testable import MartletJSON

@Suite("ISO8601Writing", .timeLimit(.minutes(5)))
struct ISO8601WritingTests {
    @Test("Days are converted to dates of the Gregorian calendar")
    func civilDates() {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        var random = SeededGenerator(seed: 1)
        // From 1600 on, because Foundation's calendar is Julian in earlier years.
        for day in [-1, 0, 1, 58, 59, 364, 365, 1154, 1155, 36_583]
            + (0..<2000).map({ _ in Int.random(in: -146_000...1_000_000, using: &random) })
        {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let stamp = ISO8601Timestamp(secondsSince2001: Double(day) * 86_400, hasFraction: false)
            #expect(stamp?.year == parts.year && stamp?.month == parts.month && stamp?.day == parts.day)
        }
    }

    @Test("Only the years 1 to 9999 are supported")
    func bounds() {
        let first = -63_113_904_000.0, last = 252_423_993_600.0
        #expect(ISO8601Timestamp(secondsSince2001: first, hasFraction: false)?.year == 1)
        #expect(ISO8601Timestamp(secondsSince2001: first - 0.5, hasFraction: false) == nil)
        #expect(ISO8601Timestamp(secondsSince2001: last - 0.5, hasFraction: false)?.year == 9999)
        #expect(ISO8601Timestamp(secondsSince2001: last, hasFraction: false) == nil)
        #expect(ISO8601Timestamp(secondsSince2001: .nan, hasFraction: true) == nil)
    }

    @Test("Fractions are rounded to the nearest millisecond")
    func milliseconds() {
        let time = Date(timeIntervalSince1970: 1_700_000_000.3).timeIntervalSinceReferenceDate
        #expect(ISO8601Timestamp(secondsSince2001: time, hasFraction: true)?.millisecond == 300)
        #expect(ISO8601Timestamp(secondsSince2001: -0.0004, hasFraction: true)?.secondOfDay == 0)
        #expect(ISO8601Timestamp(secondsSince2001: -0.001, hasFraction: true)?.millisecond == 999)
    }
}
