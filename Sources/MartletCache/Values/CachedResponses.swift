internal import MartletSystem

/// The stored response, even if it is stale, and then the server's: the sequence that `responses(_:options:)` returns.
///
/// The first comes only where there is something stored that may be shown (see ``EndpointClient/responses(_:options:)-(E,_)``), and only while the
/// server's is on its way; the last is always the server's answer, or what stands in for its failure. Nothing is asked before it is
/// iterated, each iteration asks anew, and leaving it stops what is under way. What asking throws comes after what is stored: the client's
/// `Failure`.
public struct CachedResponses<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A response, whose `metadata.cacheStatus` says whether it is stale.
    public typealias Element = HTTPResponse<Value>

    let begin: @Sendable () -> CachedReading<Value, Failure>

    /// The responses, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reading: CachedReading<Value, Failure>

        /// The next response; nil after the server's.
        public mutating func next() async throws(Failure) -> HTTPResponse<Value>? { try await reading.next() }
    }

    /// Asks.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: begin()) }
}

/// The stored value, even if it is stale, and then the server's: the sequence that `values(_:options:)` returns. See ``CachedResponses``.
public struct CachedValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A decoded value.
    public typealias Element = Value

    let responses: CachedResponses<Value, Failure>

    /// The values, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var responses: CachedResponses<Value, Failure>.AsyncIterator

        /// The next value; nil after the server's.
        public mutating func next() async throws(Failure) -> Value? { try await responses.next()?.body }
    }

    /// Asks.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(responses: responses.makeAsyncIterator()) }
}

/// One call that may be answered twice.
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
    /// The value of what is stored; nil for what is no answer to the call.
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
        // Not by itself: what is left is to end the call.
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
