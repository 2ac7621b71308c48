extension HTTPRequest {
    /// Whether its body is a stream that promises to have no bytes.
    package var hasEmptyStream: Bool { body.map { $0.isStream && $0.length == 0 } ?? false }

    /// The request after its stream of no bytes has been read to its end, for transports whose library does not ask for such a body.
    ///
    /// Throws `.invalidRequest` when the stream yields bytes, what the stream throws, and `.timeout` past the deadline of a buffered request.
    package func readingEmptyStream() async throws(HTTPError) -> HTTPRequest {
        guard hasEmptyStream, let body else { return self }
        var request = self
        request.body = .empty
        let read = { @Sendable () async throws(HTTPError) in
            var promised = PromisedLength(0), iterator = body.makeAsyncIterator()
            while let chunk = try await iterator.next() { try promised.add(chunk.count) }
        }
        if context.delivery == .buffered, let deadline = context.deadline {
            try await race(read, until: deadline, time: SystemTime()) { ErrorContext(stage: .exchange) }
        } else {
            try await read()
        }
        return request
    }
}
