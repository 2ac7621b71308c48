public import MartletEssentials

/// The body of a message: bytes in memory, a file, or a stream.
///
/// A response body is an `AsyncSequence` of chunks:
///
/// ```swift
/// let response = try await client.stream(Request<Data>.get("big.iso"))
/// for try await chunk in response.body { show(chunk.count) }
/// ```
///
/// A stream transfers bytes only as fast as they are read, and dropping it unread stops the transfer. Reading a stream a second time
/// throws `HTTPError.bodyNotReplayable`, unless each reading creates its chunks again (``isReplayable``). Bytes in memory and files
/// can be read repeatedly.
public struct HTTPBody: Sendable {
    package enum Storage: Sendable {
        case data(Data)
        case file(FileBody)
        /// Chunks that are created again for each reader.
        case source(BodySource)
        case stream(BodyStream)
    }

    package let storage: Storage

    /// The number of bytes, or nil if it is not known before reading.
    public let length: Int64?

    /// The message that errors of reading are completed with, or nil if the code that reads the body does it.
    private var message: Message?

    /// The fields that are sent after the last byte, or nil for none.
    var trailers: BodyTrailers?

    /// Creates a body of bytes in memory.
    public init(_ data: Data) {
        storage = .data(data)
        length = Int64(data.count)
    }

    /// Creates a body of a text in UTF-8.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// Creates a body from a regular file, which is read when the body is sent.
    ///
    /// The length is determined now. If the file is shorter when it is sent, sending fails. Bytes added later are not sent.
    ///
    /// - Parameters:
    ///   - file: A file URL.
    ///   - start: The offset of the first byte to send. Default: 0, the whole file.
    /// - Throws: `.invalidRequest` if the file does not exist, is not a regular file or can't be read.
    public init(file: URL, from start: Int64 = 0) throws(HTTPError) {
        self.init(try FileBody(file, from: start))
    }

    /// Creates a body from a file that was checked before.
    init(_ file: FileBody) {
        storage = .file(file)
        length = file.length
    }

    /// Creates a stream of the bytes that `reader` returns, which can be read only once.
    public init(reader: any HTTPBodyReader, length: Int64? = nil) {
        storage = .stream(BodyStream(reader))
        self.length = length
    }

    /// Creates a stream of the chunks that `next` returns until it returns nil, which can be read only once.
    ///
    /// An error that `next` throws ends the body. An `HTTPError` is unchanged, and a `CancellationError` becomes `.cancelled`. Any other
    /// error becomes `.encodingFailed` for a request body and `.networkError(.other)` for a response body, with the error as
    /// ``HTTPError/underlying``.
    public init(length: Int64? = nil, next: @escaping @Sendable () async throws -> Data?) {
        self.init(reader: ClosureBodyReader(next), length: length)
    }

    /// Creates a stream that can be read repeatedly, because it calls `makeReader` each time it is read or sent.
    ///
    /// Each reader must return the same bytes. Errors of `makeReader` are thrown by the first read.
    public init(length: Int64? = nil, makeReader: @escaping @Sendable () throws(HTTPError) -> any HTTPBodyReader) {
        storage = .source(BodySource(makeReader))
        self.length = length
    }

    /// A body without bytes.
    public static var empty: HTTPBody { HTTPBody(Data()) }

    /// The bytes if they are in memory, or nil for a file or a stream.
    public var buffered: Data? { if case .data(let data) = storage { data } else { nil } }

    /// Whether the body can be sent or read more than once; false for a stream that can be read only once.
    public var isReplayable: Bool { if case .stream = storage { false } else { true } }

    /// Whether the chunks are created one by one, by code that can observe when they are read.
    package var isStream: Bool {
        switch storage {
        case .stream, .source: true
        case .data, .file: false
        }
    }

    /// Reads the whole body into memory and returns it, or throws if it is larger than `limit`.
    ///
    /// - Parameter limit: The maximum number of bytes. Default: 100 MB (100,000,000).
    /// - Throws: `.responseTooLarge` if the body exceeds the limit, and errors of reading the body.
    public func collect(upTo limit: Int = ResponseLimits().bodyBytes) async throws(HTTPError) -> Data {
        if let buffered {
            guard buffered.count <= limit else { throw tooLarge(limit) }
            return buffered
        }
        if let length, length > Int64(limit) { throw tooLarge(limit) }
        var bytes = Data()
        // Limited, because a server can claim any length.
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

    /// Returns the first bytes, at most `count`, without consuming them. Interceptors use it to examine a body that is read later.
    ///
    /// Waits until that many bytes have arrived or the body has ended, and keeps them in memory. Use a small `count`.
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

    /// Returns the body as that of the response to a request, which its errors then name.
    package func answering(_ request: HTTPRequest) -> HTTPBody { message == nil ? of(.answer(to: request)) : self }

    /// Returns the body as that of a request.
    package func sent() -> HTTPBody { message == nil ? of(.request) : self }

    private func of(_ role: Message.Role) -> HTTPBody {
        var body = self
        body.message = Message(role)
        return body
    }

    /// Returns a reader of the whole body. It takes a stream over, which then has no bytes for other readers.
    package func reader() throws(HTTPError) -> any HTTPBodyReader {
        switch storage {
        case .data(let data): DataReader(data)
        case .file(let file): FileBodyReader(file)
        case .source(let source): try source.make()
        case .stream(let stream): stream.releaseReader()
        }
    }

    /// The message that a body belongs to. Boxed, because most bodies are in memory and need none.
    final class Message: Sendable {
        enum Role: Sendable {
            /// The body of a request.
            case request
            /// The body of the response to a request.
            case answer(to: HTTPRequest)
        }

        private let role: Role

        init(_ role: Role) { self.role = role }

        /// Returns the error of reading the body, completed with what the message knows.
        func explained(_ error: HTTPError) -> HTTPError {
            switch role {
            case .answer(let request): return error.completed(request: request, stage: .body)
            case .request: return error.ofSentStream
            }
        }
    }
}

extension HTTPBody: AsyncSequence {
    /// A chunk of bytes.
    public typealias Element = Data

    /// Iterates over the chunks of a body in order.
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

        /// Returns the next chunk, or nil at the end.
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

    /// Returns an iterator over the chunks; the second iterator of a stream that can be read only once throws.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage, message) }
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind of body and its length, without any of its bytes.
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

extension HTTPError {
    /// The error of reading a stream that a request sends.
    ///
    /// The code that creates the bytes has failed, and not the network: an error of any type other than `HTTPError` becomes
    /// `.encodingFailed`.
    package var ofSentStream: HTTPError {
        guard case .networkError(let failure) = self, failure.kind == .other, let cause = failure.context.underlying, !(cause is HTTPError)
        else { return self }
        var context = failure.context
        context.stage = .exchange
        return .encodingFailed(Explanation("the body's stream: \(CodingPath.explain(cause))", context: context))
    }
}

/// A body that creates its chunks again for each reader.
package struct BodySource: Sendable {
    /// Returns a reader of all chunks from the first one on.
    package let make: @Sendable () throws(HTTPError) -> any HTTPBodyReader

    init(_ make: @escaping @Sendable () throws(HTTPError) -> any HTTPBodyReader) { self.make = make }

    /// Returns a stream of all chunks. Dropping the stream cancels its reader.
    func open() throws(HTTPError) -> BodyStream { BodyStream(try make()) }
}
