internal import MartletEssentials
internal import MartletSystem

/// Passes a stream on unchanged, and reports its start once, after that start or the whole stream was read.
final class StreamStartReader: HTTPBodyReader {
    private let stream: BodyStream
    private let limit: Int
    private let tell: @Sendable (Data) -> Void
    private let start: Locked<Data?>

    /// Returns nil if the stream already has a reader.
    init?(_ stream: BodyStream, limit: Int, tell: @escaping @Sendable (Data) -> Void) {
        guard stream.take() else { return nil }
        self.stream = stream
        self.limit = limit
        self.tell = tell
        start = Locked(Data())
    }

    func next() async throws(HTTPError) -> Data? {
        do {
            let chunk = try await stream.next()
            note(chunk)
            return chunk
        } catch {
            note(nil)
            throw error
        }
    }

    func cancel(_ reason: HTTPError) {
        stream.cancel(reason)
        note(nil)
    }

    /// Collects the start of the stream. Nil ends it.
    private func note(_ chunk: Data?) {
        let told = start.withLock { [limit] start -> Data? in
            guard var known = start else { return nil }
            if let chunk { known.append(chunk.prefix(limit - known.count)) }
            guard chunk == nil || known.count >= limit else {
                start = known
                return nil
            }
            start = nil
            return known
        }
        if let told, !told.isEmpty { tell(told) }
    }
}
