import Martlet

/// A list that many tasks append to: what a test keeps of what happened.
///
/// ```swift
/// let lines = Recorder<String>()
/// let logging = LoggingInterceptor { lines.append($0.message) }
/// …
/// #expect(lines.values.count == 2)
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [(count: Int, waiter: OneShot<Bool>)] = []
    }

    private let state = Locked(State())

    /// An empty list.
    public init() {}

    /// What was appended, in order.
    public var values: [Value] { state.withLock { $0.values } }

    /// Adds a value at the end.
    public func append(_ value: Value) {
        let reached = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            let reached = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return reached
        }
        for (_, waiter) in reached { waiter.set(true) }
    }

    /// Waits until `count` values are there, and gives those that are. Throws `CancellationError` when the task is cancelled.
    @discardableResult
    public func wait(forCount count: Int) async throws(CancellationError) -> [Value] {
        let waiter = OneShot<Bool>()
        state.withLock { state in
            if state.values.count >= count { waiter.set(true) } else { state.waiting.append((count, waiter)) }
        }
        let reached = await withTaskCancellationHandler { await waiter.value() } onCancel: { waiter.set(false) }
        guard reached else { throw CancellationError() }
        return values
    }
}
