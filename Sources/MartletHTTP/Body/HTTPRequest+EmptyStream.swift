extension HTTPRequest {
    /// Whether the body is a stream with a declared length of 0.
    package var hasEmptyStream: Bool { body.map { $0.isStream && $0.length == 0 } ?? false }

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
        let deadline = context.delivery == .buffered ? context.deadline : nil
        let timer = { (fire: @escaping @Sendable () -> Void) in deadline.map { SystemTime().timer(at: $0, fire: fire) } }
        try await race(read, against: timer, endedBy: context.call) { ErrorContext(stage: .exchange) }
        return request
    }
}
