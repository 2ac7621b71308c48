package import MartletEssentials

/// Decides whether a transfer is resumed after a failure, and after which wait. It counts consecutive failures without new bytes.
package struct FailureBudget: Sendable {
    private let maxFailures: Int
    private let maxWait: Duration
    private let backoff: Backoff
    private let random: any RandomSource
    private var highest: Int64 = 0
    private var failures = 0
    /// The number of resumptions so far.
    package private(set) var resumptions = 0

    package init(maxFailures: Int, maxWait: Duration, backoff: Backoff, random: any RandomSource) {
        self.maxFailures = maxFailures
        self.maxWait = maxWait
        self.backoff = backoff
        self.random = random
    }

    /// Records the number of bytes received so far. A new maximum resets the count of failures; bytes that are received again after a loss
    /// do not.
    package mutating func reach(_ bytes: Int64) {
        guard bytes > highest else { return }
        highest = bytes
        failures = 0
    }

    /// Returns the wait after a failure, or nil if the transfer must not be resumed. `asked` is the wait that the server asks for.
    package mutating func wait(asked: Duration) -> Duration? {
        failures += 1
        guard failures < maxFailures, asked <= maxWait else { return nil }
        resumptions += 1
        return asked > .zero ? asked : backoff.delay(afterAttempt: failures, random: random)
    }
}

/// Classifies the failures after which a running transfer can be resumed.
package enum TransientFailure {
    /// Returns the wait that the server asks for, zero if it asks for none, or nil if the failure is permanent.
    package static func wait(after error: HTTPError, now: Date) -> Duration? {
        switch error {
        case .networkError, .timeout: return .zero
        case .invalidResponse(let what): return what.context.stage == .body ? .zero : nil
        case .statusCode(let response):
            guard RetryPolicy.transientStatuses.contains(response.status) else { return nil }
            return ServerWait.asked(by: response.map { _ in }, now: now) ?? .zero
        default: return nil
        }
    }
}
