#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A date in a field (RFC 9110 §5.6.7): written as an IMF-fixdate, read in any of the three forms.
///
/// ```swift
/// HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date   // IMF-fixdate
/// HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT")?.date  // RFC 850
/// HTTPDate("Sun Nov  6 08:49:37 1994")?.date        // asctime
/// HTTPDate(Date(timeIntervalSince1970: 0)).description  // "Thu, 01 Jan 1970 00:00:00 GMT"
/// ```
public struct HTTPDate: Hashable, Sendable, CustomStringConvertible {
    /// The moment, in whole seconds.
    public let date: Date

    /// A date to write; fractions of a second are dropped.
    public init(_ date: Date) { self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }

    /// Reads a date in any of the three forms; nil when it is none of them, or no such day or time exists.
    ///
    /// - Parameter now: decides the century of an RFC 850 year: one that seems over 50 years ahead is in the past.
    public init?(_ text: some StringProtocol, now: Date = Date()) {
        var reader = HTTPDateReader(text)
        guard let moment = reader.readDate(currentYear: HTTPDate.components(of: now).year) else { return nil }
        guard let seconds = HTTPDate.secondsSince1970(moment) else { return nil }
        date = Date(timeIntervalSince1970: Double(seconds))
    }

    /// Reads a date as `init(_:now:)` does, but only one whose time zone is written as it must be: caches take any other for the past (RFC
    /// 9111 §5.3).
    package init?(strict text: some StringProtocol, now: Date) {
        let zone = text.trimmingWhitespace.utf8.suffix(3).map(Token.lowercased)
        guard zone.elementsEqual("gmt".utf8) || zone.last.map({ (0x30...0x39).contains($0) }) == true else { return nil }
        self.init(text, now: now)
    }

    /// The date as an IMF-fixdate.
    public var description: String {
        let moment = HTTPDate.components(of: date)
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
        }
        let day = HTTPDateReader.weekdays[moment.weekday].prefix(3)
        let month = HTTPDateReader.months[moment.month - 1]
        let time = "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
        return "\(day), \(padded(moment.day)) \(month) \(padded(moment.year, 4)) \(time) GMT"
    }

    /// A moment of the Gregorian calendar in UTC.
    struct Moment: Equatable {
        var year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
        var weekday = 0
    }

    /// Seconds since 1970, or nil when there is no such day or time. A leap second counts as the next second.
    static func secondsSince1970(_ moment: Moment) -> Int? {
        guard (1...12).contains(moment.month), moment.day >= 1, moment.day <= daysInMonth(moment.month, year: moment.year),
            moment.hour <= 23, moment.minute <= 59, moment.second <= 60
        else { return nil }
        let days = daysSince1970(year: moment.year, month: moment.month, day: moment.day)
        return days * 86_400 + moment.hour * 3_600 + moment.minute * 60 + moment.second
    }

    static func components(of date: Date) -> Moment {
        let bound = 253_402_300_799.0  // the end of the year 9999
        let exact = date.timeIntervalSince1970
        let seconds = exact.isNaN ? 0 : Int(Swift.min(Swift.max(exact.rounded(.down), -62_135_596_800), bound))
        let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let rest = seconds - days * 86_400
        // Days to a civil date by eras of 400 years that begin in March, so that the leap day comes last.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return Moment(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: rest / 3_600, minute: rest % 3_600 / 60, second: rest % 60, weekday: (days % 7 + 11) % 7)
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
