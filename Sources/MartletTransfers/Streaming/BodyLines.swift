public import MartletEssentials

/// The lines of a body, as they come.
///
/// ```swift
/// for try await line in client.lines(of: .get("log")) { print(line) }
/// ```
///
/// A line ends with a line feed, or a carriage return and a line feed; what stands behind the last one is a line too, unless it is
/// empty. Bytes that are not UTF-8 become U+FFFD. Leaving the loop closes the connection.
///
/// Throws `.responseTooLarge` (with the subject `.line`) for a line of more bytes than the limit, and what opening and reading the
/// answer throw.
public struct BodyLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    let opening: StreamOpening
    let limit: Int

    /// Opens the answer at the first line that is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: PieceIterator(opening, .line, limit: limit)) }

    /// Gives line after line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: PieceIterator

        /// The next line; nil at the end.
        public mutating func next() async throws(HTTPError) -> String? {
            try await pieces.next().map { String(decoding: $0, as: UTF8.self) }
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
    public func lines(maxLineBytes limit: Int = 1 << 20) -> BodyLines { BodyLines(opening: StreamOpening(self), limit: limit) }
}

extension HTTPClientProtocol {
    /// The lines of an endpoint's answer, asked for when the first is wanted: see ``BodyLines``.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask for. Its status is validated as by ``EndpointClient/stream(_:)``.
    ///   - maxLineBytes: how many bytes a line may have. Default: 1 MiB.
    public func lines<E: Endpoint>(of endpoint: E, maxLineBytes limit: Int = 1 << 20) -> BodyLines {
        BodyLines(opening: StreamOpening(endpoint, client: self, accept: "*/*"), limit: limit)
    }

    /// The lines of a request's answer, asked for when the first is wanted: see ``BodyLines``.
    public func lines(of request: Request<Data>, maxLineBytes limit: Int = 1 << 20) -> BodyLines {
        BodyLines(opening: StreamOpening(request, client: self, accept: "*/*"), limit: limit)
    }

    /// The lines of a request's answer, asked for when the first is wanted: see ``BodyLines``.
    public func lines<Response: Sendable>(of request: Request<Response>, maxLineBytes limit: Int = 1 << 20) -> BodyLines {
        BodyLines(opening: StreamOpening(request, client: self, accept: "*/*"), limit: limit)
    }
}
