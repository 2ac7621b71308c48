internal import Dispatch
internal import MartletCore

/// Runs what blocks, one after the other, away from the threads of tasks.
struct Lane: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work`. When the task is cancelled it throws at once; what has begun goes on, and what has not is left out.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        let answer = OneShot<Result<Value, CacheStoreError>>(), isCancelled = Locked(Task.isCancelled)
        if isCancelled.withLock({ $0 }) { throw .cancelled }
        queue.async {
            guard !isCancelled.withLock({ $0 }) else { return }
            do throws(CacheStoreError) { answer.set(.success(try work())) } catch { answer.set(.failure(error)) }
        }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            isCancelled.withLock { $0 = true }
            answer.set(.failure(.cancelled))
        }.get()
    }

    /// Runs `work` some time, for nobody who waits.
    func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` and waits, on a thread that may block.
    func wait(_ work: @Sendable () -> Void) { queue.sync(execute: work) }
}
