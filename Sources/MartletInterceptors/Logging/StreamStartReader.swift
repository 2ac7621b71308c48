internal import MartletEssentials
internal import MartletSystem

/// Hands a stream on as it comes, and tells how it began, once: when so much was read, or all.
final class StreamStartReader: HTTPBodyReader {
    private let stream: BodyStream
    private let limit: Int
    private let tell: @Sendable (Data) -> Void
    private let start: Locked<Data?>

    /// Nil when somebody has the stream already.
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

    /// Keeps the chunk's start; at the end, nil, there is nothing more to wait for.
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
