internal import MartletEssentials
internal import MartletSystem

/// Returns the chunks of a reader with the delays, the disconnection and the end that a reply specifies.
final class PieceReader: HTTPBodyReader {
    private let source: any HTTPBodyReader
    private let pieces: ClosureBodyReader

    init(_ source: any HTTPBodyReader, reply: MockReply, time: any TimeSource) {
        self.source = source
        let wait = Locked(reply.delays.body)
        let (ending, delay) = (reply.disconnect?.error, reply.delays.piece)
        // The number of bytes before the disconnection, or nil for all.
        let left = Locked(reply.disconnect?.bodyBytes)
        pieces = ClosureBodyReader {
            let duration = wait.withLock { wait in
                defer { wait = delay }
                return wait
            }
            if duration > .zero { try await time.sleep(for: duration) }
            let chunk = try await source.next()
            let piece = left.withLock { left -> Data? in
                guard let allowed = left, let whole = chunk else { return chunk }
                left = allowed - min(allowed, whole.count)
                return allowed == 0 ? nil : Data(whole.prefix(allowed))
            }
            if piece == nil, let ending { throw ending }
            return piece
        }
    }

    /// The chunks come from a task of their own, so that ``cancel(_:)`` ends the wait whatever the source does.
    func next() async throws(HTTPError) -> Data? { try await pieces.next() }

    func cancel(_ reason: HTTPError) {
        pieces.cancel(reason)
        source.cancel(reason)
    }
}

/// A reader of chunks in memory.
final class PieceList: HTTPBodyReader {
    private let rest: Locked<ArraySlice<Data>>

    init(_ pieces: [Data]) { rest = Locked(pieces[...]) }

    func next() async throws(HTTPError) -> Data? { rest.withLock { $0.popFirst() } }

    func cancel(_ reason: HTTPError) { rest.withLock { $0 = [] } }
}
