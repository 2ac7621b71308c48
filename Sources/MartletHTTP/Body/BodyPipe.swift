package import MartletEssentials
internal import MartletSystem

/// A bounded buffer for a streamed body between one producer, such as a transport's thread or delegate, and one reader.
///
/// A producer that can pause learns when it must pause. A ``Demand`` tells it when the reader has made room. For a producer that can't
/// pause, the body ends when more bytes wait than its limit allows.
package final class BodyPipe: Sendable {
    /// What the reader requires of the producer.
    package enum Demand: Sendable { case resume, cancel }

    private typealias Waiter = UnsafeContinuation<Result<Data?, HTTPError>, Never>

    private let capacity: Int
    private let demand: @Sendable (Demand) -> Void
    private let state: Locked<State>

    private struct State {
        var pending: any PendingBytes
        var end: Result<Void, HTTPError>?
        var cancellation: HTTPError?
        var waiter: Waiter?
        var isPaused = false

        /// Whether `count` more bytes can be stored. If not, the producer must pause until the reader has made room.
        mutating func hasRoom(for count: Int, _ capacity: Int) -> Bool {
            // After a cancellation, the producer must not take more bytes from the connection. It learns of the cancellation soon and
            // stops.
            if cancellation != nil { return false }
            if pending.isEmpty || pending.count + count <= capacity { return true }
            isPaused = true
            return false
        }

        /// Returns the result of a read now, or nil if the reader has to wait.
        mutating func take() -> Result<Data?, HTTPError>? {
            if let cancellation { return .failure(cancellation) }
            if !pending.isEmpty { return .success(pending.take()) }
            return end?.map { nil }
        }
    }

    /// - Parameters:
    ///   - capacity: The number of waiting bytes at which the producer must pause.
    ///   - pending: The memory of the waiting bytes.
    ///   - demand: Called on the reader's thread, outside the lock.
    package init(capacity: Int, pending: any PendingBytes = PlainBytes(), demand: @escaping @Sendable (Demand) -> Void) {
        self.capacity = max(1, capacity)
        self.demand = demand
        state = Locked(State(pending: pending))
    }

    // MARK: The producer's side

    /// The result of a write.
    package enum Written: Sendable {
        case stored
        /// Stored, and a reader waits for them: call `flush()` when no more bytes are available immediately.
        case awaited
        /// Not stored, because the buffer is full or the body was cancelled.
        case refused
    }

    /// Stores bytes of a producer that can offer them again. If they are refused, the producer must offer them again after `.resume`.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Written {
        state.withLock { state in
            guard state.hasRoom(for: bytes.count, capacity) else { return .refused }
            if state.pending.isEmpty { state.pending.announce(min(capacity, bytes.count * 2)) }
            state.pending.append(bytes)
            return state.waiter == nil ? .stored : .awaited
        }
    }

    /// Stores bytes of a producer that can't offer them again. They are refused if more than `limit` bytes would wait.
    ///
    /// The producer must pause when `room()` is 0 afterwards. Bytes after the end or a cancellation are ignored.
    package func write(_ bytes: Data, limit: Int) -> Written {
        state.withLock { state in
            guard state.cancellation == nil, state.end == nil else { return .stored }
            guard bytes.count <= limit - state.pending.count else { return .refused }
            state.pending.append(bytes)
            return state.waiter == nil ? .stored : .awaited
        }
    }

    /// Returns the number of bytes that can be written now. If it is 0, the producer must pause until `.resume`.
    package func room() -> Int { state.withLock { $0.hasRoom(for: 1, capacity) ? max(1, capacity - $0.pending.count) : 0 } }

    /// Whether the producer must pause: there was no room, and the reader has made none since.
    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Passes the stored bytes to a waiting reader.
    package func flush() {
        let (waiter, outcome, wasPaused) = state.withLock { state -> (Waiter?, Result<Data?, HTTPError>?, Bool) in
            guard state.waiter != nil, let outcome = state.take() else { return (nil, nil, false) }
            return (state.waiter.take(), outcome, exchange(&state.isPaused, with: false))
        }
        if wasPaused { demand(.resume) }
        if let waiter, let outcome { waiter.resume(returning: outcome) }
    }

    /// Ends the body, either complete or with an error. Bytes stored before can still be read.
    package func end(_ end: Result<Void, HTTPError>) {
        state.withLock { state in
            state.isPaused = false
            state.end = state.end ?? end
        }
        flush()
    }

    // MARK: The reader's side

    /// Returns the next bytes, or nil at the end.
    func next() async throws(HTTPError) -> Data? {
        if !Task.isCancelled, let ready = takeReady() { return try ready.get() }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: Waiter) in
                if let ready = takeReady(orWait: waiter) { waiter.resume(returning: ready) }
            }
        } onCancel: {
            cancel(.cancelled(ErrorContext(stage: .body)))
        }
        #if DEBUG
        // ThreadSanitizer does not see that a continuation orders `resume` before what follows `await`. The lock shows it.
        state.withLock { _ in }
        #endif
        return try outcome.get()
    }

    /// Discards the stored bytes, tells the producer to stop, and makes a waiting read and all later ones throw `reason`.
    package func cancel(_ reason: HTTPError) {
        let (isNews, waiter) = state.withLock { state -> (Bool, Waiter?) in
            guard state.cancellation == nil else { return (false, nil) }
            state.cancellation = reason
            _ = state.pending.take()
            state.isPaused = false
            return (state.end == nil, state.waiter.take())
        }
        if isNews { demand(.cancel) }
        waiter?.resume(returning: .failure(reason))
    }

    private func takeReady(orWait waiter: Waiter? = nil) -> Result<Data?, HTTPError>? {
        let (ready, wasPaused) = state.withLock { state -> (Result<Data?, HTTPError>?, Bool) in
            guard let ready = state.take() else {
                state.waiter = waiter
                return (nil, false)
            }
            return (ready, exchange(&state.isPaused, with: false))
        }
        if wasPaused { demand(.resume) }
        return ready
    }
}

