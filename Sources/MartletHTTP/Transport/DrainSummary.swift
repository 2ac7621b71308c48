/// The numbers of calls that finished and that were cancelled during a drain. See ``CallGroup/drain(within:time:)``.
public struct DrainSummary: Sendable, Hashable {
    /// The number of calls that ended by themselves, with a value or an error.
    public var finished: Int
    /// The number of calls that were cancelled: at the limit, with the task that drains, or by ``CallGroup/cancelAll()``.
    public var cancelled: Int

    /// Creates a summary with the given counts. Default: no calls.
    public init(finished: Int = 0, cancelled: Int = 0) {
        self.finished = finished
        self.cancelled = cancelled
    }
}
