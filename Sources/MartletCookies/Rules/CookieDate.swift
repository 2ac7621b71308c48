internal import MartletEssentials

/// Reads the dates of `Expires` by the algorithm of RFC 6265bis §5.1.1, which accepts many formats and ignores the time zone.
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Returns the seconds since 1970 of a date, or nil if a part is missing or the date does not exist.
    static func seconds(in text: ArraySlice<UInt8>) -> Int? {
        var date = CookieDate()
        for token in text.split(whereSeparator: isDelimiter) { date.read(token) }
        return date.secondsSince1970
    }

    /// Uses a token as the first missing part whose form it has.
    private mutating func read(_ token: ArraySlice<UInt8>) {
        if time == nil, let found = CookieDate.time(token) {
            time = found
        } else if day == nil, let found = CookieDate.number(token, digits: 1...2) {
            day = found
        } else if month == nil, let found = CookieDate.month(token) {
            month = found
        } else if year == nil, let found = CookieDate.number(token, digits: 2...4) {
            year = found
        }
    }

    private var secondsSince1970: Int? {
        guard let time, let day, let month, var year else { return nil }
        switch year {
        case 70...99: year += 1900
        case 0...69: year += 2000
        default: break
        }
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second).secondsSince1970
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the number at the start of a token if it has one of these numbers of digits.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let run = token.prefix(while: Token.isDigit)
        return digits.contains(run.count) ? run.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }

    private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        var rest = token
        var numbers: [Int] = []
        while numbers.count < 3 {
            guard let number = number(rest, digits: 1...2) else { return nil }
            numbers.append(number)
            rest = rest.drop(while: Token.isDigit)
            guard numbers.count < 3 else { break }
            guard rest.first == UInt8(ascii: ":") else { return nil }
            rest = rest.dropFirst()
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let start = token.prefix(3).map(Token.lowercased)
        return months.firstIndex { $0.utf8.elementsEqual(start) }.map { $0 + 1 }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
