public import MartletEssentials

/// The body of a request: an encoded value, a form, bytes, a file, a stream or several parts. The client's encoder encodes values when a
/// call begins.
///
/// ```swift
/// let bodies: [RequestBody] = [
///     .json(user),                                       // any Encodable
///     .json(["address": nil, "visible": true]),          // keys verbatim, nil is null
///     .form(["grant_type": "refresh_token"]),
///     .data(png, contentType: "image/png"),
///     .file(url, contentType: "video/mp4"),              // never loaded into memory as a whole
///     .stream(chunks, length: 4096),                     // any AsyncSequence of bytes
///     .multipart([.text("title", "Swift"), .file("photo", url)]),
/// ]
/// ```
///
/// A `Content-Type` among the request's header fields takes precedence over the body's media type.
public struct RequestBody: Sendable {
    private enum Content: Sendable {
        case encoded(@Sendable (any BodyEncoder) throws -> Data)
        case form(Form)
        case data(Data)
        /// A body that is created with the request, because its file must be examined.
        case file(@Sendable () throws(HTTPError) -> HTTPBody)
        case stream(HTTPBody)
        case multipart(Multipart)
    }

    private let content: Content

    /// The media type, or nil if the client's encoder determines it.
    public let contentType: String?

    /// The number of bytes, or nil if it is not known yet.
    ///
    /// The length of a file, alone or as a part of a multipart body, is determined when the request is created.
    public var length: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .stream(let body): body.length
        case .multipart(let multipart): multipart.length
        case .encoded, .form, .file: nil
        }
    }

    /// Whether the body can be sent more than once, as a redirect or a retry may require; false for a stream that can be read only once.
    public var isReplayable: Bool {
        switch content {
        case .stream(let body): body.isReplayable
        case .multipart(let multipart): multipart.isReplayable
        case .encoded, .form, .data, .file: true
        }
    }

    /// Whether creating the body reads file attributes, which may block as long as the file system does.
    var hasFiles: Bool {
        switch content {
        case .file: true
        case .multipart(let multipart): multipart.parts.contains(where: \.isFile)
        case .encoded, .form, .data, .stream: false
        }
    }

    /// Creates a body from a value that the client's encoder encodes, as JSON unless the client has an encoder for another format.
    @_disfavoredOverload
    public static func json<Value: Encodable & Sendable>(_ value: Value) -> Self {
        Self(content: .encoded { try $0.encode(value) }, contentType: nil)
    }

    /// Creates a body from a JSON value, whose keys are sent verbatim, regardless of the key strategy of the client's encoder.
    public static func json(_ value: JSONValue) -> Self {
        Self(content: .encoded { _ in try JSONBodyEncoder.json.encode(value) }, contentType: "application/json")
    }

    /// Creates a body that is a JSON object from pairs of mixed types, with nil as null. Keys are sent verbatim, and the last of several
    /// equal keys wins.
    public static func json(_ members: KeyValuePairs<String, (any Encodable & Sendable)?>) -> Self {
        let members = members.map { ($0.key, $0.value.map { MixedValue.value($0) } ?? .null) }
        return .json(MixedValue.object(Dictionary(members, uniquingKeysWith: { $1 })))
    }

    /// Creates a body that is a JSON object from a dictionary of mixed types. Keys are sent verbatim.
    @_disfavoredOverload
    public static func json(_ members: [String: any Encodable & Sendable]) -> Self {
        .json(MixedValue.object(members.mapValues { .value($0) }))
    }

    /// Creates a body that is a JSON object from a dictionary whose values the compiler does not know, such as the parameters of an older
    /// network layer. Keys are sent verbatim, and nil and `NSNull` as null.
    ///
    /// ```swift
    /// let parameters: [String: Any] = ["user": ["name": name, "born": date], "tags": ["a", "b"]]
    /// let body: RequestBody = .json(untyped: parameters)
    /// ```
    ///
    /// A value can be text, a number, a Boolean, a `Date`, a `URL`, a `UUID`, a `Data`, their counterparts of Foundation such as
    /// `NSNumber`, or an array or a dictionary of such values. A value of any other `Encodable` type is encoded immediately with `.json`:
    /// the client's encoder and its strategies do not apply to it. With any other value, the call throws `.encodingFailed`, which names the
    /// key and the type: `user.avatar: UIImage can't be encoded`.
    public static func json(untyped members: [String: Any]) -> Self { .json(MixedValue(untyped: members)) }

    /// Unavailable: a value of the dictionary is not known to be `Encodable`.
    @available(*, unavailable, message: "each value must be Encodable & Sendable; a [String: Any] is sent with .json(untyped:)")
    @_disfavoredOverload
    public static func json(_ members: [String: Any]) -> Self { .json(untyped: members) }

    /// Creates a body from encoded JSON, which is sent unchanged as `application/json`.
    public static func jsonData(_ data: Data) -> Self { .data(data, contentType: "application/json") }

    /// Creates a body from a form, sent as `application/x-www-form-urlencoded`.
    public static func form(_ form: Form) -> Self { Self(content: .form(form), contentType: "application/x-www-form-urlencoded") }

    /// Creates a form body from the encoded members of a value (`application/x-www-form-urlencoded`).
    @_disfavoredOverload
    public static func form<Members: Encodable & Sendable>(_ members: Members) -> Self { .form(Form(members)) }

    /// Creates a body from bytes. Default media type: `application/octet-stream`.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> Self {
        Self(content: .data(data), contentType: contentType)
    }

    /// Creates a body from a string in UTF-8. Default media type: `text/plain; charset=utf-8`.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self {
        .data(Data(text.utf8), contentType: contentType)
    }

    /// Creates a body from a regular file, which is read while it is sent. Default media type: `application/octet-stream`.
    ///
    /// A file that is missing or can't be read makes the call throw `.invalidRequest` before anything is sent.
    public static func file(_ url: URL, contentType: String = "application/octet-stream") -> Self {
        .examined(contentType: contentType) { () throws(HTTPError) in try HTTPBody(file: url) }
    }

    /// Creates a body by calling `examine` when the request is created, on a lane where it may block.
    package static func examined(contentType: String, _ examine: @escaping @Sendable () throws(HTTPError) -> HTTPBody) -> Self {
        Self(content: .file(examine), contentType: contentType)
    }

    /// Creates a body from an existing `HTTPBody`, which is sent once if it can be read only once. Default media type:
    /// `application/octet-stream`.
    public static func stream(_ body: HTTPBody, contentType: String = "application/octet-stream") -> Self {
        Self(content: .stream(body), contentType: contentType)
    }

    /// Creates a `multipart/form-data` body (RFC 7578) from parts, each with its own header fields.
    ///
    /// ```swift
    /// let body: RequestBody = .multipart([.text("title", "Swift"), .file("photo", url, contentType: "image/png")])
    /// ```
    public static func multipart(_ parts: [MultipartPart]) -> Self { .multipart(Multipart(parts)) }

    /// Creates a multipart body with its own subtype or boundary.
    public static func multipart(_ multipart: Multipart) -> Self {
        Self(content: .multipart(multipart), contentType: multipart.contentType)
    }

    /// Returns the bytes to send and their media type.
    func encoded(with encoder: any BodyEncoder) throws(HTTPError) -> (body: HTTPBody, contentType: String) {
        switch content {
        case .data(let data): return (HTTPBody(data), contentType ?? "application/octet-stream")
        case .file(let examine): return (try examine(), contentType ?? "application/octet-stream")
        case .stream(let body): return (body, contentType ?? "application/octet-stream")
        case .multipart(let multipart): return (try multipart.body(), contentType ?? multipart.contentType)
        case .form(let form): return (HTTPBody(try form.encoded(with: encoder)), contentType ?? encoder.contentType)
        case .encoded(let encode):
            do { return (HTTPBody(try encode(encoder)), contentType ?? encoder.contentType) } catch {
                throw .encodingFailed(
                    Explanation("the body: \(CodingPath.explain(error))", context: ErrorContext(underlying: error)))
            }
        }
    }

    /// Creates a body from an `AsyncSequence` of chunks of bytes, which are sent as the sequence produces them. A chunk is a `Data`, a
    /// `[UInt8]` or another collection of bytes.
    ///
    /// ```swift
    /// let audio: RequestBody = .stream(recording, contentType: "audio/ogg")
    /// let archive: RequestBody = .stream(chunks, length: 1_048_576, replayable: true)
    /// ```
    ///
    /// The next chunk is requested only after the previous one was taken, so a slow server slows the sequence down. The sequence runs in a
    /// task of its own, which is cancelled when the call ends first.
    ///
    /// If the sequence throws, the connection is closed and the call throws `.encodingFailed` with the error as `HTTPError.underlying`;
    /// an `HTTPError` is passed on. If it produces more or fewer bytes than `length`, the call throws `.invalidRequest`. In both cases the
    /// server does not receive a body that looks complete.
    ///
    /// - Parameters:
    ///   - sequence: The chunks.
    ///   - length: The total number of bytes, sent as `Content-Length`. Default: nil, unknown; the body is sent in chunks (RFC 9112 §7.1),
    ///     which some servers refuse.
    ///   - replayable: Whether each iteration of the sequence starts from the beginning and produces the same bytes. Default: false; a
    ///     redirect or a retry that needs the body again throws `.bodyNotReplayable`.
    ///   - contentType: The media type. Default: `application/octet-stream`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ sequence: Chunks, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// Creates a body from an `AsyncSequence` of single bytes, such as those of a file handle.
    ///
    /// The bytes are sent in chunks of 16 KiB; bytes of a slow sequence wait until a chunk is full or the sequence ends. Otherwise the
    /// contract is that of a sequence of chunks.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// Creates a body from a sequence that is created for each attempt, so that a redirect or a retry can send it again.
    ///
    /// ```swift
    /// let body: RequestBody = .stream(length: 1_048_576) { try openExport() }
    /// ```
    ///
    /// Each sequence must produce the same bytes. An error of `makeSequence` is handled like an error of the sequence. With `replayable:
    /// false`, `makeSequence` is called once, when the body is first needed. Otherwise the contract is that of an existing sequence.
    public static func stream<Chunks: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }

    /// Creates a body from a sequence of single bytes that is created for each attempt. The bytes are sent in chunks of 16 KiB.
    public static func stream<Bytes: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Bytes
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }
}
