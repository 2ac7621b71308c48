internal import MartletEssentials

/// Reads dates in the profile of ISO 8601 that RFC 3339 §5.6 defines, with or without fractions of a second.
///
/// The platform's parser reads February 30 as March 1, accepts an hour of 25, and ignores what follows the date.
struct ISO8601Reading {
    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private var place = 0

    /// Returns the seconds since 1970 of `1994-11-06T08:49:37.5+02:00`, or nil if the text is malformed or the day or time does not exist.
    static func seconds(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
        var reading = ISO8601Reading(bytes: bytes, count: count)
        return reading.date()
    }

    /// Returns the seconds since 1970 of a date that may lack its time zone, or its time and time zone, for which UTC and midnight count.
    static func seconds(assumingUTC text: String) -> Double? {
        ["", "Z", "T00:00:00Z"].lazy.compactMap { seconds(in: text + $0) }.first
    }

    /// Returns what is wrong with a text that is not a date, to follow it in a sentence.
    static func problem(of text: String) -> String {
        if let space = text.firstIndex(of: " ") {
            var joined = text
            joined.replaceSubrange(space...space, with: "T")
            if seconds(in: joined) != nil || seconds(in: joined + "Z") != nil {
                return "has a space in place of the “T” of ISO 8601; a dateDecodingStrategy .custom can read it"
            }
        }
        let isNaive = seconds(in: text + "Z") != nil
        guard isNaive || seconds(in: text + "T00:00:00Z") != nil else { return "is not an ISO 8601 date with a time and a time zone" }
        return "has no \(isNaive ? "" : "time and no ")time zone; dateDecodingStrategy .iso8601AssumingUTC reads it"
    }

    private static func seconds(in text: String) -> Double? {
        var text = text
        return text.withUTF8 { bytes in bytes.baseAddress.flatMap { seconds($0, bytes.count) } }
    }

    private mutating func date() -> Double? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("T") || skip("t"),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            let fraction = fraction(), let offset = offset(), place == count,
            let seconds = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second).secondsSince1970
        else { return nil }
        return Double(seconds - offset) + fraction
    }

    /// Reads the fraction of a second after its point. Without a point it is 0.
    private mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let start = place
        while place < count, bytes[place] &- UInt8(ascii: "0") < 10 { place += 1 }
        guard place > start else { return nil }
        // More digits than a `Double` distinguishes.
        var value = 0.0, scale = 1.0
        for index in start..<min(place, start + 17) {
            value = value * 10 + Double(bytes[index] - UInt8(ascii: "0"))
            scale *= 10
        }
        return value / scale
    }

    /// Reads `Z`, `+02:00`, `+0200` or `+02`, in seconds.
    private mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours <= 23 else { return nil }
        if place == count { return sign * hours * 3_600 }
        _ = skip(":")
        guard let minutes = number(2), minutes <= 59 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    @inline(__always)
    private mutating func number(_ digits: Int) -> Int? {
        guard place &+ digits <= count else { return nil }
        var value = 0
        for _ in 0..<digits {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
            place &+= 1
        }
        return value
    }

    @inline(__always)
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard place < count, bytes[place] == UInt8(truncatingIfNeeded: character.value) else { return false }
        place &+= 1
        return true
    }
}
