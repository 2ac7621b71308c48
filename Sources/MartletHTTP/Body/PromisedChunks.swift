package import MartletEssentials

/// The chunks of a request body, checked against the length that the body declared.
///
/// The last chunk is held back until the body has ended, so that a body with a different length fails before its last byte is sent.
package struct PromisedChunks: Sendable {
    private let length: Int64?
    private var chunks: HTTPBody.AsyncIterator
    private var total: Int64 = 0

    package init(_ body: HTTPBody) {
        length = body.length
        chunks = body.makeAsyncIterator()
    }

    /// Returns the next chunk, or nil at the end. Throws errors of the body, and `.invalidRequest` if the length differs.
    package mutating func next() async throws(HTTPError) -> Data? {
        if total > 0, total == length { return nil }
        guard let chunk = try await chunks.next() else {
            if let length, total < length { throw PromisedChunks.failure("\(total) bytes and not the \(length)") }
            return nil
        }
        total += Int64(chunk.count)
        if total == length, let more = try await chunks.next() { total += Int64(max(1, more.count)) }
        if let length, total > length { throw PromisedChunks.failure("more than the \(length) bytes") }
        return chunk
    }

    private static func failure(_ what: String) -> HTTPError {
        .invalidRequest(Explanation("the streamed body has \(what) that it declared"))
    }
}

extension HTTPRequest {
    /// Whether the body is a stream with a declared length of 0, and nothing follows it.
    package var hasEmptyStream: Bool { body.map { $0.isStream && $0.length == 0 && !$0.hasTrailers } ?? false }

    /// Reads an empty stream to its end and returns the request, for transports whose library does not read such a body.
    ///
    /// - Throws: `.invalidRequest` if the stream has bytes, `.timeout` after the deadline of a buffered request, `.cancelled` when the call
    ///   is cancelled, and errors of the stream.
    package func readingEmptyStream() async throws(HTTPError) -> HTTPRequest {
        guard hasEmptyStream, let body else { return self }
        var request = self
        request.body = .empty
        let read = { @Sendable () async throws(HTTPError) in
            var chunks = PromisedChunks(body)
            while try await chunks.next() != nil {}
        }
        let deadline = context.streamsBody ? nil : context.deadline
        let timer = { (fire: @escaping @Sendable () -> Void) in deadline.map { SystemTime().timer(at: $0, fire: fire) } }
        try await race(read, against: timer, endedBy: context.call) { ErrorContext(stage: .exchange) }
        return request
    }
}
