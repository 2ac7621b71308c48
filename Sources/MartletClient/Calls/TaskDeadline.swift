internal import MartletSystem

/// The deadline of the current task, which bounds every call in it. Set it with ``withDeadline(_:time:isolation:_:)``.
public enum TaskDeadline {
    @TaskLocal private static var local: ContinuousClock.Instant?

    /// The instant by which the calls of this task must end, or nil without a deadline. It may have passed.
    ///
    /// Use it to pass the rest of the time on, for example in a header field of a request to another service.
    public static var current: ContinuousClock.Instant? { local }

    /// Returns the time that is left until the deadline, or nil without a deadline. Zero if it has passed.
    ///
    /// - Parameter time: The clock of the calls. Default: the system's.
    public static func remaining(time: any TimeSource = .system) -> Duration? {
        local.map { max(.zero, time.instant.duration(to: $0)) }
    }

    /// Whether a wait from now would reach the deadline.
    package static func isReached(by wait: Duration, time: any TimeSource) -> Bool {
        local.map { time.instant + wait >= $0 } ?? false
    }

    /// Waits like a call that takes this long. Throws `.timeout` if the deadline has passed, or when it is reached.
    package static func wait(_ delay: Duration, time: any TimeSource) async throws(HTTPError) {
        let left = local.map { time.instant.duration(to: $0) }
        if let left, left <= .zero { throw hasPassed }
        if delay > .zero {
            do { try await time.sleep(for: left.map { min($0, delay) } ?? delay) } catch { throw .cancelled }
        }
        if let left, left <= delay { throw .timeout(ErrorContext(detail: explanation)) }
    }

    /// Waits for an operation outside a call until the deadline. Throws `.timeout` without starting it if the deadline has passed, and
    /// cancels it when the deadline is reached.
    package static func bound<Value: Sendable>(
        time: any TimeSource, _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let local else { return try await operation() }
        guard time.instant < local else { throw hasPassed }
        return try await race(operation, until: local, time: time) { ErrorContext(detail: TaskDeadline.explanation) }
    }

    /// Waits for an operation with errors of any type until the deadline: see ``bound(time:_:)``.
    package static func bound<Value: Sendable>(
        time: any TimeSource, untyped operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard local != nil else { return try await operation() }
        return try await bound(time: time) { () async throws(HTTPError) -> Result<Value, any Error> in
            do { return .success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs code without a deadline, for tasks that continue after the call that began them.
    package static func removed<Value>(_ body: () -> Value) -> Value { local == nil ? body() : $local.withValue(nil, operation: body) }

    /// The detail of a timeout at the deadline.
    static let explanation = "no response by the deadline of the task"

    /// The error of a call that begins after the deadline.
    static var hasPassed: HTTPError {
        .timeout(ErrorContext(stage: .request, detail: "the deadline of the task had passed before the call began"))
    }

    /// Runs an operation with a deadline, in the isolation of the caller.
    static func with<Value, Failure: Error>(
        _ deadline: ContinuousClock.Instant, isolation: isolated (any Actor)?, _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // `withValue` does not have typed throws.
        let result: Result<Value, Failure> = await $local.withValue(
            deadline,
            operation: {
                do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
            }, isolation: isolation)
        return try result.get()
    }
}

/// Runs an operation in which every call must end within a time limit.
///
/// ```swift
/// let (user, birds) = try await withDeadline(.seconds(2)) {
///     let user = try await client.send(Request<User>.get("me"))
///     return (user, try await client.send(Request<[String]>.get("birds")))  // has what is left of the two seconds
/// }
/// ```
///
/// The deadline bounds each call like its total timeout, and the earlier of the two applies: with its retries, waits, redirects and queues
/// up to the value, and up to the head for streams, downloads and event streams. A call that exceeds it throws `HTTPError.timeout`. A call
/// that begins after it throws `.timeout` and sends nothing. Streams that reconnect and transfers that resume do not begin a wait that
/// would reach it.
///
/// A deadline inside another one can only be earlier. Child tasks and `Task { }` inherit it, `Task.detached` does not. Work that several
/// callers share, such as a token refresh, is not bounded by the deadline of the caller that started it: each caller's own wait is.
///
/// The operation itself is not cancelled at the deadline: only calls obey it, and code between them should check
/// ``TaskDeadline/current`` if it takes long.
///
/// - Parameters:
///   - limit: The time for all calls together. With zero or less, every call throws `.timeout`.
///   - time: The clock that `limit` is measured with, which must be the client's. Default: the system's.
///   - isolation: The actor that the operation runs on. Default: the caller's.
///   - operation: The operation with the calls.
/// - Returns: The value of the operation.
/// - Throws: The error of the operation.
public func withDeadline<Value, Failure: Error>(
    _ limit: Duration, time: any TimeSource = .system, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withDeadline(at: time.instant + limit, isolation: isolation, operation)
}

/// Runs an operation in which every call must end by an instant, such as the deadline of a request that a server is handling.
///
/// See ``withDeadline(_:time:isolation:_:)``.
///
/// - Parameters:
///   - deadline: The instant, by the clock of the clients.
///   - isolation: The actor that the operation runs on. Default: the caller's.
///   - operation: The operation with the calls.
/// - Returns: The value of the operation.
/// - Throws: The error of the operation.
public func withDeadline<Value, Failure: Error>(
    at deadline: ContinuousClock.Instant, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let earliest = TaskDeadline.current.map { min($0, deadline) } ?? deadline
    return try await TaskDeadline.with(earliest, isolation: isolation, operation)
}
