public import MartletEssentials
internal import MartletSystem

/// An element of the sequence of a transfer, which is its progress, or at the end its result.
///
/// ```swift
/// for try await update in client.downloadUpdates(.get("big.iso"), to: file) {
///     switch update {
///     case .progress(let progress): bar.show(progress.fraction)
///     case .finished(let download): show(download.url)
///     @unknown default: break
///     }
/// }
/// ```
///
/// The transfer begins when the first element is requested, and continues at its own speed: a slow reader misses progress, but never the
/// result. Leaving the loop, or cancelling the task, stops it. Each iteration is a separate transfer.
///
/// Write a loop that you leave early in a function. At the top level of `main.swift`, its iterator, and with it the transfer, exists until
/// the program ends.
@nonexhaustive public enum TransferUpdate<Value: Sendable>: Sendable {
    /// The transfer has made this progress so far.
    case progress(TransferProgress)
    /// The transfer has ended with this result, which is the last element.
    case finished(Value)
}

/// The result of a download to a file, or of a resumable upload of a file.
public struct TransferredFile: Sendable {
    /// The URL of the file: that of the local file after a download, and that on the server after an upload.
    public let url: URL
    /// The size of the file in bytes, including what earlier calls transferred.
    public let bytes: Int64
    /// The status and header fields of the last response. That of a download may be that of a part (206), or say that no bytes were missing
    /// (416).
    public let response: HTTPResponse<Void>
    /// The number of bytes that earlier calls transferred, and not this one.
    public let resumedBytes: Int64
    /// The number of times that this call resumed the transfer after a failure.
    public let resumptions: Int

    /// Creates a transferred file, for test doubles.
    public init(
        url: URL, bytes: Int64, response: HTTPResponse<Void> = HTTPResponse(status: .ok, body: ()), resumedBytes: Int64 = 0,
        resumptions: Int = 0
    ) {
        self.url = url
        self.bytes = bytes
        self.response = response
        self.resumedBytes = resumedBytes
        self.resumptions = resumptions
    }
}

/// A transfer that can run with a closure for its progress or as a sequence.
struct Transfer<Value: Sendable, Failure: Error>: Sendable {
    let run: @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws(HTTPError) -> Value
    let failure: @Sendable (HTTPError) -> Failure

    /// The transfer as a sequence of its progress, with its result as the last element.
    var updates: ValueSequence<TransferUpdate<Value>, Failure> {
        let (run, failure) = (run, failure)
        return ValueSequence {
            let transfer = WatchedTransfer(run)
            return { () async throws(Failure) in
                do throws(HTTPError) { return try await transfer.next() } catch { throw failure(error) }
            }
        }
    }

    /// Runs the transfer and passes its progress to `onProgress`, one call after the other, the last one before it returns.
    func result(_ onProgress: @isolated(any) @Sendable (TransferProgress) -> Void) async throws(Failure) -> Value {
        let transfer = WatchedTransfer(run)
        // A cancellation stops the transfer also while `onProgress` runs.
        let outcome = await withTaskCancellationHandler {
            await transfer.outcome { progress in if !Task.isCancelled { await onProgress(progress) } }
        } onCancel: {
            transfer.cancel()
        }
        do throws(HTTPError) { return try outcome.get() } catch { throw failure(error) }
    }
}

/// A transfer in its own task. Only the newest progress is kept for the reader.
private final class WatchedTransfer<Value: Sendable>: Sendable {
    typealias Run = @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws(HTTPError) -> Value
    private typealias Step = Result<TransferUpdate<Value>?, HTTPError>

    /// The state that the transfer's task shares with the iterator. The task does not hold the transfer itself, so that releasing the
    /// iterator cancels it.
    private final class Inbox: Sendable {
        private let state = Locked(State())

        private struct State {
            var progress: TransferProgress?
            var result: Result<Value, HTTPError>?
            var isOver = false
            var waiter: CheckedContinuation<Step, Never>?

            mutating func step() -> Step? {
                if isOver { return .success(nil) }
                if let newest = progress.take() { return .success(.progress(newest)) }
                guard let result else { return nil }
                isOver = true
                return result.map { .finished($0) }
            }
        }

        func put(_ progress: TransferProgress) { change { $0.progress = progress } }

        func put(_ result: Result<Value, HTTPError>) { change { $0.result = $0.result ?? result } }

        func wait(_ continuation: CheckedContinuation<Step, Never>) {
            let step = state.withLock { state in
                let step = state.step()
                if step == nil { state.waiter = continuation }
                return step
            }
            if let step { continuation.resume(returning: step) }
        }

        private func change(_ body: (inout State) -> Void) {
            let (waiter, step) = state.withLock { state -> (CheckedContinuation<Step, Never>?, Step?) in
                body(&state)
                guard state.waiter != nil, let step = state.step() else { return (nil, nil) }
                return (state.waiter.take(), step)
            }
            if let waiter, let step { waiter.resume(returning: step) }
        }
    }

    private let inbox = Inbox()
    private let run: Run
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ run: @escaping Run) { self.run = run }

    deinit { cancel() }

    func next() async throws(HTTPError) -> TransferUpdate<Value>? {
        start()
        let step = await withTaskCancellationHandler {
            await withCheckedContinuation { inbox.wait($0) }
        } onCancel: {
            // The reader still waits for the end of the transfer, after which its files can be used again.
            cancel()
        }
        return try step.get()
    }

    /// Runs the transfer to its end.
    func outcome(_ onProgress: (TransferProgress) async -> Void) async -> Result<Value, HTTPError> {
        do throws(HTTPError) {
            while let update = try await next() {
                switch update {
                case .progress(let progress): await onProgress(progress)
                case .finished(let value): return .success(value)
                }
            }
            return .failure(.cancelled)
        } catch { return .failure(error) }
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    private func start() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [run, inbox] in
                do throws(HTTPError) { inbox.put(.success(try await run { inbox.put($0) })) } catch { inbox.put(.failure(error)) }
            }
        }
    }
}
