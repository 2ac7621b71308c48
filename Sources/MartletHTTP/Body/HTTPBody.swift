public import MartletEssentials

/// The content of a message: bytes in memory, a file, or a stream that is read once or made anew for each reader.
///
/// A response's body is an `AsyncSequence` of chunks:
///
/// ```swift
/// let response = try await client.stream(Request<Data>.get("big.iso"))
/// for try await chunk in response.body { hash.update(chunk) }
/// ```
///
/// A stream flows only as fast as it is read, and dropping it unread stops the transfer. Reading it twice is
/// `HTTPError.bodyNotReplayable`; bytes in memory and files can be read as often as one likes.
public struct HTTPBody: Sendable {
    package enum Storage: Sendable {
        case data(Data)
        case file(FileBody)
        /// Chunks that are made anew for each reader.
        case source(BodySource)
        case stream(BodyStream)
    }

    package let storage: Storage

    /// How many bytes there are, when it is known before reading.
    public let length: Int64?

    /// What the errors of reading it are to say besides; nil for a body that is read where that is known.
    private var message: Message?

    /// Bytes in memory.
    public init(_ data: Data) {
        storage = .data(data)
        length = Int64(data.count)
    }

    /// The bytes of a text in UTF-8.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// A regular file, read when the body is sent.
    ///
    /// Throws `.invalidRequest` when it is not there, is not a regular file or can't be read. Its length is that of this moment:
    /// a file that has become shorter when it is sent is an error, and bytes added later are not sent.
    ///
    /// - Parameters:
    ///   - file: a file URL.
    ///   - start: the first byte that is sent. Default: 0, all of the file.
    public init(file: URL, from start: Int64 = 0) throws(HTTPError) {
        self.init(try FileBody(file, from: start))
    }

    /// Creates a body from a file that was checked before.
    package init(_ file: FileBody) {
        storage = .file(file)
        length = file.length
    }

    /// A stream, read once from `reader`.
    public init(reader: any HTTPBodyReader, length: Int64? = nil) {
        storage = .stream(BodyStream(reader))
        self.length = length
    }

    /// A stream of the chunks that `next` makes until it gives nil, read once.
    ///
    /// An error that `next` throws ends the body: an `HTTPError` as it is, a `CancellationError` as `.cancelled`, and any other as
    /// `.encodingFailed` when the body is sent and as `.networkError(.other)` when it is an answer's, with the error as
    /// ``HTTPError/underlying``.
    public init(length: Int64? = nil, next: @escaping @Sendable () async throws -> Data?) {
        self.init(reader: ClosureBodyReader(next), length: length)
    }

    /// A stream that is made anew, with `makeReader`, each time the body is read or sent: so it can be sent again.
    ///
    /// Each reader must give the same bytes. What `makeReader` throws is what reading throws.
    public init(length: Int64? = nil, makeReader: @escaping @Sendable () throws(HTTPError) -> any HTTPBodyReader) {
        storage = .source(BodySource(makeReader))
        self.length = length
    }

    /// No bytes.
    public static var empty: HTTPBody { HTTPBody(Data()) }

    /// The bytes, when they are in memory; nil for a file or a stream.
    public var buffered: Data? { if case .data(let data) = storage { data } else { nil } }

    /// Whether it can be sent or read more than once.
    public var isReplayable: Bool { if case .stream = storage { false } else { true } }

    /// Whether its chunks are made one by one, by somebody who may notice that they are.
    package var isStream: Bool {
        switch storage {
        case .stream, .source: true
        case .data, .file: false
        }
    }

    /// All bytes, read into memory.
    ///
    /// - Parameter limit: how many there may be. Default: 100 MB (100,000,000). Past it: `.responseTooLarge`.
    public func collect(upTo limit: Int = ResponseLimits().bodyBytes) async throws(HTTPError) -> Data {
        if let buffered {
            guard buffered.count <= limit else { throw tooLarge(limit) }
            return buffered
        }
        if let length, length > Int64(limit) { throw tooLarge(limit) }
        var bytes = Data()
        // No more at once than a server may make us reserve by a length it only claims.
        if let length { bytes.reserveCapacity(Int(Swift.min(Swift.max(0, length), 8 << 20))) }
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            guard bytes.count + chunk.count <= limit else { throw tooLarge(limit) }
            bytes.append(chunk)
        }
        return bytes
    }

    private func tooLarge(_ limit: Int) -> HTTPError {
        let error = HTTPError.responseTooLarge(SizeLimitFailure(limit: limit))
        return message?.explained(error) ?? error
    }

    /// The first bytes, up to `count`, without taking them away: what an interceptor reads of a body that others still want.
    ///
    /// It waits until that many are there or the body has ended, and keeps them in memory: keep `count` small.
    public func peek(upTo count: Int) async throws(HTTPError) -> Data {
        switch storage {
        case .data(let data): return Data(data.prefix(count))
        case .stream(let stream):
            do { return try await stream.peek(upTo: count) } catch { throw message?.explained(error) ?? error }
        case .file(let file):
            return try await FileBodyReader(file).next(upTo: Int(Swift.min(Int64(count), file.length))) ?? Data()
        case .source(let source): return try await source.open().peek(upTo: count)
        }
    }

    /// The body as the answer to a request, which the errors of reading it name.
    package func answering(_ request: HTTPRequest) -> HTTPBody { message == nil ? of(.answer(to: request)) : self }

    /// The body as the content of a request.
    package func sent() -> HTTPBody { message == nil ? of(.request) : self }

    private func of(_ role: Message.Role) -> HTTPBody {
        var body = self
        body.message = Message(role)
        return body
    }
}

extension HTTPBody: AsyncSequence {
    /// A chunk of bytes.
    public typealias Element = Data

    /// The chunks of a body, in order.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private enum Source: Sendable {
            case data(Data?)
            case file(FileBodyReader)
            case unmade(BodySource)
            case stream(BodyStream)
            case failed(HTTPError)
        }

        private var source: Source
        private let message: Message?

        fileprivate init(_ storage: Storage, _ message: Message?) {
            self.message = message
            switch storage {
            case .data(let data): source = .data(data.isEmpty ? nil : data)
            case .file(let file): source = .file(FileBodyReader(file))
            case .source(let made): source = .unmade(made)
            case .stream(let stream):
                source = stream.take() ? .stream(stream) : .failed(.bodyNotReplayable("the body is a stream and has been read already"))
            }
        }

        /// The next chunk; nil at the end.
        public mutating func next() async throws(HTTPError) -> Data? {
            do { return try await nextChunk() } catch { throw message?.explained(error) ?? error }
        }

        private mutating func nextChunk() async throws(HTTPError) -> Data? {
            switch source {
            case .data(let data):
                source = .data(nil)
                return data
            case .file(let reader): return try await reader.next()
            case .unmade(let made):
                source = .stream(try made.open())
                return try await nextChunk()
            case .stream(let stream): return try await stream.next()
            case .failed(let error): throw error
            }
        }
    }

    /// Begins to read. A stream can be read by one reader only.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage, message) }
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// What kind of body it is and how long; no byte of it.
    public var description: String {
        let kind =
            switch storage {
            case .data: "bytes in memory"
            case .file: "a file"
            case .source: "a stream that can be read again"
            case .stream: "a stream"
            }
        return kind + (length.map { ", length: \($0)" } ?? "")
    }
}
