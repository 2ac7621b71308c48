#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A reader that makes each chunk with a closure, in a task of its own, so that cancelling ends a wait that the closure would not.
final class ClosureBodyReader: HTTPBodyReader {
    private typealias Chunk = OneShot<Result<Data?, HTTPError>>

    private struct State {
        var reason: HTTPError?
        var pending: Chunk?
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let make: @Sendable () async throws -> Data?

    init(_ make: @escaping @Sendable () async throws -> Data?) { self.make = make }

    func next() async throws(HTTPError) -> Data? {
        while true {
            let chunk = try await one()
            if chunk?.isEmpty != true { return chunk }
        }
    }

    func cancel(_ reason: HTTPError) {
        let (pending, task) = state.withLock { state in
            state.reason = state.reason ?? reason
            return (state.pending, state.task)
        }
        pending?.set(.failure(reason))
        task?.cancel()
    }

    private func one() async throws(HTTPError) -> Data? {
        let chunk = Chunk()
        let reason = state.withLock { state -> HTTPError? in
            guard state.reason == nil else { return state.reason }
            state.pending = chunk
            state.task = Task { [make] in
                do { chunk.set(.success(try await make())) } catch { chunk.set(.failure(HTTPError(wrapping: error, stage: .body))) }
            }
            return nil
        }
        if let reason { throw reason }
        return try await withTaskCancellationHandler {
            await chunk.value()
        } onCancel: {
            cancel(.cancelled)
        }.get()
    }
}
