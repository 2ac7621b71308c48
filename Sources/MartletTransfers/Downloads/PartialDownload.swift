internal import MartletEssentials

/// The state of a partial download, and the conditions for joining further parts to it. It is a pure value.
struct PartialDownload: Sendable, Hashable {
    /// The key of the request.
    let key: String
    /// The number of bytes received from the start.
    private(set) var offset: Int64 = 0
    /// The total number of bytes, if it is known.
    private(set) var total: Int64?
    /// The position of the last byte in the current response, if that is a part.
    private var last: Int64?
    /// The validator of the resource's version, or nil without a strong one.
    private(set) var validator: Validator?
    /// The source of the response. Validators are those of one resource, and a redirect may lead to another one the next time.
    private var source = ""
    /// The file name from the first response.
    private(set) var name: String?
    /// The digest of the whole that the server promised, as it was in the field.
    private(set) var promisedDigest: String?

    init(key: String) { self.key = key }

    /// Whether the rest can be requested.
    var isResumable: Bool { offset > 0 && validator != nil }

    /// The fields that request the rest, or the whole if the resource has changed (RFC 9110 §13.1.5). Nil to request the whole.
    var rangeFields: (range: String, ifRange: String)? {
        guard isResumable, let validator else { return nil }
        return ("bytes=\(offset)-", validator.text)
    }

    /// Whether the download is complete, as far as the total is known.
    var isComplete: Bool { total == offset }

    /// Records the beginning of a whole response.
    mutating func begin(with response: HTTPResponse<Void>, length: Int64?, name: String? = nil) {
        self.name = name
        offset = 0
        last = nil
        total = length
        // A range of a coded response would be coded, but the stored bytes are decoded.
        validator = response.isCoded ? nil : Validator(of: response.headers)
        source = PartialDownload.source(of: response)
        promisedDigest = nil
        promise(in: response)
    }

    /// Stores the digest that a response promises for the whole.
    mutating func promise(in response: HTTPResponse<Void>) {
        let values = response.headers.values(for: "Repr-Digest")
        if !response.isCoded, !values.isEmpty { promisedDigest = values.joined(separator: ", ") }
    }

    /// Returns whether a response belongs to the stored bytes: the same source and no other validator.
    func fits(_ response: HTTPResponse<Void>) -> Bool {
        !response.isCoded && validator?.allows(response.headers) == true && source == PartialDownload.source(of: response)
    }

    /// Returns the source of a response, without the query, because signatures in it change from one redirect to the next.
    private static func source(of response: HTTPResponse<Void>) -> String {
        guard let url = response.metadata.url else { return "" }
        return hash("\(Origin(url).map { "\($0)" } ?? "") \(url.path)")
    }

    /// Records the beginning of a partial response.
    mutating func proceed(through last: Int64, total: Int64?) {
        self.total = total ?? self.total
        self.last = last
    }

    /// Records further bytes.
    mutating func add(_ count: Int) { offset += Int64(count) }

    /// Returns whether so many further bytes are within the length that the response declared.
    func hasRoom(for count: Int) -> Bool {
        if let last { return Int64(count) - 1 <= last - offset }
        return total.map { Int64(count) <= $0 - offset } ?? true
    }

    /// Records the end of a body. Returns false if the response had declared more bytes.
    ///
    /// The end of a whole response completes the download; a partial response may be followed by another.
    mutating func end() -> Bool {
        if let last { return offset == last + 1 }
        total = total ?? offset
        return offset == total
    }

    /// Drops all state except the key.
    mutating func forget() { self = PartialDownload(key: key) }
}

/// Decides how to handle a response to a download request. It depends only on its arguments.
enum RangeDecision: Sendable, Hashable {
    /// The body is the whole.
    case begin
    /// The body continues the stored bytes, up to the byte at this position. The total is that of the response, if it has one.
    case proceed(through: Int64, total: Int64?)
    /// No bytes are missing.
    case complete
    /// The stored bytes are of no use. The whole must be requested.
    case startOver
    /// The response is invalid.
    case refuse(String)

    /// Decides about the response to a request for the rest of `partial`, or for the whole if it can't be resumed.
    static func decide(_ partial: PartialDownload, _ response: HTTPResponse<Void>) -> RangeDecision {
        let range = response.headers[.contentRange].flatMap { ContentRange($0) }
        guard partial.isResumable else {
            return response.status == .partialContent ? .refuse("a 206 for a request without a range") : .begin
        }
        switch response.status {
        case .partialContent:
            // Several parts would be `multipart/byteranges`, which was not requested (RFC 9110 §15.3.7.2).
            guard let range, let bounds = range.bounds, bounds.lowerBound == partial.offset, partial.fits(response) else {
                return .startOver
            }
            if let known = partial.total, let current = range.total, known != current { return .startOver }
            return .proceed(through: bounds.upperBound, total: range.total)
        case .rangeNotSatisfiable:
            // The range began at the end of the stored bytes, so they may be complete.
            return partial.fits(response) && range?.total == partial.offset && partial.total ?? partial.offset == partial.offset
                ? .complete : .startOver
        // A content coding stays in a response to a range request, but is decoded in a response to a request for the whole.
        default: return response.hasCoding ? .startOver : .begin
        }
    }
}

// MARK: - The record for a later call

extension PartialDownload {
    /// The content of the record beside the bytes.
    private struct Kept: Codable {
        var version = 1
        var key: String
        var validator: String
        var total: Int64?
        var source: String
        var name: String?
        var digest: String?
    }

    /// The record that a later call needs to resume, or nil if it can't.
    var kept: Data? {
        guard let validator else { return nil }
        return try? JSONBodyEncoder.json.encode(
            Kept(key: key, validator: validator.text, total: total, source: source, name: name, digest: promisedDigest))
    }

    /// Restores the download of an earlier call. Returns nil if the record belongs to another request or is invalid.
    init?(kept: Data, key: String, bytes: Int64) {
        guard let kept = try? JSONBodyDecoder.json.decode(Kept.self, from: kept), kept.version == 1, kept.key == key,
            let validator = Validator(kept: kept.validator), bytes > 0, kept.total.map({ bytes <= $0 }) ?? true
        else { return nil }
        self.init(key: key)
        self.validator = validator
        total = kept.total
        source = kept.source
        name = kept.name.flatMap(ContentDisposition.safeFilename)
        promisedDigest = kept.digest
        offset = bytes
    }

    /// Returns the key of a request: a digest of its method, URL, content negotiation fields and identity.
    static func key(of request: HTTPRequest) -> String {
        let chosen = request.headers.filter { $0.name.canonicalName.hasPrefix("accept") }
        var fields = chosen.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        let identity = RequestIdentity(of: request)
        if let host = identity.host { fields.append("host: \(host)") }
        fields.append("identity: \(identity.fields)")
        return hash("\(request.method.rawValue) \(request.url.absoluteString)\n\(fields.joined(separator: "\n"))")
    }

    private static func hash(_ text: String) -> String {
        Hex.text(SHA256.digest(of: Array(text.utf8)))
    }
}

extension HTTPResponse {
    /// Whether the content is, or was, content-coded.
    var isCoded: Bool { metadata.wasContentCoded || hasCoding }

    /// Whether the content is still content-coded.
    var hasCoding: Bool { headers.values(for: .contentEncoding).contains { !$0.trimmingWhitespace.equalsIgnoringCase("identity") } }
}