/// The reader's end of a pipe. Dropping it stops the transfer.
package final class PipeReader: HTTPBodyReader {
    private let pipe: BodyPipe
    private let check: @Sendable () throws(HTTPError) -> Void

    /// - Parameter check: Throws if the pipe must not be touched. In a forked child, its lock may stay locked forever.
    package init(_ pipe: BodyPipe, check: @escaping @Sendable () throws(HTTPError) -> Void = { () throws(HTTPError) in }) {
        self.pipe = pipe
        self.check = check
    }

    deinit { cancel(.cancelled) }

    package func next() async throws(HTTPError) -> Data? {
        try check()
        return try await pipe.next()
    }

    package func cancel(_ reason: HTTPError) { if (try? check()) != nil { pipe.cancel(reason) } }
}

/// The bytes of a body that wait for their reader, and the memory in which they wait.
package protocol PendingBytes: Sendable {
    var count: Int { get }

    /// Announces about how many bytes will be appended before they are taken.
    mutating func announce(_ count: Int)

    mutating func append(_ bytes: UnsafeRawBufferPointer)

    mutating func append(_ bytes: Data)

    /// Removes and returns all bytes.
    mutating func take() -> Data
}

extension PendingBytes {
    var isEmpty: Bool { count == 0 }
}

/// Waiting bytes in the memory of a `Data`.
struct PlainBytes: PendingBytes {
    private var bytes = Data()

    init() {}

    package var count: Int { bytes.count }

    package mutating func announce(_ count: Int) { bytes.reserveCapacity(count) }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

    /// Keeps the given bytes without copying them if no others wait.
    package mutating func append(_ bytes: Data) {
        if self.bytes.isEmpty { self.bytes = bytes } else { self.bytes.append(bytes) }
    }

    package mutating func take() -> Data { exchange(&bytes, with: Data()) }
}
