internal import MartletSystem

/// A list that many tasks may add to at once, and wait on.
///
/// ```swift
/// let lines = Recorder<String>()
/// let client = HTTPClient(baseURL: base, interceptors: [LoggingInterceptor { lines.append($0.message) }])
/// …
/// #expect(lines.values.count == 2)
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    private let list = Locked<[Value]>([])
    private let tally = Tally()

    /// An empty list.
    public init() {}

    /// What has been added so far, in order.
    public var values: [Value] { list.withLock { $0 } }

    /// How many values have been added so far.
    public var count: Int { list.withLock { $0.count } }

    /// Adds a value at the end and wakes whoever waits for it.
    public func append(_ value: Value) {
        list.withLock { $0.append(value) }
        tally.add(1)
    }

    /// The value at `index`, counted from 0 and not negative, as soon as there is one.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func value(at index: Int) async throws(CancellationError) -> Value {
        precondition(index >= 0, "there is no value at \(index): places are counted from 0")
        return try await first(index + 1)[index]
    }

    /// The first `count` values, as soon as there are so many.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func first(_ count: Int) async throws(CancellationError) -> [Value] {
        try await tally.wait { $0 >= count }
        return list.withLock { Array($0.prefix(max(0, count))) }
    }
}
