/// How the calls ended that were running when a drain began: see ``CallGroup/drain(within:time:)``.
public struct DrainSummary: Sendable, Hashable {
    /// How many calls ended by themselves, with a value or an error.
    public var finished: Int
    /// How many calls were cancelled, because the time was over, because the drain's own task was cancelled, or by ``CallGroup/cancelAll()``.
    public var cancelled: Int

    /// A summary with the given counts. Default: no calls.
    public init(finished: Int = 0, cancelled: Int = 0) {
        self.finished = finished
        self.cancelled = cancelled
    }
}
