#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where the bytes of a streamed body come from: what a transport implements to hand over an answer as it arrives.
///
/// Duties: one chunk for each call of ``next()`` and nil at the end, which must only be given when the body is complete (a
/// truncated body is an error); no more than a bounded amount read ahead, so that a slow reader stops the sender; after
/// ``cancel(_:)`` a waiting or later `next()` throws the given error, and whatever feeds the body is let go of. A `next()` whose
/// task is cancelled throws `.cancelled`. `next()` is never called twice at a time.
public protocol HTTPBodyReader: AnyObject, Sendable {
    /// The next bytes, never empty; nil at the end.
    func next() async throws(HTTPError) -> Data?

    /// Stops the transfer. It may come at any time, more than once, and from any thread; it must not block.
    func cancel(_ reason: HTTPError)
}

/// A reader that makes each chunk with a closure.
///
/// The closure runs in a task of its own, so that a cancel ends a waiting read even when the closure takes no notice.
final class ClosureBodyReader: HTTPBodyReader {
    private typealias Chunk = Result<Data?, HTTPError>

    private let state: Locked<State>

    private struct State {
        /// Gone after a cancel, with what it holds.
        var make: (@Sendable () async throws -> Data?)?
        var reason: HTTPError?
        var waiter: CheckedContinuation<Chunk, Never>?
        var task: Task<Void, Never>?
    }

    init(_ make: @escaping @Sendable () async throws -> Data?) { state = Locked(State(make: make)) }

    func next() async throws(HTTPError) -> Data? {
        let chunk = await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            cancel(.cancelled)
        }
        return try chunk.get()
    }

    func cancel(_ reason: HTTPError) {
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

/// Ends a body that is silent for too long while somebody waits for it.
package final class IdleTimeoutReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let timeout: Duration
    private let time: any TimeSource
    private let failure: HTTPError

    package init(_ reader: any HTTPBodyReader, timeout: Duration, time: any TimeSource, failure: HTTPError) {
        self.reader = reader
        self.timeout = timeout
        self.time = time
        self.failure = failure
    }

    package func next() async throws(HTTPError) -> Data? {
        let timer = time.timer(at: time.instant + timeout) { [reader, failure] in reader.cancel(failure) }
        defer { timer.cancel() }
        return try await reader.next()
    }

    package func cancel(_ reason: HTTPError) { reader.cancel(reason) }
}
