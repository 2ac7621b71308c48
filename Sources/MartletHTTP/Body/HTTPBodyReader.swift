public import MartletEssentials
internal import MartletSystem

/// A source of the bytes of a streamed body. Transports implement it to deliver a response as it arrives.
///
/// An implementation must meet these requirements:
/// - Each call of ``next()`` returns one chunk. It returns nil only when the body is complete; a truncated body is an error.
/// - It reads only a bounded amount ahead, so that a slow reader slows the sender down.
/// - After ``cancel(_:)``, a waiting `next()` and later ones throw the given error, and the source of the bytes is released.
/// - A `next()` whose task is cancelled throws `.cancelled`.
///
/// Calls of `next()` never overlap.
public protocol HTTPBodyReader: AnyObject, Sendable {
    /// Returns the next bytes, never empty, or nil at the end.
    func next() async throws(HTTPError) -> Data?

    /// Skips at most `count` of the next bytes if that is faster than reading them, and returns how many it skipped. Default: 0.
    func skip(_ count: Int64) async throws(HTTPError) -> Int64

    /// Stops the transfer and makes `next()` throw `reason`. It may be called at any time, repeatedly and from any thread, and must not
    /// block.
    func cancel(_ reason: HTTPError)
}

extension HTTPBodyReader {
    /// The default: skips nothing and returns 0.
    public func skip(_ count: Int64) async throws(HTTPError) -> Int64 { 0 }
}

/// Ends a body that exceeds a limit, before it returns the chunk that does so.
package final class LimitedReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let failure: HTTPError
    private let left: Locked<Int64>

    /// - Parameters:
    ///   - length: The declared length. A body that declares too large a length is not read at all.
    ///   - failure: The error thrown when the limit is exceeded.
    package init(_ reader: any HTTPBodyReader, length: Int64?, limit: Int64, failure: HTTPError) {
        self.reader = reader
        self.failure = failure
        left = Locked(length.map { $0 > limit } == true ? -1 : limit)
    }

    package func next() async throws(HTTPError) -> Data? {
        if left.withLock({ $0 < 0 }) { throw stopped() }
        guard let chunk = try await reader.next() else { return nil }
        let isTooMuch = left.withLock { left in
            left -= Int64(chunk.count)
            return left < 0
        }
        if isTooMuch { throw stopped() }
        return chunk
    }

    private func stopped() -> HTTPError {
        reader.cancel(failure)
        return failure
    }

    package func cancel(_ reason: HTTPError) { reader.cancel(reason) }
}

/// Ends a body when a read waits longer than a timeout.
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

/// A reader that returns bytes in memory in pieces.
final class DataReader: HTTPBodyReader {
    private let state: Locked<(rest: Data, reason: HTTPError?)>

    init(_ data: Data) { state = Locked((data, nil)) }

    package func next() async throws(HTTPError) -> Data? {
        let (chunk, reason) = state.withLock { state -> (Data?, HTTPError?) in
            guard state.reason == nil, !state.rest.isEmpty else { return (nil, state.reason) }
            defer { state.rest = state.rest.dropFirst(FileReader.chunkSize) }
            return (state.rest.prefix(FileReader.chunkSize), nil)
        }
        if let reason { throw reason }
        return chunk
    }

    package func cancel(_ reason: HTTPError) { state.withLock { $0 = (Data(), $0.reason ?? reason) } }
}

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

/// The wait of a body's reader for its next chunk. A cancellation ends the wait and makes every later one throw its reason.
package final class PendingRead: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Data?, HTTPError>, Never>

    private let state: Locked<(waiter: Waiter?, reason: HTTPError?)> = Locked((nil, nil))

    package init() {}

    /// The reason of the first cancellation, or nil.
    package var reason: HTTPError? { state.withLock { $0.reason } }

    /// Calls `start` and waits until `finish(_:)` is called. A cancelled task calls `cancel` and throws `.cancelled`.
    package func chunk(cancel: @Sendable (HTTPError) -> Void, start: () -> Void) async throws(HTTPError) -> Data? {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let reason = state.withLock { state in
                    if state.reason == nil { state.waiter = waiter }
                    return state.reason
                }
                if let reason { waiter.resume(returning: .failure(reason)) } else { start() }
            }
        } onCancel: {
            cancel(.cancelled(ErrorContext(stage: .body)))
        }.get()
    }

    /// Ends the wait, unless a cancellation has already ended it.
    package func finish(_ chunk: Result<Data?, HTTPError>) {
        let waiter = state.withLock { $0.waiter.take() }
        waiter?.resume(returning: chunk)
    }

    /// Ends the wait and every later one with `reason`, unless another reason was given before.
    package func cancel(_ reason: HTTPError) {
        let first = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.reason
        }
        finish(.failure(first ?? reason))
    }
}
