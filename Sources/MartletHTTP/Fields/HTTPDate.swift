public import MartletEssentials

/// A date in a header field (RFC 9110 §5.6.7). Written as an IMF-fixdate, read in all three formats.
///
/// ```swift
/// HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date   // IMF-fixdate
/// HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT")?.date  // RFC 850
/// HTTPDate("Sun Nov  6 08:49:37 1994")?.date        // asctime
/// HTTPDate(Date(timeIntervalSince1970: 0)).description  // "Thu, 01 Jan 1970 00:00:00 GMT"
/// ```
public struct HTTPDate: Hashable, Sendable, CustomStringConvertible {
    /// The date, in whole seconds.
    public let date: Date

    /// Creates a date for a field, without fractions of a second.
    public init(_ date: Date) { self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }

    /// Creates a date from a text in one of the three formats, or returns nil for other text and for dates and times that do not exist.
    ///
    /// - Parameters:
    ///   - text: The text of the field value.
    ///   - now: Determines the century of an RFC 850 year: a year more than 50 years ahead is in the past. Default: the current date.
    public init?(_ text: some StringProtocol, now: Date = Date()) {
        var reader = HTTPDateReader(text)
        guard let moment = reader.readDate(currentYear: HTTPDate.components(of: now).year) else { return nil }
        // The year 0 does not exist, and could not be written again.
        guard moment.year >= 1, let seconds = moment.secondsSince1970 else { return nil }
        date = Date(timeIntervalSince1970: Double(seconds))
    }

    /// Creates a date like `init(_:now:)`, but requires the exact time zone: caches treat a date with another one as past (RFC 9111 §5.3).
    package init?(strict text: some StringProtocol, now: Date) {
        let zone = text.trimmingWhitespace.utf8.suffix(3).map(Token.lowercased)
        guard zone.elementsEqual("gmt".utf8) || zone.last.map(Token.isDigit) == true else { return nil }
        self.init(text, now: now)
    }

    /// The date as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
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

    /// A date and time of the Gregorian calendar in UTC.
    typealias Moment = CivilDate

    /// Returns the components of a date. Dates outside the years 1 to 9999 are limited to them.
    static func components(of date: Date) -> Moment {
        let bound = 253_402_300_799.0  // the end of the year 9999
        let exact = date.timeIntervalSince1970
        return Moment(secondsSince1970: exact.isNaN ? 0 : Int(Swift.min(Swift.max(exact.rounded(.down), -62_135_596_800), bound)))
    }
}
