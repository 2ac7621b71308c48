#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Dates in JSON: ISO 8601 in the profile of RFC 3339 §5.6, with or without fractions of a second.
///
/// By hand: the platform's parser takes the 30th of February for the 1st of March, an hour of 25, and anything after the date.
struct ISO8601Date {
    private var rest: Substring.UTF8View

    static func decode(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        var reader = ISO8601Date(rest: text[...].utf8)
        guard let date = reader.readDate() else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text.prefix(40))” is not an ISO 8601 date")
        }
        return date
    }

    /// `1994-11-06T08:49:37.5+02:00`; nil when it is none, or no such day or time exists.
    private mutating func readDate() -> Date? {
        guard let year = readNumber(4), skip("-"), let month = readNumber(2), skip("-"), let day = readNumber(2), skip("T") || skip("t"),
            let hour = readNumber(2), skip(":"), let minute = readNumber(2), skip(":"), let second = readNumber(2),
            let fraction = readFraction(), let offset = readOffset(), rest.isEmpty,
            let seconds = HTTPDate.secondsSince1970(.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds - offset) + fraction)
    }

    /// The fraction of a second after its point; 0 when there is none.
    private mutating func readFraction() -> Double? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// `Z`, `+02:00`, `+0200` or `+02`, in seconds.
    private mutating func readOffset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = readNumber(2), hours <= 23 else { return nil }
        if rest.isEmpty { return sign * hours * 3_600 }
        _ = skip(":")
        guard let minutes = readNumber(2), minutes <= 59 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func readNumber(_ digits: Int) -> Int? {
        let run = rest.prefix(digits)
        guard run.count == digits, run.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        rest = rest.dropFirst(digits)
        return run.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
