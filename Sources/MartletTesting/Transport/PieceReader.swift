#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Hands on the chunks of a reader with the waits, the cut and the end that a reply asks for.
final class PieceReader: HTTPBodyReader {
    private struct State {
        var isFirst = true
        /// How many bytes come before the body is cut; nil for all.
        var left: Int?
        var reason: HTTPError?
        var current: Piece?
    }

    /// One chunk that is being waited for.
    private struct Piece {
        let outcome: OneShot<Result<Data?, HTTPError>>
        let task: Task<Void, Never>

        func fail(_ reason: HTTPError) {
            outcome.set(.failure(reason))
            task.cancel()
        }
    }

    private let source: any HTTPBodyReader
    private let delays: MockReply.Delays
    private let ending: HTTPError?
    private let time: any TimeSource
    private let state: Locked<State>

    init(_ source: any HTTPBodyReader, reply: MockReply, time: any TimeSource) {
        self.source = source
        self.time = time
        delays = reply.delays
        ending = reply.disconnect?.error
        state = Locked(State(left: reply.disconnect?.bodyBytes))
    }

    func next() async throws(HTTPError) -> Data? {
        let wait = state.withLock { state in
            defer { state.isFirst = false }
            return state.isFirst ? delays.body : delays.piece
        }
        let chunk = try await chunk(after: wait).get()
        return try cut(chunk)
    }

    func cancel(_ reason: HTTPError) {
        let current = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.current
        }
        current?.fail(reason)
        source.cancel(reason)
    }

    /// In a task of its own, so that ``cancel(_:)`` ends the wait whatever the source does.
    private func chunk(after wait: Duration) async -> Result<Data?, HTTPError> {
        let outcome = OneShot<Result<Data?, HTTPError>>()
        let task = Task { _ = outcome.set(await produce(after: wait)) }
        let piece = Piece(outcome: outcome, task: task)
        let reason = state.withLock { state in
            state.current = piece
            return state.reason
        }
        if let reason { piece.fail(reason) }
        defer { state.withLock { $0.current = nil } }
        return await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            piece.fail(.cancelled)
        }
    }

    private func produce(after wait: Duration) async -> Result<Data?, HTTPError> {
        do throws(HTTPError) {
            if wait > .zero {
                do { try await time.sleep(for: wait) } catch { throw HTTPError.cancelled(ErrorContext(stage: .body, underlying: error)) }
            }
            return .success(try await source.next())
        } catch {
            return .failure(error)
        }
    }

    private func cut(_ chunk: Data?) throws(HTTPError) -> Data? {
        guard let chunk else {
            if let ending { throw ending }
            return nil
        }
        let allowed = state.withLock { state in
            guard let left = state.left else { return chunk.count }
            state.left = left - min(left, chunk.count)
            return min(left, chunk.count)
        }
        if allowed == 0, let ending { throw ending }
        return allowed == chunk.count ? chunk : Data(chunk.prefix(allowed))
    }
}

/// Chunks that are in memory.
final class PieceList: HTTPBodyReader {
    private let rest: Locked<ArraySlice<Data>>

    init(_ pieces: [Data]) { rest = Locked(pieces[...]) }

    func next() async throws(HTTPError) -> Data? { rest.withLock { $0.popFirst() } }

    func cancel(_ reason: HTTPError) { rest.withLock { $0 = [] } }
}
