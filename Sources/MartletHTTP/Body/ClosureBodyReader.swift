package import MartletEssentials
internal import MartletSystem

/// A reader that creates each chunk with a closure.
///
/// The closure runs in a task of its own, so that a cancellation ends a waiting read even if the closure ignores it.
package final class ClosureBodyReader: HTTPBodyReader {
    private typealias State = (make: (@Sendable () async throws -> Data?)?, task: Task<Void, Never>?)

    private let read = PendingRead()
    private let state: Locked<State>

    package init(_ make: @escaping @Sendable () async throws -> Data?) { state = Locked((make, nil)) }

    package func next() async throws(HTTPError) -> Data? { try await read.chunk(cancel: cancel, start: start) }

    package func cancel(_ reason: HTTPError) {
        read.cancel(reason)
        // Released outside the lock, because objects that the closure holds may run code in their deinit.
        let released = state.withLock { exchange(&$0, with: (nil, nil)) }
        released.task?.cancel()
    }

    private func start() {
        state.withLock { state in
            guard let make = state.make else { return }
            state.task = Task { self.read.finish(await ClosureBodyReader.chunk(of: make)) }
        }
    }

    /// Returns the next chunk that is not empty, or nil at the end.
    private static func chunk(of make: @Sendable () async throws -> Data?) async -> Result<Data?, HTTPError> {
        do {
            while let chunk = try await make() {
                if !chunk.isEmpty { return .success(chunk) }
            }
            return .success(nil)
        } catch { return .failure(HTTPError(wrapping: error, stage: .body)) }
    }
}
