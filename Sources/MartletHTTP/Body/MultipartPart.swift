public import MartletEssentials

/// One part of a multipart body: header fields and content in memory, in a file or from a stream.
///
/// ```swift
/// let parts: [MultipartPart] = [
///     .text("title", "Swift"),
///     .file("photo", url, filename: "swift.jpg"),
///     .data("thumbnail", png, filename: "small.png", contentType: "image/png"),
///     .stream("log", chunks, filename: "today.log", contentType: "text/plain"),
/// ]
/// ```
///
/// Names are sent as UTF-8. `"`, CR and LF are escaped as browsers do (`%22`, `%0D`, `%0A`). Header fields that you give replace the
/// part's default fields. A field that could inject a line fails with `.invalidRequest` when the request is created.
public struct MultipartPart: Sendable {
    enum Content: Sendable {
        case body(HTTPBody)
        /// The length is determined when the request is created. The file is opened when its part is sent.
        case file(URL)
    }

    /// The header fields of the part: `Content-Disposition`, `Content-Type` and any others.
    public var headers: HTTPFields
    let content: Content

    /// Creates a part with the given header fields, as in `multipart/mixed` and `multipart/related`.
    public init(headers: HTTPFields = [:], body: HTTPBody) { self.init(headers: headers, content: .body(body)) }

    init(headers: HTTPFields, content: Content) {
        self.headers = headers
        self.content = content
    }

    /// Creates a part of a form.
    private init(_ name: String, filename: String?, contentType: String?, headers: HTTPFields, _ content: Content) {
        var all = HTTPFields()
        all.append("Content-Disposition", ContentDisposition.formData(name: name, filename: filename))
        if let contentType { all.append(.contentType, contentType) }
        all.replace(with: headers)
        self.init(headers: all, content: content)
    }

    /// Returns a text part, sent unchanged as UTF-8. Like in browsers' forms, it has no `Content-Type` (RFC 7578 §4.4).
    public static func text(_ name: String, _ value: String, headers: HTTPFields = [:]) -> Self {
        Self(name, filename: nil, contentType: nil, headers: headers, .body(HTTPBody(value)))
    }

    /// Returns a part of bytes in memory. Servers treat it as text if it has no `filename`. Default type: `application/octet-stream`.
    public static func data(
        _ name: String, _ data: Data, filename: String? = nil, contentType: String = "application/octet-stream", headers: HTTPFields = [:]
    ) -> Self {
        Self(name, filename: filename, contentType: contentType, headers: headers, .body(HTTPBody(data)))
    }

    /// Returns a part of a regular file. It is opened when its part is sent and read in pieces, never completely in memory.
    ///
    /// Its length is determined when the request is created. If the file does not exist then, the request fails with `.invalidRequest`. If
    /// it is missing or shorter when its part is sent, sending fails and the server never receives a body that looks complete.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - url: A file URL.
    ///   - filename: The file name for the server. Default: the last component of the path.
    ///   - contentType: The media type. Default: derived from common file extensions, otherwise `application/octet-stream`.
    ///   - headers: Additional header fields.
    public static func file(
        _ name: String, _ url: URL, filename: String? = nil, contentType: String? = nil, headers: HTTPFields = [:]
    ) -> Self {
        let filename = filename ?? url.lastPathComponent
        return Self(
            name, filename: filename, contentType: contentType ?? FileType.guess(of: filename), headers: headers, .file(url))
    }

    /// Returns a part with any body. Default type: `application/octet-stream`.
    public static func body(
        _ name: String, _ body: HTTPBody, filename: String? = nil, contentType: String = "application/octet-stream",
        headers: HTTPFields = [:]
    ) -> Self {
        Self(name, filename: filename, contentType: contentType, headers: headers, .body(body))
    }

    /// Returns a part of the chunks of an `AsyncSequence` of `Data`, `[UInt8]` or another collection of bytes.
    ///
    /// Without a `length`, the length of the whole body is unknown. Unless the part is `replayable`, the whole body can't be sent again.
    /// More or fewer bytes than `length` fail with `.invalidRequest`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Chunks, length: Int64? = nil, replayable: Bool = false, filename: String? = nil,
        contentType: String = "application/octet-stream", headers: HTTPFields = [:]
    ) -> Self where Chunks.Element: Collection<UInt8> {
        let body = HTTPBody(sequence, length: length, replayable: replayable)
        return .body(name, body, filename: filename, contentType: contentType, headers: headers)
    }

    /// Returns a part of the chunks of a sequence that is created for each attempt, so that the body can be replayed.
    public static func stream<Chunks: AsyncSequence>(
        _ name: String, length: Int64? = nil, replayable: Bool = true, filename: String? = nil,
        contentType: String = "application/octet-stream", headers: HTTPFields = [:],
        _ makeSequence: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> {
        let body = HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence)
        return .body(name, body, filename: filename, contentType: contentType, headers: headers)
    }

    /// The number of bytes of the content, or nil if it is not known or the content is a file.
    var length: Int64? { if case .body(let body) = content { body.length } else { nil } }

    package var isFile: Bool { if case .file = content { true } else { false } }

    var isReplayable: Bool { if case .body(let body) = content { body.isReplayable } else { true } }

    /// The content if it is in memory, or nil.
    var buffered: Data? { if case .body(let body) = content { body.buffered } else { nil } }

    /// Returns the content as a body. Determines the length of a file.
    func body() throws(HTTPError) -> HTTPBody {
        switch content {
        case .body(let body): body
        case .file(let url): try HTTPBody(file: url)
        }
    }

    /// Returns the header fields as they are sent, with the empty line after them.
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

/// Finds media types by file extension.
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
