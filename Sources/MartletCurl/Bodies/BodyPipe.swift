internal import MartletHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The bytes of a streamed answer between libcurl's thread, which writes, and one reader, with a bounded amount in between.
///
/// When the bound is reached, libcurl is told to pause, and with it the sender; the reader, by taking everything that is there,
/// lets it go on.
final class BodyPipe: Sendable {
    /// What the reader wants of the engine.
    enum Demand { case resume, cancel }

    typealias Waiter = UnsafeContinuation<Result<Data?, HTTPError>, Never>

    private let owner = OwnerProcess()
    private let capacity: Int
    private let demand: @Sendable (Demand) -> Void
    private let state = Locked(State())

    private struct State {
        var pending = Data()
        var end: Result<Void, HTTPError>?
        var cancellation: HTTPError?
        var waiter: Waiter?
        var isPaused = false

        /// Whether so many bytes can be stored; if not, libcurl is to be told when they can.
        mutating func hasRoom(for count: Int, _ capacity: Int) -> Bool {
            // Nobody reads any more: nothing further is taken from the connection until the engine has heard of it and stops.
            if cancellation != nil { return false }
            if pending.isEmpty || pending.count + count <= capacity { return true }
            isPaused = true
            return false
        }

        mutating func store(_ bytes: UnsafeRawBufferPointer, _ capacity: Int) -> Written {
            if pending.isEmpty { pending.reserveCapacity(min(capacity, bytes.count * 4)) }
            pending.append(contentsOf: bytes)
            return waiter == nil ? .stored : .awaited
        }

        /// What a reader gets at this moment; nil when it has to wait.
        mutating func take() -> Result<Data?, HTTPError>? {
            if let cancellation { return .failure(cancellation) }
            if !pending.isEmpty {
                let chunk = pending
                pending = Data()
                return .success(chunk)
            }
            switch end {
            case .success: return .success(nil)
            case .failure(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    init(capacity: Int, demand: @escaping @Sendable (Demand) -> Void) {
        self.capacity = max(1, capacity)
        self.demand = demand
    }

    // MARK: The engine's side

    /// What became of bytes that were offered.
    enum Written {
        case stored
        /// Stored, and a reader waits for them: `flush()` when more can't be had at once.
        case awaited
        /// No room: they must be offered again after `.resume`.
        case refused
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Written {
        state.withLock { state in
            guard state.hasRoom(for: bytes.count, capacity) else { return .refused }
            return state.store(bytes, capacity)
        }
    }

    /// How many bytes `write(_:)` takes now; 0, noting that the reader must ask for more, when it would refuse.
    func room() -> Int { state.withLock { $0.hasRoom(for: 1, capacity) ? max(1, capacity - $0.pending.count) : 0 } }

    /// Gives what has been written to a reader that waits for it.
    func flush() {
        let (waiter, outcome, wasPaused) = state.withLock { state -> (Waiter?, Result<Data?, HTTPError>?, Bool) in
            guard state.waiter != nil, let outcome = state.take() else { return (nil, nil, false) }
            defer { state.isPaused = false }
            return (state.waiter.take(), outcome, state.isPaused)
        }
        if wasPaused { demand(.resume) }
        if let waiter, let outcome { waiter.resume(returning: outcome) }
    }

    /// Ends the body: complete, or with an error. What was written before is still read.
    func end(_ end: Result<Void, HTTPError>) {
        state.withLock { state in
            state.isPaused = false
            state.end = state.end ?? end
        }
        flush()
    }

    // MARK: The reader's side

    /// Returns the next bytes, or nil at the end. Throws `.engineUnavailable` in a forked child, where the copied lock may stay locked
    /// forever.
    func next() async throws(HTTPError) -> Data? {
        try owner.check("this body was received")
        if !Task.isCancelled, let ready = takeReady() { return try ready.get() }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: Waiter) in
                if let ready = takeReady(orWait: waiter) { waiter.resume(returning: ready) }
            }
        } onCancel: {
            cancel(.cancelled(ErrorContext(stage: .body)))
        }
        #if DEBUG
        // As in `Transfer.markHandOver`.
        state.withLock { _ in }
        #endif
        return try outcome.get()
    }

    /// Remembers the reason and asks the engine to stop; the engine then wakes a reader that waits.
    func cancel(_ reason: HTTPError) {
        guard owner.isCurrent else { return }
        let isNews = state.withLock { state in
            guard state.cancellation == nil else { return false }
            state.cancellation = reason
            state.pending = Data()
            return state.end == nil
        }
        if isNews { demand(.cancel) }
    }

    private func takeReady(orWait waiter: Waiter? = nil) -> Result<Data?, HTTPError>? {
        let (ready, wasPaused) = state.withLock { state -> (Result<Data?, HTTPError>?, Bool) in
            guard let ready = state.take() else {
                state.waiter = waiter
                return (nil, false)
            }
            defer { state.isPaused = false }
            return (ready, state.isPaused)
        }
        if wasPaused { demand(.resume) }
        return ready
    }
}

/// The reader's end of a pipe. Dropping it stops the transfer.
final class PipeReader: HTTPBodyReader {
    private let pipe: BodyPipe

    init(_ pipe: BodyPipe) { self.pipe = pipe }

    deinit { pipe.cancel(.cancelled) }

    func next() async throws(HTTPError) -> Data? { try await pipe.next() }

    func cancel(_ reason: HTTPError) { pipe.cancel(reason) }
}
