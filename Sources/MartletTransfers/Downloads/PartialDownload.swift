internal import MartletEssentials

/// What has come of a download, and what its parts must have in common to be put together: a value.
struct PartialDownload: Sendable, Hashable {
    /// Which request it answers.
    let key: String
    /// How many bytes from the first on are there.
    private(set) var offset: Int64 = 0
    /// How many there will be, when that is known.
    private(set) var total: Int64?
    /// The last byte that the answer at hand has, when it is a part.
    private var last: Int64?
    /// What tells the resource's state; nil when nothing strong enough does.
    private(set) var validator: Validator?
    /// Who has answered: validators are those of one resource, and a redirect may lead to another the next time.
    private var source = ""
    /// What the answer that began it calls the file.
    private(set) var name: String?
    /// The digest of the whole that was promised with it, as the field had it.
    private(set) var promisedDigest: String?

    init(key: String) { self.key = key }

    /// Whether the rest can be asked for.
    var isResumable: Bool { offset > 0 && validator != nil }

    /// The fields that ask for the rest, and for the whole if the resource has changed (RFC 9110 §13.1.5); nil to ask for the whole.
    var rangeFields: (range: String, ifRange: String)? {
        guard isResumable, let validator else { return nil }
        return ("bytes=\(offset)-", validator.text)
    }

    /// Whether nothing is missing, as far as is known.
    var isComplete: Bool { total == offset }

    /// The whole begins to come.
    mutating func begin(with response: HTTPResponse<Void>, length: Int64?, name: String? = nil) {
        self.name = name
        offset = 0
        last = nil
        total = length
        // The bytes of a ranged answer would be coded ones, and those that are there are not.
        validator = response.isCoded ? nil : Validator(of: response.headers)
        source = PartialDownload.source(of: response)
        promisedDigest = nil
        promise(in: response)
    }

    /// Remembers what an answer promises of the whole.
    mutating func promise(in response: HTTPResponse<Void>) {
        let values = response.headers.values(for: "Repr-Digest")
        if !response.isCoded, !values.isEmpty { promisedDigest = values.joined(separator: ", ") }
    }

    /// Whether an answer is about what is there: from the same place, with no other validator.
    func fits(_ response: HTTPResponse<Void>) -> Bool {
        !response.isCoded && validator?.allows(response.headers) == true && source == PartialDownload.source(of: response)
    }

    /// Where an answer comes from, without the query: signatures in it change from one redirect to the next.
    private static func source(of response: HTTPResponse<Void>) -> String {
        guard let url = response.metadata.url else { return "" }
        return hash("\(Origin(url).map { "\($0)" } ?? "") \(url.path)")
    }

    /// A part of the rest begins to come.
    mutating func goOn(through last: Int64, total: Int64?) {
        self.total = total ?? self.total
        self.last = last
    }

    /// So many bytes more are there.
    mutating func add(_ count: Int) { offset += Int64(count) }

    /// Whether so many bytes more are no more than the answer said that it has.
    func hasRoom(for count: Int) -> Bool {
        if let last { return Int64(count) - 1 <= last - offset }
        return total.map { Int64(count) <= $0 - offset } ?? true
    }

    /// The body has ended where its sender wanted; false when it had promised more.
    ///
    /// The end of a whole is the end; that of a part may be followed by more.
    mutating func end() -> Bool {
        if let last { return offset == last + 1 }
        total = total ?? offset
        return offset == total
    }

    /// Nothing is there any more.
    mutating func forget() { self = PartialDownload(key: key) }
}

/// What an answer means for the bytes that are there: a function of values.
enum RangeDecision: Sendable, Hashable {
    /// The body is the whole.
    case begin
    /// The body is what follows the bytes that are there, up to this one. With the length of the whole, when the answer says it.
    case goOn(through: Int64, total: Int64?)
    /// Nothing was missing.
    case complete
    /// The bytes that are there are of no use: ask for the whole.
    case startOver
    /// The answer makes no sense.
    case refuse(String)

    /// Decides about the answer to a request for the rest of `partial`, or for the whole when that has no range.
    static func decide(_ partial: PartialDownload, _ response: HTTPResponse<Void>) -> RangeDecision {
        let range = response.headers[.contentRange].flatMap { ContentRange($0) }
        guard partial.isResumable else {
            return response.status == .partialContent ? .refuse("a 206 for a request without a range") : .begin
        }
        switch response.status {
        case .partialContent:
            // Several parts would be multipart/byteranges, which nobody asked for (RFC 9110 §15.3.7.2).
            guard let range, let bounds = range.bounds, bounds.lowerBound == partial.offset, partial.fits(response) else {
                return .startOver
            }
            if let known = partial.total, let told = range.total, known != told { return .startOver }
            return .goOn(through: bounds.upperBound, total: range.total)
        case .rangeNotSatisfiable:
            // Behind the end of what is there, there is nothing.
            return partial.fits(response) && range?.total == partial.offset && partial.total ?? partial.offset == partial.offset
                ? .complete : .startOver
        // A coding that is left as it is when a part was asked for is undone when the whole is.
        default: return response.hasCoding ? .startOver : .begin
        }
    }
}

// MARK: - What is kept for a later call

extension PartialDownload {
    /// What stands in the file beside the bytes.
    private struct Kept: Codable {
        var version = 1
        var key: String
        var validator: String
        var total: Int64?
        var source: String
        var name: String?
        var digest: String?
    }

    /// What a later call needs to go on; nil when it can't.
    var kept: Data? {
        guard let validator else { return nil }
        return try? JSONBodyEncoder.json.encode(
            Kept(key: key, validator: validator.text, total: total, source: source, name: name, digest: promisedDigest))
    }

    /// The download of an earlier call, with so many bytes on disk; nil when it was of something else, or makes no sense.
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

    /// Returns the key of a request: a digest of its method, URL, authority, content negotiation fields and credentials.
    static func key(of request: HTTPRequest) -> String {
        let chosen = request.headers.filter { $0.isCredential || $0.name.canonicalName.hasPrefix("accept") }
        var fields = chosen.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        if let host = TargetURI.host(of: request) { fields.append("host: \(host)") }
        return hash("\(request.method.rawValue) \(request.url.absoluteString)\n\(fields.joined(separator: "\n"))")
    }

    private static func hash(_ text: String) -> String {
        Hex.text(SHA256.digest(of: Array(text.utf8)))
    }
}

extension HTTPResponse {
    /// Whether the bytes are, or were, in a coded form.
    var isCoded: Bool { metadata.wasContentCoded || hasCoding }

    /// Whether the bytes are in a coded form still.
    var hasCoding: Bool { headers.values(for: .contentEncoding).contains { !$0.trimmingWhitespace.equalsIgnoringCase("identity") } }
}
