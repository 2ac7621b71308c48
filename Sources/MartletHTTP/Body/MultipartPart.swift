public import MartletEssentials

/// One part of a multipart body: fields, and a content that may be in memory, in a file, or a stream.
///
/// ```swift
/// .text("title", "Swift")
/// .file("photo", url, filename: "swift.jpg")
/// .data("thumbnail", png, filename: "small.png", contentType: "image/png")
/// .stream("log", lines, filename: "today.log", contentType: "text/plain")
/// ```
///
/// Names are sent as UTF-8, with `"`, CR and LF escaped as browsers do it (`%22`, `%0D`, `%0A`). Fields of one's own win over those that
/// a part would have by itself; one that could inject a line is `.invalidRequest` when the request is made.
public struct MultipartPart: Sendable {
    enum Content: Sendable {
        case body(HTTPBody)
        /// Looked up when the request is made, opened when its turn comes.
        case file(URL)
    }

    /// The fields of the part: `Content-Disposition`, `Content-Type` and any others.
    public var headers: HTTPFields
    let content: Content

    /// A part with fields of one's own, as `multipart/mixed` and `multipart/related` have them.
    public init(headers: HTTPFields = [:], body: HTTPBody) { self.init(headers: headers, content: .body(body)) }

    init(headers: HTTPFields, content: Content) {
        self.headers = headers
        self.content = content
    }

    /// A part of a form.
    private init(_ name: String, filename: String?, contentType: String?, headers: HTTPFields, _ content: Content) {
        var all = HTTPFields()
        all.append("Content-Disposition", ContentDisposition.formData(name: name, filename: filename))
        if let contentType { all.append(.contentType, contentType) }
        all.replace(with: headers)
        self.init(headers: all, content: content)
    }

    /// A text, sent as UTF-8, byte by byte as it is. It has no `Content-Type`, as in browsers' forms (RFC 7578 §4.4).
    public static func text(_ name: String, _ value: String, headers: HTTPFields = [:]) -> Self {
        Self(name, filename: nil, contentType: nil, headers: headers, .body(HTTPBody(value)))
    }

    /// Bytes in memory. Without a `filename`, servers take them for a text. Default type: `application/octet-stream`.
    public static func data(
        _ name: String, _ data: Data, filename: String? = nil, contentType: String = "application/octet-stream", headers: HTTPFields = [:]
    ) -> Self {
        Self(name, filename: filename, contentType: contentType, headers: headers, .body(HTTPBody(data)))
    }

    /// A regular file, opened when its turn comes and read in pieces: never whole in memory, and never copied.
    ///
    /// Its length is that of the moment when the request is made. A file that is not there then, or is gone or shorter when its turn
    /// comes, is `.invalidRequest`, and the server never gets a body that looks whole.
    ///
    /// - Parameters:
    ///   - name: of the form's field.
    ///   - url: a file URL.
    ///   - filename: what the server is told. Default: the last part of the path.
    ///   - contentType: its media type. Default: by the file's extension where it is one of the usual two dozen, else
    ///     `application/octet-stream`.
    ///   - headers: fields of one's own.
    public static func file(
        _ name: String, _ url: URL, filename: String? = nil, contentType: String? = nil, headers: HTTPFields = [:]
    ) -> Self {
        let filename = filename ?? url.lastPathComponent
        return Self(
            name, filename: filename, contentType: contentType ?? FileType.guess(of: filename), headers: headers, .file(url))
    }

    /// A body of any kind. Default type: `application/octet-stream`.
    public static func body(
        _ name: String, _ body: HTTPBody, filename: String? = nil, contentType: String = "application/octet-stream",
        headers: HTTPFields = [:]
    ) -> Self {
        Self(name, filename: filename, contentType: contentType, headers: headers, .body(body))
    }

    /// The chunks of an `AsyncSequence` of `Data`, `[UInt8]` or any other collection of bytes.
    ///
    /// A part without a `length` makes the length of the whole body unknown, and one that is not `replayable` makes it impossible to send
    /// again. More or fewer bytes than `length` are `.invalidRequest`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Chunks, length: Int64? = nil, replayable: Bool = false, filename: String? = nil,
        contentType: String = "application/octet-stream", headers: HTTPFields = [:]
    ) -> Self where Chunks.Element: Collection<UInt8> {
        let body = HTTPBody(sequence, length: length, replayable: replayable)
        return .body(name, body, filename: filename, contentType: contentType, headers: headers)
    }

    /// The chunks of a sequence that is made for each attempt, and so can be sent again.
    public static func stream<Chunks: AsyncSequence>(
        _ name: String, length: Int64? = nil, replayable: Bool = true, filename: String? = nil,
        contentType: String = "application/octet-stream", headers: HTTPFields = [:],
        _ makeSequence: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> {
        let body = HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence)
        return .body(name, body, filename: filename, contentType: contentType, headers: headers)
    }

    /// How many bytes the content has, when it is known without looking at a file.
    var length: Int64? { if case .body(let body) = content { body.length } else { nil } }

    package var isFile: Bool { if case .file = content { true } else { false } }

    var isReplayable: Bool { if case .body(let body) = content { body.isReplayable } else { true } }

    /// The content, when it is in memory.
    var buffered: Data? { if case .body(let body) = content { body.buffered } else { nil } }

    /// The content as a body, its length looked up when it is a file.
    func body() throws(HTTPError) -> HTTPBody {
        switch content {
        case .body(let body): body
        case .file(let url): try HTTPBody(file: url)
        }
    }

    /// The fields as they are written, with the empty line behind them.
    func head() -> Data {
        var head = Data()
        headers.forEachLineOfBytes { name, value in
            head.append(contentsOf: name)
            head.append(contentsOf: ": ".utf8)
            head.append(contentsOf: value)
            head.append(contentsOf: "\r\n".utf8)
        }
        head.append(contentsOf: "\r\n".utf8)
        return head
    }
}

/// Media types by the extensions of files' names.
enum FileType {
    private static let types = [
        "avif": "image/avif", "css": "text/css", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "tiff": "image/tiff", "txt": "text/plain",
        "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    static func guess(of filename: String) -> String {
        guard let dot = filename.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[filename[dot...].dropFirst().lowercased()] ?? "application/octet-stream"
    }
}
