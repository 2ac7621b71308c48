internal import MartletEssentials

/// The parts of a date and time in UTC, for writing ISO 8601.
struct ISO8601Timestamp: Equatable {
    let year: Int
    let month: Int
    let day: Int
    let secondOfDay: Int
    /// The milliseconds, or `nil` to leave out the fraction.
    let millisecond: Int?

    /// Splits a time into its parts.
    ///
    /// Without a fraction the time is rounded down to a second. With a fraction it is rounded to the nearest millisecond, because most
    /// milliseconds are not exact as a `Double` and lie slightly below their value.
    ///
    /// - Returns: `nil` outside the years 1 to 9999.
    init?(secondsSince2001: Double, hasFraction: Bool) {
        // The years 1 to 9999 lie within 10^12 seconds of 2001.
        guard secondsSince2001.magnitude < 1e12 else { return nil }
        let units = hasFraction ? (secondsSince2001 * 1000).rounded() : secondsSince2001.rounded(.down)
        let (seconds, fraction) = Self.floorDivide(Int(units), by: hasFraction ? 1000 : 1)
        let (days, secondOfDay) = Self.floorDivide(seconds, by: 86_400)
        // January 1, 2001 is 11,323 days after January 1, 1970.
        let date = CivilDate(secondsSince1970: (days + 11_323) * 86_400)
        (year, month, day) = (date.year, date.month, date.day)
        guard 1...9999 ~= year else { return nil }
        self.secondOfDay = secondOfDay
        millisecond = hasFraction ? fraction : nil
    }

    private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension JSONOutput {
    /// Writes a quoted timestamp such as `"1994-11-06T08:49:37Z"`.
    mutating func putTimestamp(_ timestamp: ISO8601Timestamp) {
        reserve(32)
        putReserved(0x22)
        putPair(timestamp.year / 100)
        putPair(timestamp.year % 100)
        putReserved(0x2D)
        putPair(timestamp.month)
        putReserved(0x2D)
        putPair(timestamp.day)
        putReserved(0x54)
        putPair(timestamp.secondOfDay / 3600)
        putReserved(0x3A)
        putPair(timestamp.secondOfDay / 60 % 60)
        putReserved(0x3A)
        putPair(timestamp.secondOfDay % 60)
        if let millisecond = timestamp.millisecond {
            putReserved(0x2E)
            putPair(millisecond / 10)
            putReserved(0x30 + UInt8(truncatingIfNeeded: millisecond % 10))
        }
        putReserved(0x5A)
        putReserved(0x22)
    }

    @inline(__always)
    private mutating func putPair(_ value: Int) {
        putReserved(0x30 &+ UInt8(truncatingIfNeeded: value / 10))
        putReserved(0x30 &+ UInt8(truncatingIfNeeded: value % 10))
    }
}
