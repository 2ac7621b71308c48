public import MartletEssentials
internal import MartletSystem

/// A file or bytes for a variable of type `Upload` (GraphQL multipart request specification).
///
/// ```swift
/// let upload = GraphQLUpload(file: url)
/// let operation = GraphQLOperation<Avatar>("mutation ($file: Upload!) { setAvatar(file: $file) { url } }", variables: ["file": upload])
/// ```
///
/// It may stand anywhere in the variables: in lists, in input objects, in a property of an operation's struct. An operation with an upload
/// is sent as `multipart/form-data`, with `null` in the upload's place; a file is read from the disk while it is sent.
public struct GraphQLUpload: Sendable, Hashable {
    enum Content: Sendable {
        case file(URL)
        case body(HTTPBody)
    }

    /// The name that the server is told.
    public let filename: String
    /// The media type; nil for what the file's name says.
    public let contentType: String?
    let content: Content
    private let identity: Identity

    /// What makes one equal to its copies, and to no other.
    private final class Identity: Sendable {}

    /// A file, opened when its turn comes and read in pieces. One that is not there is `.http(.invalidRequest)` before anything is sent.
    ///
    /// - Parameters:
    ///   - file: a file URL.
    ///   - filename: Default: the last part of the path.
    ///   - contentType: Default: by the file's extension, else `application/octet-stream`.
    public init(file: URL, filename: String? = nil, contentType: String? = nil) {
        self.init(.file(file), filename ?? file.lastPathComponent, contentType)
    }

    /// Bytes in memory.
    public init(data: Data, filename: String, contentType: String = "application/octet-stream") {
        self.init(.body(HTTPBody(data)), filename, contentType)
    }

    /// A body of any kind: a stream with or without a length. One that can be read once can't be sent again after a redirect or a 401.
    public init(body: HTTPBody, filename: String, contentType: String = "application/octet-stream") {
        self.init(.body(body), filename, contentType)
    }

    private init(_ content: Content, _ filename: String, _ contentType: String?) {
        self.content = content
        self.filename = filename
        self.contentType = contentType
        identity = Identity()
    }

    /// Whether both are the same upload, or a copy of it.
    public static func == (left: Self, right: Self) -> Bool { left.identity === right.identity }

    /// Feeds which upload it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension GraphQLUpload: Encodable {
    /// Writes `null`, and tells whoever collects uploads where it stands.
    public func encode(to encoder: any Encoder) throws {
        UploadCollector.current?.add(self, at: encoder.codingPath)
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

/// An upload, and where in the request it stands: `variables`, `files`, `0`.
struct LocatedUpload: Sendable {
    let steps: [String]
    let upload: GraphQLUpload
}

/// Finds the uploads in what is encoded.
final class UploadCollector: Sendable {
    /// The one of the encoding under way.
    @TaskLocal static var current: UploadCollector?

    private let found = Locked<[LocatedUpload]>([])

    /// The uploads with their places.
    var uploads: [LocatedUpload] { found.withLock { $0 } }

    func add(_ upload: GraphQLUpload, at path: [any CodingKey]) {
        let upload = LocatedUpload(steps: UploadCollector.steps(path), upload: upload)
        found.withLock { $0.append(upload) }
    }

    /// Forgets the uploads in a value that is written over.
    func forget(below path: [any CodingKey]) {
        let place = UploadCollector.steps(path)
        found.withLock { $0.removeAll { $0.steps.starts(with: place) } }
    }

    private static func steps(_ path: [any CodingKey]) -> [String] {
        // A member that is called "007" has an index too, which is another name.
        path.map { key in if let index = key.intValue, key.stringValue == "Index \(index)" { "\(index)" } else { key.stringValue } }
    }
}
