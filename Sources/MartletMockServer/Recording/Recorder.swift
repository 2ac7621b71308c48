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
