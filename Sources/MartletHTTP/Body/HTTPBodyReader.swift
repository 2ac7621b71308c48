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
