public import MartletEssentials
internal import MartletSystem

/// A file, data or a body for a variable of type `Upload` (GraphQL multipart request specification).
///
/// ```swift
/// let upload = GraphQLUpload(file: url)
/// let operation = GraphQLOperation<JSONValue>("mutation ($file: Upload!) { setAvatar(file: $file) { url } }", variables: ["file": upload])
/// ```
///
/// An upload can be anywhere in the variables: in lists, in input objects, and in properties of an operation's type. An operation with an
/// upload is sent as `multipart/form-data` with `null` in the upload's place. A file is read from disk while it is sent.
public struct GraphQLUpload: Sendable, Hashable {
    enum Content: Sendable {
        case file(URL)
        case body(HTTPBody)
    }

    /// The filename sent to the server.
    public let filename: String
    /// The media type, or nil to derive it from the file's extension.
    public let contentType: String?
    let content: Content
    private let identity: Identity

    /// An object whose identity makes an upload equal only to its copies.
    private final class Identity: Sendable {}

    /// Creates an upload of a file. The file is opened when its part is sent, and read in pieces. A missing file throws
    /// `.http(.invalidRequest)` before anything is sent.
    ///
    /// - Parameters:
    ///   - file: A file URL.
    ///   - filename: The filename sent to the server. Default: the last path component.
    ///   - contentType: The media type. Default: derived from the file's extension, or `application/octet-stream`.
    public init(file: URL, filename: String? = nil, contentType: String? = nil) {
        self.init(.file(file), filename ?? file.lastPathComponent, contentType)
    }

    /// Creates an upload of data in memory.
    public init(data: Data, filename: String, contentType: String = "application/octet-stream") {
        self.init(.body(HTTPBody(data)), filename, contentType)
    }

    /// Creates an upload of any body, such as a stream with or without a known length. A body that can be read only once cannot be sent
    /// again after a redirect or a 401.
    public init(body: HTTPBody, filename: String, contentType: String = "application/octet-stream") {
        self.init(.body(body), filename, contentType)
    }

    private init(_ content: Content, _ filename: String, _ contentType: String?) {
        self.content = content
        self.filename = filename
        self.contentType = contentType
        identity = Identity()
    }

    /// Whether both are the same upload or copies of it. Uploads created separately differ, even with equal content.
    public static func == (left: Self, right: Self) -> Bool { left.identity === right.identity }

    /// Hashes the identity of the upload.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension GraphQLUpload: Encodable {
    /// Encodes `null`, and registers the upload with its path for the multipart form.
    public func encode(to encoder: any Encoder) throws {
        UploadCollector.current?.add(self, at: encoder.codingPath)
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

/// An upload and its path in the request: `variables`, `files`, `0`.
struct LocatedUpload: Sendable {
    let steps: [String]
    let upload: GraphQLUpload
}

/// Collects the uploads in a value while it is encoded.
final class UploadCollector: Sendable {
    /// The collector of the current encoding.
    @TaskLocal static var current: UploadCollector?

    private let found = Locked<[LocatedUpload]>([])

    /// The uploads with their paths.
    var uploads: [LocatedUpload] { found.withLock { $0 } }

    func add(_ upload: GraphQLUpload, at path: [any CodingKey]) {
        let upload = LocatedUpload(steps: UploadCollector.steps(path), upload: upload)
        found.withLock { $0.append(upload) }
    }

    /// Removes the uploads of a value that a later one replaces.
    func forget(below path: [any CodingKey]) {
        let place = UploadCollector.steps(path)
        found.withLock { $0.removeAll { $0.steps.starts(with: place) } }
    }

    private static func steps(_ path: [any CodingKey]) -> [String] {
        // A member named "007" has an integer value too, but its name must be kept.
        path.map { key in if let index = key.intValue, key.stringValue == "Index \(index)" { "\(index)" } else { key.stringValue } }
    }
}
