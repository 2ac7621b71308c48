internal import MartletEssentials
internal import MartletSystem

extension HTTPBody {
    /// Returns a sequence of the lines of the body, without their line ends, as they arrive.
    ///
    /// A line ends with a line feed, or with a carriage return and a line feed. Bytes after the last line end are returned as a line. Bytes
    /// that are not UTF-8 are replaced by U+FFFD. Leaving the loop closes the connection.
    ///
    /// The sequence throws `.responseTooLarge` (with the subject `.line`) for a line that exceeds the limit, and the errors of reading the
    /// body.
    ///
    /// - Parameter limit: The maximum size of a line in bytes. Default: 1 MiB.
    public func lines(maxLineBytes limit: Int = 1 << 20) -> ValueSequence<String, HTTPError> {
        .lines(StreamOpening(self), limit: limit) { $0 }
    }
}

extension ValueSequence where Element == String {
    /// Returns the lines of a response, which is opened when the first line is requested.
    static func lines(_ opening: StreamOpening, limit: Int, failure: @escaping @Sendable (HTTPError) -> Failure) -> Self {
        Self(observing: opening.observe, failure: failure) { reading in
            var pieces = PieceIterator(opening, reading, .line, limit: limit)
            return { () async throws(HTTPError) in try await pieces.next().map { String(decoding: $0, as: UTF8.self) } }
        }
    }
}

/// Iterates over the pieces of a response's body between separators.
struct PieceIterator {
    private var chunks: ResponseChunks
    private var splitter: LineSplitter
    /// The response's head: see ``ResponseChunks/head``.
    var head: HTTPResponse<Void> { chunks.head }

    init(_ opening: StreamOpening, _ reading: ObservedReading, _ separator: LineSplitter.Separator, limit: Int) {
        chunks = ResponseChunks(opening, reading)
        splitter = LineSplitter(separator, limit: limit)
    }

    mutating func next() async throws(HTTPError) -> Data? {
        while true {
            do throws(HTTPError) { if let piece = try splitter.next() { return piece } } catch {
                chunks.close()
                throw error.completed(ifKnown: head.metadata.request, stage: .body)
            }
            if chunks.hasEnded { return nil }
            guard let chunk = try await chunks.next() else { return splitter.finish() }
            splitter.push(chunk)
        }
    }
}

/// Splits bytes, as they arrive, into the pieces between separators, and returns one piece at a time.
///
/// It examines each byte once, regardless of the size of the chunks, and keeps at most the current chunk and one unfinished piece.
struct LineSplitter: Sendable {
    /// The byte that ends a piece.
    enum Separator: Sendable {
        /// A line feed, with the carriage return before it if there is one.
        case line
        /// The record separator that begins each text of a JSON text sequence (RFC 7464 §2.2).
        case record

        fileprivate var byte: UInt8 { self == .line ? 0x0A : 0x1E }
    }

    private let separator: Separator
    private let limit: Int
    /// The bytes that have not been examined yet.
    private var rest = Data()
    /// The beginning of a piece whose end has not arrived yet.
    private var pending = Data()

    /// - Parameters:
    ///   - separator: The byte that ends a piece.
    ///   - limit: The maximum number of bytes in a piece.
    init(_ separator: Separator, limit: Int) {
        self.separator = separator
        self.limit = limit
    }

    /// Adds bytes. ``next()`` returns the pieces that they complete.
    mutating func push(_ chunk: Data) { if rest.isEmpty { rest = chunk } else { rest.append(chunk) } }

    /// Returns the next complete piece, or nil if more bytes are needed.
    ///
    /// Throws `.responseTooLarge` if a piece exceeds the limit. The bytes after it are dropped.
    mutating func next() throws(HTTPError) -> Data? {
        guard !rest.isEmpty else { return nil }
        let length = rest.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress, let found = memchr(start, CInt(separator.byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - start
        }
        let piece = rest.prefix(length ?? rest.count)
        guard pending.count + piece.count <= limit else {
            (rest, pending) = (Data(), Data())
            throw .responseTooLarge(SizeLimitFailure(.line, limit: limit))
        }
        pending.append(piece)
        guard let length else {
            rest = Data()
            return nil
        }
        rest = rest.dropFirst(length + 1)
        return taken()
    }

    /// Returns the last piece if no separator followed it, or nil.
    mutating func finish() -> Data? { pending.isEmpty ? nil : taken() }

    private mutating func taken() -> Data {
        defer { pending = Data() }
        return separator == .line && pending.last == 0x0D ? pending.dropLast() : pending
    }
}
