internal import MartletEssentials

/// Parts of responses: which are stored, and what becomes of two of them (RFC 9111 §3.3, §3.4).
enum PartialContent {
    /// Which part a 206 holds; nil when it is several parts, or nobody can know.
    static func part(of response: HTTPResponse<Void>) -> StoredResponse.Part? {
        guard response.status == .partialContent, !response.metadata.wasContentCoded,
            response.headers[.contentType]?.lowercased().hasPrefix("multipart/byteranges") != true,
            let range = response.headers[.contentRange].flatMap({ ContentRange($0) }), let bounds = range.bounds
        else { return nil }
        return StoredResponse.Part(bounds: bounds, total: range.total)
    }

    /// Whether the bytes that are missing are all behind those that are stored.
    static func canBeCompleted(_ response: StoredResponse) -> Bool {
        guard let part = response.part, part.bounds.lowerBound == 0 else { return false }
        return part.total.map { part.bounds.upperBound < $0 - 1 } ?? true
    }

    /// The request's fields for the bytes behind the stored part; only if it is still the same, where that can be asked.
    static func completing(_ response: StoredResponse, _ request: HTTPFields) -> HTTPFields {
        guard let part = response.part else { return request }
        var fields = request
        fields[.range] = "bytes=\(part.bounds.upperBound + 1)-"
        fields[.ifRange] = Validator(of: response.headers)?.text
        return fields
    }

    /// The fields of a stored part, or of the whole, that a further part becomes one with; nil when they may not be put together: only what
    /// has the same strong validator may be, and only where no byte is missing in between (RFC 9111 §3.4).
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

    /// Two parts as one.
    struct Union: Equatable {
        let bounds: ClosedRange<Int64>
        let held: ClosedRange<Int64>
        let added: ClosedRange<Int64>
        let total: Int64?

        /// Whether nothing is missing any more.
        var isWhole: Bool { bounds.lowerBound == 0 && total == bounds.upperBound + 1 }

        /// Which part it is; nil for the whole.
        var part: StoredResponse.Part? { isWhole ? nil : StoredResponse.Part(bounds: bounds, total: total) }

        /// The bytes of both; where both have some, the newer ones count.
        func bytes(_ stored: Data, _ new: Data) -> Data {
            var bytes = Data(stored.prefix(Int(max(0, min(Int64(stored.count), added.lowerBound - held.lowerBound)))))
            bytes.append(new)
            if held.upperBound > added.upperBound { bytes.append(stored.suffix(Int(held.upperBound - added.upperBound))) }
            return bytes
        }
    }

    /// The fields of an answer that holds some bytes of a stored response.
    static func fields(_ response: StoredResponse, bounds: ClosedRange<Int64>, total: Int64?) -> HTTPFields {
        var fields = response.headers
        fields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound)/\(total.map(String.init) ?? "*")"
        fields[.contentLength] = String(bounds.count)
        return fields
    }
}
