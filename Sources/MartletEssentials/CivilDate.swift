/// A date and time of the proleptic Gregorian calendar in UTC, in whole seconds.
///
/// It is public so that other modules inline it: reading ISO 8601 is a hot path. No target re-exports this module to users.
@frozen public struct CivilDate: Equatable, Sendable {
    /// The year.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The hour, from 0 to 23.
    public var hour: Int
    /// The minute, from 0 to 59.
    public var minute: Int
    /// The second, from 0 to 59, or 60 for a leap second.
    public var second: Int
    /// The day of the week, 0 for Sunday. It is set by ``init(secondsSince1970:)`` and otherwise 0.
    public var weekday = 0

    /// Creates a date from its parts. The day or time may be impossible; ``secondsSince1970`` is then nil.
    @inlinable
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.weekday = weekday
    }

    /// Creates the date of a number of seconds since 1970, between the years 1 and 9999.
    @inlinable
    public init(secondsSince1970 seconds: Int) {
        let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let rest = seconds - days * 86_400
        // Computes the date by eras of 400 years that begin in March, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600
        minute = rest % 3_600 / 60
        second = rest % 60
        weekday = ((days + 4) % 7 + 7) % 7
    }

    /// The seconds since 1970, or nil if the day or time does not exist. A leap second counts as the next second.
    @inlinable @inline(__always)
    public var secondsSince1970: Int? {
        guard month >= 1, month <= 12, day >= 1, day <= CivilDate.daysInMonth(month, year: year), hour >= 0, hour <= 23, minute >= 0,
            minute <= 59, second >= 0, second <= 60
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    @inlinable @inline(__always)
    static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
