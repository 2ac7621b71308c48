#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A reader that makes each chunk with a closure.
///
/// The closure runs in a task of its own, so that a cancel ends a waiting read even when the closure takes no notice.
package final class ClosureBodyReader: HTTPBodyReader {
    private typealias Chunk = Result<Data?, HTTPError>

    private let state: Locked<State>

    private struct State {
        /// Gone after a cancel, with what it holds.
        var make: (@Sendable () async throws -> Data?)?
        var reason: HTTPError?
        var waiter: CheckedContinuation<Chunk, Never>?
        var task: Task<Void, Never>?
    }

    package init(_ make: @escaping @Sendable () async throws -> Data?) { state = Locked(State(make: make)) }

    package func next() async throws(HTTPError) -> Data? {
        let chunk = await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            cancel(.cancelled)
        }
        return try chunk.get()
    }

    package func cancel(_ reason: HTTPError) {
        let (waiter, task, make) = state.withLock { state in
            defer { (state.waiter, state.task, state.make) = (nil, nil, nil) }
            state.reason = state.reason ?? reason
            return (state.waiter, state.task, state.make)
        }
        // Let go of outside the lock: what the closure holds may have a deinit of its own.
        _ = make
        task?.cancel()
        waiter?.resume(returning: .failure(reason))
    }

    private func start(_ waiter: CheckedContinuation<Chunk, Never>) {
        let refusal: HTTPError? = state.withLock { state in
            guard let make = state.make else { return state.reason ?? .cancelled }
            state.waiter = waiter
            state.task = Task { self.finish(await ClosureBodyReader.chunk(of: make)) }
            return nil
        }
        if let refusal { waiter.resume(returning: .failure(refusal)) }
    }

    private func finish(_ chunk: Chunk) {
        let waiter = state.withLock { state in
            defer { (state.waiter, state.task) = (nil, nil) }
            return state.waiter
        }
        waiter?.resume(returning: chunk)
    }

    /// The next chunk that is not empty.
    private static func chunk(of make: @Sendable () async throws -> Data?) async -> Chunk {
        do {
            while let chunk = try await make() {
                if !chunk.isEmpty { return .success(chunk) }
            }
            return .success(nil)
        } catch { return .failure(HTTPError(wrapping: error, stage: .body)) }
    }
}
