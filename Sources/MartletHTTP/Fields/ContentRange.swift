/// A `Content-Range` in bytes (RFC 9110 §14.4): the part of a representation that a response contains.
package struct ContentRange: Sendable, Hashable {
    /// The first and the last byte of the part. Nil in a response to a range that can't be satisfied (416).
    package let bounds: ClosedRange<Int64>?
    /// The length of the whole representation, or nil if it is not known.
    package let total: Int64?

    /// Creates a range from `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`. Nil for other units and for contradictory values.
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

    /// Parses a byte position or a length. Nil for other text, and for a position whose successor exceeds `Int64`.
    package static func position(_ text: some StringProtocol) -> Int64? {
        text.isDecimal ? Int64(text).flatMap { $0 < .max ? $0 : nil } : nil
    }
}
