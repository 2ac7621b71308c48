import Foundation
import MartletMockServer
import Testing

@testable import MartletEssentials

@Suite("Civil dates", .timeLimit(.minutes(5)))
struct CivilDateTests {
    @Test("Converting seconds between the years 1 and 9999 to a date and back returns the same seconds")
    func roundTrip() {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<20_000 {
            let seconds = Int.random(in: -62_135_596_800...253_402_300_799, using: &random), date = CivilDate(secondsSince1970: seconds)
            if date.secondsSince1970 != seconds || !(1...9_999).contains(date.year) { Issue.record("\(seconds): \(date)") }
        }
        for seconds in [-62_135_596_800, -1, 0, 1, 86_399, 86_400, -86_400, -86_401, 253_402_300_799] {
            #expect(CivilDate(secondsSince1970: seconds).secondsSince1970 == seconds)
        }
    }

    @Test("Dates and weekdays equal those of Foundation's calendar")
    func calendar() throws {
        var random = SeededGenerator(seed: 32), calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Foundation's calendar is Julian before 1582.
        for _ in 0..<1_000 {
            let seconds = Int.random(in: -12_000_000_000..<188_000_000_000, using: &random), date = CivilDate(secondsSince1970: seconds)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday], from: Date(timeIntervalSince1970: Double(seconds)))
            #expect([parts.year, parts.month, parts.day] == [date.year, date.month, date.day])
            #expect([parts.hour, parts.minute, parts.second, parts.weekday] == [date.hour, date.minute, date.second, date.weekday + 1])
        }
    }

    @Test("Every day of the four kinds of years exists, and the next one does not", arguments: [1_900, 2_000, 2_023, 2_024])
    func days(year: Int) {
        let isLeap = year == 2_000 || year == 2_024
        for (month, days) in zip(1...12, [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            for day in -1...33 {
                let date = CivilDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
                #expect((date.secondsSince1970 != nil) == (1...days).contains(day))
            }
        }
    }

    @Test("Impossible months, hours, minutes and seconds are refused, and a leap second counts as the next second")
    func impossible() {
        func seconds(_ month: Int, _ hour: Int, _ minute: Int, _ second: Int) -> Int? {
            CivilDate(year: 1_970, month: month, day: 1, hour: hour, minute: minute, second: second).secondsSince1970
        }
        for month in [-1, 0, 13, .min, .max] { #expect(seconds(month, 0, 0, 0) == nil) }
        for hour in [-1, 24] { #expect(seconds(1, hour, 0, 0) == nil) }
        for minute in [-1, 60] { #expect(seconds(1, 0, minute, 0) == nil) }
        for second in [-1, 61] { #expect(seconds(1, 0, 0, second) == nil) }
        #expect(seconds(1, 0, 0, 60) == 60)
        #expect(seconds(1, 23, 59, 60) == 86_400)
    }
}
