public import MartletEssentials

/// What a request sends: encoded when the request is made, with the client's encoder.
///
/// ```swift
/// .json(draft)                                       // any Encodable
/// .json(["address": address, "visible": true])       // keys verbatim, nil is null
/// .form(["grant_type": "refresh_token"])
/// .data(png, contentType: "image/png")
/// .file(url, contentType: "video/mp4")               // never loaded whole
/// .stream(sensor.samples, length: 4096)              // any AsyncSequence of bytes
/// .multipart([.text("title", "Swift"), .file("photo", url)])
/// ```
///
/// A `Content-Type` among the request's own headers wins over the body's.
public struct RequestBody: Sendable {
    private enum Content: Sendable {
        case encoded(@Sendable (any BodyEncoder) throws -> Data)
        case form(Form)
        case data(Data)
        /// A body that is made when the request is, by looking at a file.
        case file(@Sendable () throws(HTTPError) -> HTTPBody)
        case stream(HTTPBody)
        case multipart(Multipart)
    }

    private let content: Content

    /// The media type; nil when it is the encoder's.
    public let contentType: String?

    /// The number of bytes, when it is known before the request is made.
    ///
    /// That of a file, on its own or as a part, is looked up when the request is made.
    public var length: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .stream(let body): body.length
        case .multipart(let multipart): multipart.length
        case .encoded, .form, .file: nil
        }
    }

    /// Whether it can be sent again: after a redirect, or by a retry.
    public var isReplayable: Bool {
        switch content {
        case .stream(let body): body.isReplayable
        case .multipart(let multipart): multipart.isReplayable
        case .encoded, .form, .data, .file: true
        }
    }

    /// Whether making it looks at files, which may block for as long as their file system does.
    var hasFiles: Bool {
        switch content {
        case .file: true
        case .multipart(let multipart): multipart.parts.contains(where: \.isFile)
        case .encoded, .form, .data, .stream: false
        }
    }

    /// A value, encoded by the client's encoder: JSON unless the client was given another.
    @_disfavoredOverload
    public static func json<Value: Encodable & Sendable>(_ value: Value) -> Self {
        Self(content: .encoded { try $0.encode(value) }, contentType: nil)
    }

    /// A JSON value. Its keys stay verbatim, whatever the client's encoder does to keys.
    public static func json(_ value: JSONValue) -> Self {
        Self(content: .encoded { _ in try JSONBodyEncoder.json.encode(value) }, contentType: "application/json")
    }

    /// A JSON object of mixed values. Its keys stay verbatim, nil is null, and a key that comes twice has its last value.
    public static func json(_ members: KeyValuePairs<String, (any Encodable & Sendable)?>) -> Self {
        let object = Dictionary(members.map { ($0.key, AnyEncodable(value: $0.value)) }, uniquingKeysWith: { $1 })
        return Self(content: .encoded { try $0.encode(object) }, contentType: nil)
    }

    /// A JSON object from a dictionary of values of any types. Its keys stay verbatim.
    @_disfavoredOverload
    public static func json(_ members: [String: any Encodable & Sendable]) -> Self {
        let object = members.mapValues { AnyEncodable(value: $0) }
        return Self(content: .encoded { try $0.encode(object) }, contentType: nil)
    }

    /// JSON that is encoded already, sent as it is: `application/json`.
    public static func jsonData(_ data: Data) -> Self { .data(data, contentType: "application/json") }

    /// A form: `application/x-www-form-urlencoded`.
    public static func form(_ form: Form) -> Self { Self(content: .form(form), contentType: "application/x-www-form-urlencoded") }

    /// The members of a value as a form.
    @_disfavoredOverload
    public static func form<Members: Encodable & Sendable>(_ members: Members) -> Self { .form(Form(members)) }

    /// Bytes. Default type: `application/octet-stream`.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> Self {
        Self(content: .data(data), contentType: contentType)
    }

    /// A text in UTF-8. Default type: `text/plain; charset=utf-8`.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> Self {
        .data(Data(text.utf8), contentType: contentType)
    }

    /// A regular file, read while it is sent. Default type: `application/octet-stream`.
    ///
    /// A file that is not there, or can't be read, is `.invalidRequest` before anything is sent.
    public static func file(_ url: URL, contentType: String = "application/octet-stream") -> Self {
        .examined(contentType: contentType) { () throws(HTTPError) in try HTTPBody(file: url) }
    }

    /// A body that `examine` makes when the request is made: on a lane where it may block.
    package static func examined(contentType: String, _ examine: @escaping @Sendable () throws(HTTPError) -> HTTPBody) -> Self {
        Self(content: .file(examine), contentType: contentType)
    }

    /// A body that is there already: read once when it is a stream that is read once. Default type: `application/octet-stream`.
    public static func stream(_ body: HTTPBody, contentType: String = "application/octet-stream") -> Self {
        Self(content: .stream(body), contentType: contentType)
    }

    /// Parts, each with fields of its own (RFC 7578): `multipart/form-data`.
    ///
    /// ```swift
    /// .multipart([.text("title", "Swift"), .file("photo", url, contentType: "image/png")])
    /// ```
    public static func multipart(_ parts: [MultipartPart]) -> Self { .multipart(Multipart(parts)) }

    /// Parts with a subtype or a boundary of one's own.
    public static func multipart(_ multipart: Multipart) -> Self {
        Self(content: .multipart(multipart), contentType: multipart.contentType)
    }

    /// The body as a message has it, and its media type.
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
}

/// A value whose type is forgotten but for how it is encoded; nil is null.
private struct AnyEncodable: Encodable, Sendable {
    let value: (any Encodable & Sendable)?

    func encode(to encoder: any Encoder) throws {
        // Through a container rather than `value.encode(to:)`, so that the encoder's own forms of dates and data apply.
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
