internal import MartletEssentials

/// The chunks of a response's body. The request is sent when the first chunk is requested.
struct ResponseChunks {
    private enum State {
        case unopened(StreamOpening, ObservedReading)
        case open(HTTPBody.AsyncIterator)
        case ended
    }

    private var state: State
    /// The response's head. Until the response has arrived, and for a body without a response, it has the status 200.
    private(set) var head = HTTPResponse(status: .ok, body: ())

    init(_ opening: StreamOpening, _ reading: ObservedReading) { state = .unopened(opening, reading) }

    /// Whether the last chunk was returned, an error was thrown, or ``close()`` was called.
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Returns the next chunk, or nil after the last.
    mutating func next() async throws(HTTPError) -> Data? {
        // A response that fails to open is not requested twice.
        let current = state
        state = .ended
        var chunks: HTTPBody.AsyncIterator
        switch current {
        case .ended: return nil
        case .open(let iterator): chunks = iterator
        case .unopened(let opening, let reading):
            let response = try await opening.open(for: reading)
            head = response.map { _ in }
            chunks = response.body.makeAsyncIterator()
        }
        guard let chunk = try await chunks.next() else { return nil }
        state = .open(chunks)
        return chunk
    }

    /// Ends the chunks and closes the connection.
    mutating func close() { state = .ended }
}
