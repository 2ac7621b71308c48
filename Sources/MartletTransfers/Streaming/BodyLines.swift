internal import MartletEssentials

/// The lines of a body, as they come.
///
/// ```swift
/// for try await line in client.lines(.get("log")) { print(line) }
/// ```
///
/// A line ends with a line feed, or a carriage return and a line feed; what stands behind the last one is a line too, unless it is
/// empty. Bytes that are not UTF-8 become U+FFFD. Leaving the loop closes the connection.
///
/// Throws `.responseTooLarge` (with the subject `.line`) for a line of more bytes than the limit, and what opening and reading the
/// answer throw.
public struct BodyLines<Failure: Error>: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    let opening: StreamOpening
    let limit: Int
    let failure: @Sendable (HTTPError) -> Failure

    /// Opens the answer at the first line that is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: PieceIterator(opening, .line, limit: limit), failure: failure)
    }

    /// Gives line after line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pieces: PieceIterator
        fileprivate let failure: @Sendable (HTTPError) -> Failure

        /// Returns the next line, or nil at the end.
        public mutating func next() async throws(Failure) -> String? {
            do throws(HTTPError) { return try await pieces.next().map { String(decoding: $0, as: UTF8.self) } } catch {
                throw failure(error)
            }
        }
    }
}

/// The pieces between separators of an answer's body.
struct PieceIterator {
    private var chunks: ResponseChunks
    private var splitter: LineSplitter
    /// The response's head: see ``ResponseChunks/head``.
    var head: HTTPResponse<Void> { chunks.head }

    init(_ opening: StreamOpening, _ separator: LineSplitter.Separator, limit: Int) {
        chunks = ResponseChunks(opening)
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

extension HTTPBody {
    /// The lines of the body: see ``BodyLines``.
    ///
    /// - Parameter maxLineBytes: how many bytes a line may have. Default: 1 MiB.
    public func lines(maxLineBytes limit: Int = 1 << 20) -> BodyLines<HTTPError> {
        BodyLines(opening: StreamOpening(self), limit: limit) { $0 }
    }
}
