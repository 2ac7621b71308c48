internal import MartletEssentials
internal import MartletSystem

/// A body of several parts (RFC 2046 §5.1, RFC 7578).
///
/// ```swift
/// let form = Multipart([.text("title", "Swift"), .file("photo", url)])
/// let letter = Multipart([MultipartPart(headers: ["Content-Type": "text/html"], body: page)], subtype: "related")
/// ```
///
/// Its length is known in advance when each part knows its own: then it is sent with `Content-Length`, else in chunks. It can be sent
/// again when each part can. Nothing is copied to a file or gathered in memory.
///
/// The boundary has 128 random bits. Contents in memory and fields are searched, and another boundary is chosen when it is in one of
/// them; what files and streams will give can't be searched, and there the odds are one in 2^128 for each place where it could stand.
public struct Multipart: Sendable {
    /// The parts, in order.
    public let parts: [MultipartPart]
    /// What kind of parts they are: `form-data`, `mixed`, `related`, …
    public let subtype: String
    /// What stands between the parts.
    public let boundary: String
    /// What is wrong with a boundary of the user's own.
    private let problem: String?
    /// Whether a body that can be sent once has been.
    private let isTaken = Locked(false)

    /// A body of parts with a boundary of its own.
    ///
    /// - Parameters:
    ///   - parts: the parts; there may be none.
    ///   - subtype: a token. Default: `form-data`.
    ///   - random: where the boundary comes from. Default: the system's.
    public init(_ parts: [MultipartPart], subtype: String = "form-data", random: any RandomSource = .system) {
        let contents = parts.flatMap { [$0.head(), $0.buffered].compactMap(\.self) }
        self.init(parts, subtype, boundary: MultipartBoundary.make(random, avoiding: contents), problem: nil)
    }

    /// A body of parts with a given boundary.
    ///
    /// A boundary that is not 1 to 70 of the allowed characters (RFC 2046 §5.1.1), or is found in a part, is `.invalidRequest` when the
    /// request is made.
    public init(_ parts: [MultipartPart], subtype: String = "form-data", boundary: String) {
        var problem: String?
        if !MultipartBoundary.isValid(boundary) {
            problem = "the boundary can't be one: “\(Redaction.line(boundary, limit: 80))”"
        } else if parts.contains(where: { part in
            MultipartBoundary.contains(boundary, part.head()) || part.buffered.map { MultipartBoundary.contains(boundary, $0) } ?? false
        }) {
            problem = "the boundary is in the content of a part"
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

    /// How many bytes the whole body has; nil when a part does not know, or is a file, whose length is looked up when the request is made.
    public var length: Int64? {
        // Without reading what a file's or a stream's part does not know.
        length(of: parts.map { (head($0), $0.length) })
    }

    /// Whether it can be sent more than once.
    public var isReplayable: Bool { parts.allSatisfy(\.isReplayable) }

    /// The whole as a body.
    ///
    /// Throws `.invalidRequest` for a field that could inject a line, a subtype that is no token, a boundary that can't be one, and a file
    /// that is not there or can't be read.
    public func body() throws(HTTPError) -> HTTPBody {
        try check()
        let opened = try parts.map { part throws(HTTPError) in (head: head(part), body: try part.body()) }
        let total = length(of: opened.map { ($0.head, $0.body.length) })
        let pieces = opened.flatMap { [.bytes($0.head), .body($0.body), .bytes(Multipart.partEnd)] as [MultipartReading.Piece] }
        let reading = MultipartReading(pieces + [.bytes(end)])
        // A second attempt must fail at once, and not begin with the first part to break off at the stream that is gone.
        guard isReplayable else { return HTTPBody(reader: reading.reader(onlyIfFirst: isTaken), length: total) }
        return HTTPBody(length: total, makeReader: { () throws(HTTPError) in reading.reader() })
    }

    // What stands around the contents.
    private static let partEnd = Data("\r\n".utf8)
    private var end: Data { Data("--\(boundary)--\r\n".utf8) }
    private func head(_ part: MultipartPart) -> Data { Data("--\(boundary)\r\n".utf8) + part.head() }

    /// How many bytes the whole has with these parts; nil when one of them does not know.
    private func length(of parts: [(head: Data, content: Int64?)]) -> Int64? {
        parts.reduce(Int64(end.count)) { sum, part in
            sum.flatMap { sum in part.content.map { sum + Int64(part.head.count) + $0 + Int64(Multipart.partEnd.count) } }
        }
    }

    private func check() throws(HTTPError) {
        if let problem { throw .invalidRequest(Explanation(problem)) }
        guard !subtype.isEmpty, subtype.utf8.allSatisfy(Token.contains) else {
            throw .invalidRequest(Explanation("a multipart subtype is a token: “\(Redaction.line(subtype, limit: 40))”"))
        }
        for part in parts {
            guard let line = part.headers.firstInvalidLine else { continue }
            let name = Redaction.line(line.name.rawName, limit: 60)
            throw .invalidRequest(Explanation("the field “\(name)” of a part has a name or value that can't be written as one line"))
        }
    }
}

extension Multipart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The subtype and the number of parts; nothing of what is in them.
    public var description: String { "multipart/\(subtype), \(parts.count) parts" }
}
