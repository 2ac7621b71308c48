internal import MartletSystem

/// What happens in a download or an upload that is watched as a sequence.
@nonexhaustive public enum TransferUpdate<Value: Sendable>: Sendable {
    /// So far it has come.
    case progress(TransferProgress)
    /// It has ended well; the sequence ends with it.
    case finished(Value)
}

/// A transfer as a sequence of its progress, with its result as the last element.
///
/// ```swift
/// for try await event in client.downloadUpdates(.get("big.iso"), to: file) {
///     switch event {
///     case .progress(let progress): bar.show(progress.fraction)
///     case .finished(let download): open(download.url)
///     }
/// }
/// ```
///
/// The transfer begins when the first element is asked for, and runs on at its own speed: a slow reader misses progress, and never the
/// result. Leaving the loop, or cancelling the task, stops it. Each iteration is a transfer of its own.
public struct TransferSequence<Value: Sendable>: AsyncSequence, Sendable {
    /// Progress, or the result.
    public typealias Element = TransferUpdate<Value>

    let run: @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws(HTTPError) -> Value

    /// Prepares a transfer; it begins when its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transfer: WatchedTransfer(run)) }

    /// Gives event after event.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let transfer: WatchedTransfer<Value>

        /// The next event; nil after the result.
        public mutating func next() async throws(HTTPError) -> TransferUpdate<Value>? { try await transfer.next() }
    }
}

/// A transfer in a task of its own, whose newest progress is kept for the one who watches it.
private final class WatchedTransfer<Value: Sendable>: Sendable {
    typealias Run = @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws(HTTPError) -> Value
    private typealias Step = Result<TransferUpdate<Value>?, HTTPError>

    /// What the transfer's task knows, so that letting go of the iterator ends it.
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

    deinit { task.withLock { $0 }?.cancel() }

    func next() async throws(HTTPError) -> TransferUpdate<Value>? {
        start()
        let step = await withTaskCancellationHandler {
            await withCheckedContinuation { inbox.wait($0) }
        } onCancel: {
            // The transfer's own end is waited for: when it is over, its files are free again.
            task.withLock { $0 }?.cancel()
        }
        return try step.get()
    }

    private func start() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [run, inbox] in
                do throws(HTTPError) { inbox.put(.success(try await run { inbox.put($0) })) } catch { inbox.put(.failure(error)) }
            }
        }
    }
}
