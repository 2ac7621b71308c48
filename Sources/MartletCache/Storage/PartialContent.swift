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
