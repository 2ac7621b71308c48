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

/// Reads the three date formats byte by byte. The day name determines the format. Whether it fits the date is not checked.
struct HTTPDateReader {
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = Array(text.trimmingWhitespace.utf8)[...] }

    mutating func readDate(currentYear: Int) -> HTTPDate.Moment? {
        guard let name = readWord() else { return nil }
        if Self.weekdays.contains(where: { $0.prefix(3).equalsIgnoringCase(name) }) {
            return skip(",") ? readIMFFixdate() : readAsctime()
        }
        guard Self.weekdays.contains(where: { $0.equalsIgnoringCase(name) }), skip(",") else { return nil }
        return readRFC850(currentYear: currentYear)
    }

    /// `06 Nov 1994 08:49:37 GMT`
    private mutating func readIMFFixdate() -> HTTPDate.Moment? {
        guard skip(" "), let day = readNumber(2), skip(" "), let month = readMonth(), skip(" "), let year = readNumber(4), skip(" "),
            let time = readTime(), skip(" "), readZone()
        else { return nil }
        return .init(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// `06-Nov-94 08:49:37 GMT`
    private mutating func readRFC850(currentYear: Int) -> HTTPDate.Moment? {
        guard skip(" "), let day = readNumber(2), skip("-"), let month = readMonth(), skip("-"), let short = readNumber(2), skip(" "),
            let time = readTime(), skip(" "), readZone()
        else { return nil }
        var year = currentYear / 100 * 100 + short
        if year > currentYear + 50 { year -= 100 }
        return .init(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// `Nov  6 08:49:37 1994`
    private mutating func readAsctime() -> HTTPDate.Moment? {
        guard skip(" "), let month = readMonth(), skip(" ") else { return nil }
        guard let day = skip(" ") ? readNumber(1) : readNumber(2) else { return nil }
        guard skip(" "), let time = readTime(), skip(" "), let year = readNumber(4), rest.isEmpty else { return nil }
        return .init(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private mutating func readTime() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = readNumber(2), skip(":"), let minute = readNumber(2), skip(":"), let second = readNumber(2) else { return nil }
        return (hour, minute, second)
    }

    private mutating func readZone() -> Bool {
        readWord().map { $0.equalsIgnoringCase("GMT") || $0.equalsIgnoringCase("UTC") } == true && rest.isEmpty
    }

    private mutating func readMonth() -> Int? {
        guard let name = readWord() else { return nil }
        return Self.months.firstIndex { $0.equalsIgnoringCase(name) }.map { $0 + 1 }
    }

    private mutating func readWord() -> String? {
        let word = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    private mutating func readNumber(_ digits: Int) -> Int? {
        let run = rest.prefix(digits)
        guard run.count == digits, run.allSatisfy(Token.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return run.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
