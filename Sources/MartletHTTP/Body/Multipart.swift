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
    /// The multipart subtype: `form-data`, `mixed`, `related`, …
    public let subtype: String
    /// The boundary between the parts.
    public let boundary: String
    /// The error of an invalid boundary chosen by the app, or nil.
    private let problem: String?
    /// Whether a body that can be sent only once has been sent.
    private let isTaken = Locked(false)

    /// Creates a body with a random boundary.
    ///
    /// - Parameters:
    ///   - parts: The parts, possibly none.
    ///   - subtype: The multipart subtype, a token. Default: `form-data`.
    ///   - random: The source of the boundary's random bits. Default: the system's.
    public init(_ parts: [MultipartPart], subtype: String = "form-data", random: any RandomSource = .system) {
        let contents = parts.flatMap { [$0.head(), $0.buffered].compactMap(\.self) }
        self.init(parts, subtype, boundary: MultipartBoundary.make(random, avoiding: contents), problem: nil)
    }

    /// Creates a body with the given boundary.
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

    /// The media type with the boundary: `multipart/form-data; boundary=…`.
    public var contentType: String { MediaType(type: "multipart", subtype: subtype, parameters: ["boundary": boundary]).description }

    /// The number of bytes of the whole body. Nil if a part does not know its length or is a file, whose length ``body()`` determines.
    public var length: Int64? {
        // Does not open the files of parts.
        length(of: parts.map { (head($0), $0.length) })
    }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool { parts.allSatisfy(\.isReplayable) }

    /// Returns the multipart body.
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
