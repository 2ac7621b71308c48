/// How long a transfer is gone on with: counts the failures in a row that brought nothing new, and says how long is waited.
package struct FailureBudget: Sendable {
    private let maxFailures: Int
    private let maxWait: Duration
    private let backoff: Backoff
    private let random: any RandomSource
    private var highest: Int64 = 0
    private var failures = 0
    /// How often it was gone on with.
    package private(set) var resumptions = 0

    package init(maxFailures: Int, maxWait: Duration, backoff: Backoff, random: any RandomSource) {
        self.maxFailures = maxFailures
        self.maxWait = maxWait
        self.backoff = backoff
        self.random = random
    }

    /// So many bytes are there: more than ever before are news. After a loss, what was there once is none.
    package mutating func reach(_ bytes: Int64) {
        guard bytes > highest else { return }
        highest = bytes
        failures = 0
    }

    /// The wait after a failure, for which the server asks for so long; nil when that was the end.
    package mutating func wait(asked: Duration) -> Duration? {
        failures += 1
        guard failures < maxFailures, asked <= maxWait else { return nil }
        resumptions += 1
        return asked > .zero ? asked : backoff.delay(afterAttempt: failures, random: random)
    }
}
