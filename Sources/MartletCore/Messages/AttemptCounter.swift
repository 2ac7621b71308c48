/// Counts the exchanges of one call, over its redirects and retries.
package final class AttemptCounter: Sendable {
    private let count = Locked(0)

    package init() {}

    /// How many there have been.
    package var value: Int { count.withLock { $0 } }

    /// Counts one more and gives the count.
    package func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
