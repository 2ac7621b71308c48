internal import MartletEssentials

/// The rules for partial responses: storing, completing and combining them (RFC 9111 §3.3, §3.4).
enum PartialContent {
    /// Returns the range of a 206. Nil for several ranges, and if the range is unknown.
    static func part(of response: HTTPResponse<Void>) -> StoredResponse.Part? {
        guard response.status == .partialContent, !response.metadata.wasContentCoded,
            response.headers[.contentType]?.lowercased().hasPrefix("multipart/byteranges") != true,
            let range = response.headers[.contentRange].flatMap({ ContentRange($0) }), let bounds = range.bounds
        else { return nil }
        return StoredResponse.Part(bounds: bounds, total: range.total)
    }

    /// Whether all missing bytes follow the stored ones.
    static func canBeCompleted(_ response: StoredResponse) -> Bool {
        guard let part = response.part, part.bounds.lowerBound == 0 else { return false }
        return part.total.map { part.bounds.upperBound < $0 - 1 } ?? true
    }

    /// Returns the request's fields for the bytes after the stored part. `If-Range` is added if the stored response has a validator.
    static func completing(_ response: StoredResponse, _ request: HTTPFields) -> HTTPFields {
        guard let part = response.part else { return request }
        var fields = request
        fields[.range] = "bytes=\(part.bounds.upperBound + 1)-"
        fields[.ifRange] = Validator(of: response.headers)?.text
        return fields
    }

    /// Combines a stored response and a further part. Returns nil unless both have the same strong validator and no byte is missing between
    /// them (RFC 9111 §3.4).
    static func union(of stored: StoredResponse, holding count: Int64, and part: StoredResponse.Part, _ headers: HTTPFields) -> Union? {
        guard let validator = Validator(of: stored.headers), validator == Validator(of: headers), !stored.wasContentCoded else {
            return nil
        }
        guard let held = stored.part?.bounds ?? (count > 0 ? 0...(count - 1) : nil), Int64(held.count) == count else { return nil }
        let total = stored.part == nil ? count : stored.part?.total ?? part.total
        guard total == nil || part.total == nil || total == part.total else { return nil }
        guard part.bounds.lowerBound <= held.upperBound + 1, held.lowerBound <= part.bounds.upperBound + 1 else { return nil }
        let bounds = min(held.lowerBound, part.bounds.lowerBound)...max(held.upperBound, part.bounds.upperBound)
        if let total, bounds.upperBound >= total { return nil }
        return Union(bounds: bounds, held: held, added: part.bounds, total: total)
    }

    /// The result of combining two parts.
    struct Union: Equatable {
        let bounds: ClosedRange<Int64>
        let held: ClosedRange<Int64>
        let added: ClosedRange<Int64>
        let total: Int64?

        /// Whether it is complete.
        var isWhole: Bool { bounds.lowerBound == 0 && total == bounds.upperBound + 1 }

        /// The combined range, or nil for the whole.
        var part: StoredResponse.Part? { isWhole ? nil : StoredResponse.Part(bounds: bounds, total: total) }

        /// Combines the bytes. Where both parts overlap, the newer bytes are used.
        func bytes(_ stored: Data, _ new: Data) -> Data {
            var bytes = Data(stored.prefix(Int(max(0, min(Int64(stored.count), added.lowerBound - held.lowerBound)))))
            bytes.append(new)
            if held.upperBound > added.upperBound { bytes.append(stored.suffix(Int(held.upperBound - added.upperBound))) }
            return bytes
        }
    }

    /// Returns the fields of a 206 made from a stored response.
    static func fields(_ response: StoredResponse, bounds: ClosedRange<Int64>, total: Int64?) -> HTTPFields {
        var fields = response.headers
        fields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound)/\(total.map(String.init) ?? "*")"
        fields[.contentLength] = String(bounds.count)
        return fields
    }
}

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
