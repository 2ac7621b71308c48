internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// Carries the chunks of a streamed request body to libcurl, one at a time: the next is asked for when the last has been taken.
///
/// A body that gives more or fewer bytes than its length promised fails the request before its last byte is sent.
final class StreamPump: Sendable {
    private let waitsToBeAsked: Bool
    private let state = Locked(State())

    private struct State {
        /// The body, while it is not read because libcurl has not asked for its first byte.
        var unread: HTTPBody?
        var buffer = UploadBuffer()
        /// The pump, while libcurl has not read all of its chunk.
        var waiter: UnsafeContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    /// - Parameter waitsToBeAsked: whether the body is not touched before libcurl wants its first byte.
    init(waitsToBeAsked: Bool = false) { self.waitsToBeAsked = waitsToBeAsked }

    /// Starts to read `body`. If libcurl finds no bytes, `wake` is called when bytes or the end are available.
    func start(_ body: HTTPBody, wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.buffer.setWake(wake)
            if waitsToBeAsked, !state.buffer.isClosed { state.unread = body }
        }
        if !waitsToBeAsked { startReading(body) }
    }

    private func startReading(_ body: HTTPBody) {
        let task = Task { await run(body) }
        let isClosed = state.withLock { state in
            if !state.buffer.isClosed { state.task = task }
            return state.buffer.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Copies the bytes that are available into a buffer. Called on the engine's thread.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        if waitsToBeAsked, let body = state.withLock({ $0.unread.take() }) { startReading(body) }
        let (outcome, waiter) = state.withLock { state in
            let outcome = state.buffer.read(into: buffer)
            return (outcome, state.buffer.count == 0 ? state.waiter.take() : nil)
        }
        if let waiter { resume(waiter) }
        return outcome
    }

    /// Stops the pump: nobody wants its bytes any more.
    func close() {
        let (task, waiter, unread) = state.withLock { state in
            state.buffer.close()
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
        var chunks = PromisedChunks(body)
        do throws(HTTPError) {
            while let chunk = try await chunks.next() {
                guard await offer(chunk) else { return }
            }
            end(.success(()))
        } catch { end(.failure(error)) }
    }

    /// Lays out a chunk and waits until it has been read. Returns whether more chunks are wanted.
    private func offer(_ chunk: Data) async -> Bool {
        guard !chunk.isEmpty else { return true }
        await withUnsafeContinuation { continuation in
            let (isClosed, wake) = state.withLock { state -> (Bool, UploadBuffer.Wake?) in
                guard !state.buffer.isClosed else { return (true, nil) }
                state.waiter = continuation
                return (false, state.buffer.append(chunk))
            }
            if isClosed { continuation.resume() }
            wake?()
        }
        hasResumed()
        return !state.withLock { $0.buffer.isClosed }
    }

    private func end(_ end: Result<Void, HTTPError>) {
        let wake = state.withLock { $0.buffer.finish(end) }
        wake?()
    }
}
