internal import MartletSystem

/// Runs an operation until a deadline. Returns its result, or throws `.timeout` if the deadline passes first.
///
/// The operation runs in a task of its own, which is cancelled at the deadline or with the caller. The caller does not wait for an
/// operation that ignores its cancellation. An operation that never suspends needs neither another thread nor a timer.
package func race<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws(HTTPError) -> Value, until deadline: ContinuousClock.Instant, time: any TimeSource,
    timeout: @escaping @Sendable () -> ErrorContext
) async throws(HTTPError) -> Value {
    try await race(operation, against: { time.timer(at: deadline, fire: $0) }, timeout: timeout)
}

/// Runs an operation until a timer that `start` creates fires, or until the call of `ticket` is cancelled.
package func race<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws(HTTPError) -> Value,
    against start: (_ fire: @escaping @Sendable () -> Void) -> (any ScheduledTimer)?, endedBy ticket: CallTicket? = nil,
    timeout: @escaping @Sendable () -> ErrorContext
) async throws(HTTPError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let first = OneShot<Result<Value, HTTPError>>()
    let body = { @Sendable () async -> Void in
        do throws(HTTPError) { first.set(.success(try await operation())) } catch { first.set(.failure(error)) }
    }
    let task = if let ticket { CallTicket.$current.withValue(ticket) { beginTask(body) } } else { beginTask(body) }
    if let early = first.early { return try early.get() }
    let timer = start {
        if first.set(.failure(.timeout(timeout()))) { task.cancel() }
    }
    defer { timer?.cancel() }
    ticket?.onCancel {
        if first.set(.failure(.cancelled)) { task.cancel() }
    }
    defer { ticket?.onCancel(nil) }
    return try await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        if first.set(.failure(.cancelled)) { task.cancel() }
    }.get()
}
