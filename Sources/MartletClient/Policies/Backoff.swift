/// The delays between attempts if the server does not ask for a wait.
///
/// ```swift
/// let backoff: Backoff = .exponential(base: .milliseconds(200), factor: 2, jitter: .full, cap: .seconds(10))
/// ```
///
/// A delay is never negative and never longer than ``cap``. Negative durations count as zero. A factor that is less than one or not a
/// number counts as one.
public struct Backoff: Sendable, Hashable {
    /// The random part of a delay, which keeps many clients from retrying at the same moment.
    public enum Jitter: Sendable, Hashable {
        /// No random part.
        case none
        /// A random delay between zero and the full delay.
        case full
        /// Half of the delay, and a random part of the other half.
        case equal
        /// A random delay between the first delay and three times the previous one. It ignores the growth of the delay.
        case decorrelated
    }

    private enum Growth: Sendable, Hashable {
        case constant
        case linear
        case exponential(factor: Double)
    }

    private let growth: Growth
    private let first: Nanoseconds

    /// The random part of each delay.
    public let jitter: Jitter
    /// The maximum delay.
    public let cap: Duration

    private init(_ growth: Growth, first: Duration, jitter: Jitter, cap: Duration) {
        self.growth = growth
        self.first = Nanoseconds(first)
        self.jitter = jitter
        self.cap = max(.zero, cap)
    }

    /// Creates a backoff with the same delay each time. Default: no jitter.
    public static func constant(_ delay: Duration, jitter: Jitter = .none) -> Self {
        // Decorrelated jitter needs a cap above the delay.
        Self(.constant, first: delay, jitter: jitter, cap: jitter == .decorrelated ? Nanoseconds(delay).times(3).duration : delay)
    }

    /// Creates a backoff that grows by `step` each time: `step`, twice `step`, … Default: no jitter, at most 20 seconds.
    public static func linear(_ step: Duration, jitter: Jitter = .none, cap: Duration = .seconds(20)) -> Self {
        Self(.linear, first: step, jitter: jitter, cap: cap)
    }

    /// Creates a backoff that starts at `base` and multiplies by `factor` each time. Default: half a second, doubled, full jitter, at most
    /// 20 seconds.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, jitter: Jitter = .full, cap: Duration = .seconds(20)
    ) -> Self {
        Self(.exponential(factor: factor), first: base, jitter: jitter, cap: cap)
    }

    /// Returns the delay after an attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the failed attempt, 1 for the first.
    ///   - previous: The delay before that attempt, zero before the first. Only decorrelated jitter uses it.
    ///   - random: The random numbers. They are not used without jitter.
    public func delay(afterAttempt number: Int, previous: Duration = .zero, random: any RandomSource) -> Duration {
        let limit = Nanoseconds(cap)
        let delay = min(grown(max(1, number), limit), limit)
        let spread: Nanoseconds
        switch jitter {
        case .none: spread = delay
        case .full: spread = delay.times(random.fraction())
        case .equal:
            let half = delay.times(0.5)
            spread = half + delay.times(0.5 * random.fraction())
        case .decorrelated:
            let low = min(first, limit)
            let high = min(max(low, Nanoseconds(previous).times(3)), limit)
            spread = low + (high - low).times(random.fraction())
        }
        return min(spread.duration, cap)
    }

    private func grown(_ number: Int, _ limit: Nanoseconds) -> Nanoseconds {
        switch growth {
        case .constant: return first
        case .linear: return first.times(Double(number))
        case .exponential(let factor):
            guard factor > 1, first > .zero else { return first }
            var delay = first
            // More steps than any real backoff needs. A delay of one nanosecond would never grow by a factor of 1.1.
            for _ in 1..<min(number, 1_000) {
                delay = delay.times(factor)
                if delay >= limit { break }
            }
            return delay
        }
    }
}

/// A non-negative time span in whole nanoseconds, so that half a second doubled is exactly one second.
private struct Nanoseconds: Sendable, Hashable, Comparable {
    private let count: Int64

    /// About 280 years, to which longer spans are limited.
    private static let maxCount: Int64 = 9_000_000_000_000_000_000

    static let zero = Nanoseconds(count: 0)

    private init(count: Int64) { self.count = count }

    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 || attoseconds < 0 {
            count = 0
        } else if seconds >= 9_000_000_000 {
            count = Nanoseconds.maxCount
        } else {
            count = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    var duration: Duration { .nanoseconds(count) }

    func times(_ factor: Double) -> Nanoseconds {
        let product = Double(count) * factor
        guard product > 0 else { return .zero }
        return Nanoseconds(count: product < Double(Nanoseconds.maxCount) ? Int64(product.rounded()) : Nanoseconds.maxCount)
    }

    static func < (left: Self, right: Self) -> Bool { left.count < right.count }

    static func + (left: Self, right: Self) -> Self {
        Nanoseconds(count: left.count > maxCount - right.count ? maxCount : left.count + right.count)
    }

    static func - (left: Self, right: Self) -> Self { Nanoseconds(count: max(0, left.count - right.count)) }
}
