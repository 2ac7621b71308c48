internal import Foundation
internal import MartletHTTP

/// The bytes of a streamed answer between URLSession, which writes, and one reader.
///
/// On Apple's platforms the task is suspended while more than `capacity` bytes wait. On Linux a suspended task starts again at the first
/// byte, so that nothing can stop the sender: there `limit` bounds what waits, and past it the body ends with an error.
final class ArrivingBody: Sendable {
    /// What the reader wants of the exchange.
    enum Demand { case resume, cancel(HTTPError) }

    /// What became of bytes that were offered.
    enum Written: Equatable {
        case stored
        /// Stored, and no more are wanted until `.resume`.
        case full
        /// More than may wait: the exchange must end.
        case overflow
    }

    private typealias Waiter = UnsafeContinuation<Result<Data?, HTTPError>, Never>

    private let capacity: Int
    private let limit: Int
    private let demand: @Sendable (Demand) -> Void
    private let state = Locked(State())

    private struct State {
        var pending: [Data] = []
        var pendingCount = 0
        var end: Result<Void, HTTPError>?
        var cancellation: HTTPError?
        var waiter: Waiter?
        var isFull = false

        /// What a reader gets at this moment; nil when it has to wait.
        mutating func take() -> Result<Data?, HTTPError>? {
            if let cancellation { return .failure(cancellation) }
            if !pending.isEmpty {
                // All that is there at once, so that what has been taken is let go of.
                var chunk = pending[0]
                for piece in pending.dropFirst() { chunk.append(piece) }
                pending = []
                pendingCount = 0
                return .success(chunk)
            }
            switch end {
            case .success: return .success(nil)
            case .failure(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    init(capacity: Int, limit: Int, demand: @escaping @Sendable (Demand) -> Void) {
        self.capacity = max(1, capacity)
        self.limit = max(1, limit)
        self.demand = demand
    }

    /// Whether so much waits that no more is wanted.
    var isFull: Bool { state.withLock { $0.isFull } }

    // MARK: The exchange's side

    func write(_ bytes: Data) -> Written {
        let (written, waiter, outcome) = state.withLock { state -> (Written, Waiter?, Result<Data?, HTTPError>?) in
            guard state.cancellation == nil, state.end == nil, !bytes.isEmpty else { return (.stored, nil, nil) }
            guard bytes.count <= limit - state.pendingCount else { return (.overflow, nil, nil) }
            state.pending.append(bytes)
            state.pendingCount += bytes.count
            if let waiter = state.waiter.take() { return (.stored, waiter, state.take()) }
            guard state.pendingCount >= capacity else { return (.stored, nil, nil) }
            state.isFull = true
            return (.full, nil, nil)
        }
        if let outcome { waiter?.resume(returning: outcome) }
        return written
    }

    /// Ends the body: complete, or with an error. What was written before is still read.
    func end(_ end: Result<Void, HTTPError>) {
        let (waiter, outcome) = state.withLock { state -> (Waiter?, Result<Data?, HTTPError>?) in
            state.end = state.end ?? end
            state.isFull = false
            guard state.waiter != nil, let outcome = state.take() else { return (nil, nil) }
            return (state.waiter.take(), outcome)
        }
        if let outcome { waiter?.resume(returning: outcome) }
    }

    // MARK: The reader's side

    func next() async throws(HTTPError) -> Data? {
        try await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: Waiter) in
                let (ready, wasFull) = state.withLock { state -> (Result<Data?, HTTPError>?, Bool) in
                    guard let ready = state.take() else {
                        state.waiter = waiter
                        return (nil, false)
                    }
                    defer { state.isFull = false }
                    return (ready, state.isFull)
                }
                if wasFull { demand(.resume) }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            cancel(.cancelled(ErrorContext(stage: .body)))
        }.get()
    }

    /// Ends the reading with `reason`, and the exchange if it is under way.
    func cancel(_ reason: HTTPError) {
        let (isNews, waiter) = state.withLock { state -> (Bool, Waiter?) in
            guard state.cancellation == nil else { return (false, nil) }
            state.cancellation = reason
            state.pending = []
            state.pendingCount = 0
            state.isFull = false
            return (state.end == nil, state.waiter.take())
        }
        if isNews { demand(.cancel(reason)) }
        waiter?.resume(returning: .failure(reason))
    }
}

/// The reader's end of an arriving body. Dropping it stops the transfer.
final class ArrivingBodyReader: HTTPBodyReader {
    private let body: ArrivingBody

    init(_ body: ArrivingBody) { self.body = body }

    deinit { body.cancel(.cancelled) }

    func next() async throws(HTTPError) -> Data? { try await body.next() }

    func cancel(_ reason: HTTPError) { body.cancel(reason) }
}
