internal import MartletSystem

/// The work that the masking of one text may take, in steps. A step is a byte that is read, once for each time that it is read.
///
/// A text is read a few times at most. Only crafted ones, such as JSON in URLs in JSON, need more. What exceeds the budget is masked unread.
final class MaskingBudget {
    private(set) var steps = 0
    private let limit: Int

    /// The maximum number of steps for each byte of a text, and for a text of any length.
    static let stepsPerByte = 32, minSteps = 16_384

    /// Creates the budget for a text of this length.
    init(bytes: Int) { limit = bytes * MaskingBudget.stepsPerByte + MaskingBudget.minSteps }

    /// Whether no work is left, so that the rest is masked.
    var isSpent: Bool { steps > limit }

    func spend(_ bytes: Int) { steps += bytes }
}

/// Counts the steps of all texts that are masked in a task. Tests limit the work with it, which a duration could not.
final class MaskingSteps: Sendable {
    /// The counter of the current task, or nil.
    @TaskLocal static var counter: MaskingSteps?

    private let total = Locked(0)

    init() {}

    /// The number of steps.
    var count: Int { total.withLock { $0 } }

    func add(_ steps: Int) { total.withLock { $0 += steps } }
}
