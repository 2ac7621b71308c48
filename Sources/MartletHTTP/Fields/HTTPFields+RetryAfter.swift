public import MartletEssentials

extension HTTPFields {
    /// How long the server asks to wait (`Retry-After`, RFC 9110 §10.2.3), in seconds or as a date; nil when it does not say.
    ///
    /// A date in the past gives zero, part of a millisecond counts as a whole one, and a number too large to count gives the largest that
    /// can be. Of several lines or numbers, which a server should not send, the longest wait counts.
    /// - Parameter now: what a date is measured against.
    public func retryAfter(now: Date) -> Duration? {
        values(for: .retryAfter).compactMap { HTTPFields.wait($0.trimmingWhitespace, now) }.max()
    }

    /// The largest of the whole numbers in a list; nil when there is anything else in it. One that is too large is the largest there is.
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
