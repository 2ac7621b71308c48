public import MartletEssentials
internal import MartletSystem

/// Where the bytes of a streamed body come from: what a transport implements to hand over an answer as it arrives.
///
/// Duties: one chunk for each call of ``next()`` and nil at the end, which must only be given when the body is complete (a
/// truncated body is an error); no more than a bounded amount read ahead, so that a slow reader stops the sender; after
/// ``cancel(_:)`` a waiting or later `next()` throws the given error, and whatever feeds the body is let go of. A `next()` whose
/// task is cancelled throws `.cancelled`. `next()` is never called twice at a time.
public protocol HTTPBodyReader: AnyObject, Sendable {
    /// The next bytes, never empty; nil at the end.
    func next() async throws(HTTPError) -> Data?

    /// Leaves out some of the next bytes, where that is quicker than reading them: how many, from none to `count`. Default: none.
    func skip(_ count: Int64) async throws(HTTPError) -> Int64

    /// Stops the transfer. It may come at any time, more than once, and from any thread; it must not block.
    func cancel(_ reason: HTTPError)
}

extension HTTPBodyReader {
    /// None: they have to be read.
    public func skip(_ count: Int64) async throws(HTTPError) -> Int64 { 0 }
}

/// Ends a body that is longer than it may be, before the chunk that passes the limit is handed out.
package final class LimitedReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let failure: HTTPError
    private let left: Locked<Int64>

    /// - Parameters:
    ///   - length: how long the body says it is: a body that says it is too long is not begun.
    ///   - failure: what is thrown past the limit.
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
