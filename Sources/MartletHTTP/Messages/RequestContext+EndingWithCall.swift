internal import MartletSystem

extension RequestContext {
    /// Waits for work other than the exchange, such as a token provider or a store, until the call ends.
    ///
    /// If the call has no task of its own that is abandoned at its end (see ``call``), the work gets one: at the deadline this throws
    /// `.timeout`, and when the call is cancelled `.cancelled`, without waiting for work that ignores its cancellation. Work that never
    /// suspends needs no other thread and no timer.
    package func endingWithCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let call else { return try await operation() }
        let timer = { (fire: @escaping @Sendable () -> Void) in deadline.map { time.timer(at: $0, fire: fire) } }
        return try await race(operation, against: timer, endedBy: call) { ErrorContext(stage: .exchange) }
    }
}
