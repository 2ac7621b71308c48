internal import MartletSystem

/// Reads a call that may return two responses: the stored one and the server's.
final class CachedReading<Value: Sendable, Failure: Error>: Sendable {
    private typealias Outcome = Result<HTTPResponse<Value>, Failure>

    private enum Step: Sendable {
        case unbegun
        case waiting(Task<Outcome, Never>)
        case ended
    }

    private let early = OneShot<EarlyResponse?>()
    private let step = Locked(Step.unbegun)
    private let call: @Sendable (EarlyAnswer) async throws(Failure) -> HTTPResponse<Value>
    /// Decodes the stored response. Returns nil if it is not valid for the call.
    private let value: @Sendable (EarlyResponse) async -> HTTPResponse<Value>?

    init(
        call: @escaping @Sendable (EarlyAnswer) async throws(Failure) -> HTTPResponse<Value>,
        value: @escaping @Sendable (EarlyResponse) async -> HTTPResponse<Value>?
    ) {
        self.call = call
        self.value = value
    }

    deinit { if case .waiting(let task) = step.withLock({ $0 }) { task.cancel() } }

    func next() async throws(Failure) -> HTTPResponse<Value>? {
        switch step.withLock({ $0 }) {
        case .ended: return nil
        case .unbegun:
            let task = begin()
            step.withLock { $0 = .waiting(task) }
            let stored = await withTaskCancellationHandler {
                await early.value()
            } onCancel: {
                task.cancel()
            }
            if let stored, let response = await value(stored) { return response }
            return try await last(task)
        case .waiting(let task): return try await last(task)
        }
    }

    private func begin() -> Task<Outcome, Never> {
        // The task does not capture `self`, so releasing this object cancels it.
        let (early, call) = (early, call)
        return Task {
            defer { early.set(nil) }
            do throws(Failure) { return .success(try await call(EarlyAnswer { early.set($0) })) } catch { return .failure(error) }
        }
    }

    private func last(_ task: Task<Outcome, Never>) async throws(Failure) -> HTTPResponse<Value> {
        let outcome = await task.resultCancelledByCaller().get()
        step.withLock { $0 = .ended }
        return try outcome.get()
    }
}
