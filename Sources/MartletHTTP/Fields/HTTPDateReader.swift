internal import MartletEssentials

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
