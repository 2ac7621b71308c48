internal import MartletEssentials
internal import MartletSystem

/// A body of several parts (RFC 2046 §5.1, RFC 7578).
///
/// ```swift
/// let form = Multipart([.text("title", "Swift"), .file("photo", url)])
/// let letter = Multipart([MultipartPart(headers: ["Content-Type": "text/html"], body: HTTPBody(page))], subtype: "related")
/// ```
///
/// The body is sent with `Content-Length` if each part knows its length, and in chunks otherwise. It can be replayed if each part can.
/// Parts are neither copied to a file nor collected in memory.
///
/// The boundary has 128 random bits. Content in memory and header fields are searched for it, and if they contain it, another boundary
/// is chosen. Files and streams can't be searched; for each position in them, the probability of a match is 1 in 2^128.
public struct Multipart: Sendable {
    /// The parts, in order.
    public let parts: [MultipartPart]
    /// The subtype of the media type, such as `form-data`, `mixed` or `related`.
    public let subtype: String
    /// The text of the boundary between the parts.
    public let boundary: String
    /// The error of an invalid boundary chosen by the app, or nil.
    private let problem: String?
    /// Whether a body that can be sent only once has been sent.
    private let isTaken = Locked(false)

    /// Creates a multipart body with a random boundary.
    ///
    /// - Parameters:
    ///   - parts: The parts, possibly none.
    ///   - subtype: The multipart subtype, a token. Default: `form-data`.
    ///   - random: The source of the boundary's random bits. Default: the system's.
    public init(_ parts: [MultipartPart], subtype: String = "form-data", random: any RandomSource = .system) {
        let contents = parts.flatMap { [$0.head(), $0.buffered].compactMap(\.self) }
        self.init(parts, subtype, boundary: MultipartBoundary.make(random, avoiding: contents), problem: nil)
    }

    /// Creates a multipart body with the given boundary, which is checked when a request with it is created.
    ///
    /// Creating the request fails with `.invalidRequest` if the boundary is not 1 to 70 of the allowed characters (RFC 2046 §5.1.1) or
    /// occurs in a part.
    public init(_ parts: [MultipartPart], subtype: String = "form-data", boundary: String) {
        var problem: String?
        if !MultipartBoundary.isValid(boundary) {
            problem = "the boundary must be 1 to 70 allowed characters (RFC 2046 §5.1.1): “\(Redaction.line(boundary, limit: 80))”"
        } else if parts.contains(where: { part in
            MultipartBoundary.contains(boundary, part.head()) || part.buffered.map { MultipartBoundary.contains(boundary, $0) } ?? false
        }) {
            problem = "the boundary occurs in the content of a part"
        }
        self.init(parts, subtype, boundary: boundary, problem: problem)
    }

    private init(_ parts: [MultipartPart], _ subtype: String, boundary: String, problem: String?) {
        self.parts = parts
        self.subtype = subtype
        self.boundary = boundary
        self.problem = problem
    }

    /// The media type with the boundary, such as `multipart/form-data; boundary=…`.
    public var contentType: String { MediaType(type: "multipart", subtype: subtype, parameters: ["boundary": boundary]).description }

    /// The number of bytes of the whole body, or nil if a part has no known length or is a file, whose length ``body()`` determines.
    public var length: Int64? {
        // Does not open the files of parts.
        length(of: parts.map { (head($0), $0.length) })
    }

    /// Whether the body can be sent more than once, which is so if each part can.
    public var isReplayable: Bool { parts.allSatisfy(\.isReplayable) }

    /// Returns the body with all parts and boundaries, after checking the fields and files of the parts.
    ///
    /// - Throws: `.invalidRequest` for a header field that could inject a line, a subtype that is not a token, an invalid boundary, and a
    ///   file that does not exist or can't be read.
    public func body() throws(HTTPError) -> HTTPBody {
        try check()
        let opened = try parts.map { part throws(HTTPError) in (head: head(part), body: try part.body()) }
        let total = length(of: opened.map { ($0.head, $0.body.length) })
        let pieces = opened.flatMap { [.bytes($0.head), .body($0.body), .bytes(Multipart.partEnd)] as [MultipartReading.Piece] }
        let reading = MultipartReading(pieces + [.bytes(end)])
        // A second attempt must fail immediately, and not after sending the parts before the consumed stream.
        guard isReplayable else { return HTTPBody(reader: reading.reader(onlyIfFirst: isTaken), length: total) }
        return HTTPBody(length: total, makeReader: { () throws(HTTPError) in reading.reader() })
    }

    // The bytes around the contents.
    private static let partEnd = Data("\r\n".utf8)
    private var end: Data { Data("--\(boundary)--\r\n".utf8) }
    private func head(_ part: MultipartPart) -> Data { Data("--\(boundary)\r\n".utf8) + part.head() }

    /// Returns the number of bytes of the whole body with these parts, or nil if a part does not know its length.
    private func length(of parts: [(head: Data, content: Int64?)]) -> Int64? {
        parts.reduce(Int64(end.count)) { sum, part in
            sum.flatMap { sum in part.content.map { sum + Int64(part.head.count) + $0 + Int64(Multipart.partEnd.count) } }
        }
    }

    private func check() throws(HTTPError) {
        if let problem { throw .invalidRequest(Explanation(problem)) }
        guard !subtype.isEmpty, subtype.utf8.allSatisfy(Token.contains) else {
            throw .invalidRequest(Explanation("the multipart subtype must be a token: “\(Redaction.line(subtype, limit: 40))”"))
        }
        for part in parts {
            guard let line = part.headers.firstInvalidLine else { continue }
            let name = Redaction.line(line.name.rawName, limit: 60)
            throw .invalidRequest(
                Explanation("the header field “\(name)” of a part has an invalid name or value, such as one with a line break"))
        }
    }
}

extension Multipart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The subtype and the number of parts, without their contents.
    public var description: String { "multipart/\(subtype), \(parts.count) parts" }
}

/// Creates and checks the boundaries between the parts of a multipart body (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// Returns a boundary of 128 random bits that does not occur in `contents`. It needs no quotes in a header field.
    static func make(_ random: any RandomSource, avoiding contents: [Data]) -> String {
        var count = 0
        while true {
            // The number makes each boundary different, so that a random source that repeats itself does not cause an endless loop.
            let boundary = "martlet-" + hex(random.next()) + hex(random.next()) + (count == 0 ? "" : "-\(count)")
            if !contents.contains(where: { contains(boundary, $0) }) { return boundary }
            count += 1
        }
    }

    /// Returns whether a text is a valid boundary: 1 to 70 of the allowed characters, without a space at the end.
    static func isValid(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ") && text.utf8.allSatisfy(isAllowed)
    }

    /// Returns whether a boundary occurs in the content of a part.
    static func contains(_ boundary: String, _ content: Data) -> Bool {
        guard content.count >= boundary.utf8.count else { return false }
        return content.withUnsafeBytes { bytes in Array(boundary.utf8).withUnsafeBytes { contains($0, bytes) } }
    }

    private static func contains(_ wanted: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let first = wanted.first else { return false }
        var position = 0
        while bytes.count - position >= wanted.count {
            guard let found = memchr(start + position, Int32(first), bytes.count - position - wanted.count + 1) else { return false }
            if UnsafeRawBufferPointer(start: found, count: wanted.count).elementsEqual(wanted) { return true }
            position = UnsafeRawPointer(found) - start + 1
        }
        return false
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || "'()+_,-./:=? ".utf8.contains(byte) }

    private static func hex(_ number: UInt64) -> String { withUnsafeBytes(of: number.bigEndian) { Hex.text($0) } }
}
