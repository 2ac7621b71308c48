internal import MartletSystem

/// A list to which concurrent tasks can append values, and whose values they can await.
///
/// ```swift
/// let lines = Recorder<String>()
/// let client = HTTPClient(baseURL: base, observers: [LoggingObserver { lines.append($0.message) }])
/// …
/// #expect(lines.values.count == 2)
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    private let list = Locked<[Value]>([])
    private let tally = Tally()

    /// Creates an empty list.
    public init() {}

    /// The values appended so far, in order.
    public var values: [Value] { list.withLock { $0 } }

    /// The number of values appended so far.
    public var count: Int { list.withLock { $0.count } }

    /// Appends a value and resumes the tasks that wait for it.
    public func append(_ value: Value) {
        list.withLock { $0.append(value) }
        tally.add(1)
    }

    /// Waits for the value at `index`, counted from 0, and returns it. The index must not be negative.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func value(at index: Int) async throws(CancellationError) -> Value {
        precondition(index >= 0, "index \(index) is negative: values are counted from 0")
        return try await first(index + 1)[index]
    }

    /// Waits for `count` values and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func first(_ count: Int) async throws(CancellationError) -> [Value] {
        try await tally.wait { $0 >= count }
        return list.withLock { Array($0.prefix(max(0, count))) }
    }
}

/// A counter that tasks can wait for.
package final class Tally: Sendable {
    private struct Waiter {
        let condition: @Sendable (Int) -> Bool
        let promise: OneShot<Bool>
    }

    private struct State {
        var count = 0
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The current number.
    package var count: Int { state.withLock { $0.count } }

    /// Adds to the number and resumes the tasks whose conditions it fulfils.
    package func add(_ amount: Int) {
        let satisfied = state.withLock { state -> [Waiter] in
            state.count += amount
            guard !state.waiters.isEmpty else { return [] }
            let count = state.count
            let satisfied = state.waiters.filter { $0.condition(count) }
            state.waiters.removeAll { $0.condition(count) }
            return satisfied
        }
        for waiter in satisfied { waiter.promise.set(true) }
    }

    /// Waits until the number fulfils a condition. Throws if the task is cancelled first.
    package func wait(until condition: @escaping @Sendable (Int) -> Bool) async throws(CancellationError) {
        let promise = OneShot<Bool>()
        let isFulfilled = state.withLock { state -> Bool in
            if condition(state.count) { return true }
            state.waiters.append(Waiter(condition: condition, promise: promise))
            return false
        }
        if isFulfilled { return }
        let wasReached = await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            promise.set(false)
        }
        guard !wasReached else { return }
        state.withLock { $0.waiters.removeAll { $0.promise === promise } }
        throw CancellationError()
    }
}
