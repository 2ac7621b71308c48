internal import MartletEssentials

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
        Self {
            let reading = opening.reading()
            var pieces = PieceIterator(opening, reading, .line, limit: limit)
            return { () async throws(Failure) in
                do throws(HTTPError) {
                    return try await reading.next { () async throws(HTTPError) in try await pieces.next() }
                        .map { String(decoding: $0, as: UTF8.self) }
                } catch { throw failure(error) }
            }
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
