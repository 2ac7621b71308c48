public import MartletEssentials

extension HTTPFields {
    /// Returns the wait that a `Retry-After` field asks for in seconds or as a date (RFC 9110 §10.2.3), or nil if it is missing or invalid.
    ///
    /// A date in the past returns zero, and fractions of a millisecond are rounded up. Very large numbers are limited to 2,147,483,647
    /// seconds. If the server sends several lines or numbers, which is invalid, the longest wait counts.
    ///
    /// - Parameter now: The current date, which a date is compared with.
    /// - Returns: The wait, or nil if the field is missing or invalid.
    public func retryAfter(now: Date) -> Duration? {
        values(for: .retryAfter).compactMap { HTTPFields.wait($0.trimmingWhitespace, now) }.max()
    }

    /// Returns the largest of the whole numbers in a list, at most `Int64.max`. Nil if the list contains anything else.
    package static func seconds(_ list: some StringProtocol) -> Int64? {
        var largest: Int64?
        for part in list.split(separator: ",") {
            let number = part.trimmingWhitespace
            guard number.isDecimal else { return nil }
            largest = Swift.max(largest ?? 0, Int64(number) ?? .max)
        }
        return largest
    }

    private static func wait(_ text: some StringProtocol, _ now: Date) -> Duration? {
        guard !text.isEmpty else { return nil }
        if let seconds = seconds(text) { return .seconds(Int32(clamping: seconds)) }
        guard let date = HTTPDate(text, now: now)?.date else { return nil }
        return .milliseconds(Int64((Swift.max(0, date.timeIntervalSince(now)) * 1000).rounded(.up)))
    }
}
