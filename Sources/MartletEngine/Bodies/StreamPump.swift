internal import MartletEssentials
package import MartletHTTP
internal import MartletSystem

/// Carries the chunks of a streamed request body to the engine, one at a time. The next chunk is requested when the engine has read the
/// last.
///
/// If a body has more or fewer bytes than its declared length, the request fails before its last byte is sent.
package final class StreamPump: Sendable {
    private let waitsToBeAsked: Bool
    private let state = Locked(State())
    private let handOver = HandOver()

    private struct State {
        /// The body, until the engine requests its first byte.
        var unread: HTTPBody?
        var buffer = UploadBuffer()
        /// The task that waits until the engine has read its chunk.
        var waiter: UnsafeContinuation<Void, Never>?
        var task: Task<Void, Never>?
        /// The fields that follow the last byte, once the body has ended.
        var trailers: HTTPFields?
    }

    /// - Parameter waitsToBeAsked: Whether reading begins only when the engine requests the first byte.
    package init(waitsToBeAsked: Bool = false) { self.waitsToBeAsked = waitsToBeAsked }

    /// Starts to read `body`. If the engine finds no bytes, `wake` is called when bytes or the end are available.
    package func start(_ body: HTTPBody, wake: @escaping @Sendable () -> Void) {
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
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        if waitsToBeAsked, let body = state.withLock({ $0.unread.take() }) { startReading(body) }
        let (outcome, waiter) = state.withLock { state in
            let outcome = state.buffer.read(into: buffer)
            return (outcome, state.buffer.count == 0 ? state.waiter.take() : nil)
        }
        if let waiter { resume(waiter) }
        return outcome
    }

    /// Removes and returns the fields that follow the last byte.
    package func takeTrailers() -> HTTPFields { state.withLock { $0.trailers.take() } ?? [:] }

    /// Stops reading the body and drops its bytes.
    package func close() {
        let (task, waiter, unread) = state.withLock { state in
            state.buffer.close()
            return (state.task.take(), state.waiter.take(), state.unread.take())
        }
        // Released outside the lock: the app's body may run a deinit.
        _ = unread
        task?.cancel()
        if let waiter { resume(waiter) }
    }

    private func resume(_ waiter: UnsafeContinuation<Void, Never>) {
        handOver.mark()
        waiter.resume()
    }

    private func run(_ body: HTTPBody) async {
        var chunks = PromisedChunks(body)
        do throws(HTTPError) {
            while let chunk = try await chunks.next() {
                guard await offer(chunk) else { return }
            }
            if body.hasTrailers {
                let trailers = try await body.makeTrailers()
                state.withLock { $0.trailers = trailers }
            }
            end(.success(()))
        } catch { end(.failure(error)) }
    }

    /// Passes on a chunk and waits until it has been read. Returns whether more chunks are wanted.
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
        handOver.mark()
        return !state.withLock { $0.buffer.isClosed }
    }

    private func end(_ end: Result<Void, HTTPError>) {
        let wake = state.withLock { $0.buffer.finish(end) }
        wake?()
    }
}
