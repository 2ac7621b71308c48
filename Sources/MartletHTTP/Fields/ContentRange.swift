/// What part of a representation an answer holds: `Content-Range` in bytes (RFC 9110 §14.4).
package struct ContentRange: Sendable, Hashable {
    /// The bytes that are there, first and last; nil in an answer that could not satisfy the range (416).
    package let bounds: ClosedRange<Int64>?
    /// The length of the whole; nil when it is not known.
    package let total: Int64?

    /// Reads `bytes 0-499/1234`, `bytes 0-499/*` and `bytes */1234`; nil for other units, and for what makes no sense.
    package init?(_ text: some StringProtocol) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].equalsIgnoringCase("bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let length = ContentRange.position(parts[1]) else { return nil }
            total = length
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bounds = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.position(ends[0]), let last = ContentRange.position(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        bounds = first...last
    }

    /// Reads the position of a byte, or a length; nil if it is no number, or the position after it is too large for `Int64`.
    package static func position(_ text: some StringProtocol) -> Int64? {
        text.isDecimal ? Int64(text).flatMap { $0 < .max ? $0 : nil } : nil
    }
}
