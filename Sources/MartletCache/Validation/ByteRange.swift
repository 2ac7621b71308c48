/// A single requested byte range (RFC 9110 §14.1.2).
enum ByteRange: Sendable, Equatable {
    /// From a byte through another one, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes of the representation.
    case last(Int64)

    /// Parses a `Range` field. Nil for other units, several ranges, and malformed values.
    init?(_ text: some StringProtocol) {
        let parts = text.trimmingWhitespace.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingWhitespace.equalsIgnoringCase("bytes") else { return nil }
        let ends = parts[1].trimmingWhitespace.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let first = ContentRange.position(ends[0]), last = ContentRange.position(ends[1])
        switch (ends[0].isEmpty, ends[1].isEmpty, first, last) {
        case (false, true, .some(let first), _): self = .from(first, through: nil)
        case (false, false, .some(let first), .some(let last)) where first <= last: self = .from(first, through: last)
        case (true, false, _, .some(let count)): self = .last(count)
        default: return nil
        }
    }

    /// Returns the range within a whole of this length. Nil if it contains no byte of it.
    func bounds(ofWhole length: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .from(let first, let last): first < length ? first...min(last ?? .max, length - 1) : nil
        case .last(let count): count > 0 && length > 0 ? max(0, length - count)...(length - 1) : nil
        }
    }

    /// Returns the range within a part that holds `count` bytes. Nil if any requested byte is missing, or if the numbers overflow.
    func bounds(of part: StoredResponse.Part, holding count: Int64) -> ClosedRange<Int64>? {
        let (end, overflows) = part.bounds.lowerBound.addingReportingOverflow(count)
        guard count > 0, !overflows else { return nil }
        let held = part.bounds.lowerBound...(end - 1)
        let reachesEnd = part.total.map { part.bounds.upperBound &+ 1 == $0 } ?? false
        switch self {
        case .from(let first, .some(let last)):
            let wanted = part.total.map { min(last, $0 - 1) } ?? last
            return first <= wanted && held.contains(first) && held.contains(wanted) ? first...wanted : nil
        case .from(let first, nil): return reachesEnd && held.contains(first) ? first...held.upperBound : nil
        case .last(let wanted): return reachesEnd && (1...count).contains(wanted) ? (held.upperBound - wanted + 1)...held.upperBound : nil
        }
    }
}
