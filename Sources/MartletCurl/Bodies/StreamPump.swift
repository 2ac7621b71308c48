internal import MartletHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Carries the chunks of a streamed request body to libcurl, one at a time: the next is asked for when the last has been taken.
///
/// A body that gives more or fewer bytes than its length promised fails the request before its last byte is sent.
final class StreamPump: Sendable {
    private let length: Int64?
    private let waitsToBeAsked: Bool
    private let state = Locked(State())

    private struct State {
        /// What has not been begun to be read, because libcurl has not asked yet.
        var unread: HTTPBody?
        var chunk = Data()
        var offset = 0
        /// nil while bytes may still come.
        var end: Result<Void, HTTPError>?
        /// Whether libcurl found nothing and waits to be told.
        var isStalled = false
        var isClosed = false
        /// The pump, while its chunk has not been taken whole.
        var waiter: UnsafeContinuation<Void, Never>?
        var task: Task<Void, Never>?
        var wake: (@Sendable () -> Void)?

        /// Whom to tell that there is something again.
        mutating func unstall() -> (@Sendable () -> Void)? {
            defer { isStalled = false }
            return isStalled ? wake : nil
        }
    }

    /// - Parameter waitsToBeAsked: whether the body is not touched before libcurl wants its first byte.
    init(length: Int64?, waitsToBeAsked: Bool = false) {
        self.length = length
        self.waitsToBeAsked = waitsToBeAsked
    }

    /// Starts to read `body`. `wake` is called when bytes are there, or the end, after libcurl had found nothing.
    func start(_ body: HTTPBody, wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.wake = wake
            if waitsToBeAsked, !state.isClosed { state.unread = body }
        }
        if !waitsToBeAsked { startReading(body) }
    }

    private func startReading(_ body: HTTPBody) {
        let task = Task { await run(body) }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.task = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Fills a buffer with what is there. Called on the engine's thread.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        if waitsToBeAsked, let body = state.withLock({ $0.unread.take() }) { startReading(body) }
        let (outcome, waiter) = state.withLock { state -> (UploadSource.Outcome, UnsafeContinuation<Void, Never>?) in
            let count = min(buffer.count, state.chunk.count - state.offset)
            if count > 0 {
                let start = state.chunk.startIndex + state.offset
                state.chunk.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: start..<start + count)
                state.offset += count
                return (.bytes(count), state.offset == state.chunk.count ? state.waiter.take() : nil)
            }
            switch state.end {
            case .success: return (.bytes(0), nil)
            case .failure(let error): return (.failed(error), nil)
            case nil:
                state.isStalled = true
                return (.stalled, nil)
            }
        }
        if let waiter { resume(waiter) }
        return outcome
    }

    /// Stops the pump: nobody wants its bytes any more.
    func close() {
        let (task, waiter, unread) = state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.chunk = Data()
            return (state.task.take(), state.waiter.take(), state.unread.take())
        }
        // Let go of outside the lock: what makes the body may have a deinit of its own.
        _ = unread
        task?.cancel()
        if let waiter { resume(waiter) }
    }

    // ThreadSanitizer does not see that a continuation orders `resume` before what comes after `await`. A lock that is held meanwhile, and
    // that both sides touch, tells it; in debug builds only.
    #if DEBUG
    private let order = Locked(0)
    private func resume(_ waiter: UnsafeContinuation<Void, Never>) {
        order.withLock {
            $0 += 1
            waiter.resume()
        }
    }
    private func hasResumed() { order.withLock { $0 += 1 } }
    #else
    private func resume(_ waiter: UnsafeContinuation<Void, Never>) { waiter.resume() }
    @inline(__always) private func hasResumed() {}
    #endif

    private func run(_ body: HTTPBody) async {
        var iterator = body.makeAsyncIterator()
        do throws(HTTPError) {
            var promised = PromisedLength(length)
            var next = try await iterator.next()
            while let chunk = next {
                try promised.add(chunk.count)
                // The last chunk is held back until the stream has said that it ends there: libcurl asks no further.
                let isLast = promised.isReached
                if isLast, let more = try await iterator.next() { try promised.add(max(1, more.count)) }
                guard await offer(chunk) else { return }
                next = isLast ? nil : try await iterator.next()
            }
            try promised.end()
            end(.success(()))
        } catch { end(.failure(error)) }
    }

    /// Lays out a chunk and waits until it has been taken; false when nobody will.
    private func offer(_ chunk: Data) async -> Bool {
        guard !chunk.isEmpty else { return true }
        await withUnsafeContinuation { continuation in
            let (isClosed, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
                guard !state.isClosed else { return (true, nil) }
                state.chunk = chunk
                state.offset = 0
                state.waiter = continuation
                return (false, state.unstall())
            }
            if isClosed { continuation.resume() }
            wake?()
        }
        hasResumed()
        return !state.withLock { $0.isClosed }
    }

    private func end(_ end: Result<Void, HTTPError>) {
        let wake = state.withLock { state in
            state.end = end
            state.chunk = Data()
            state.offset = 0
            return state.unstall()
        }
        wake?()
    }
}
