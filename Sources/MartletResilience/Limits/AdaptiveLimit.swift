/// Finds the number of concurrent requests that a server handles without delay, by additive increase and multiplicative decrease (AIMD).
///
/// Durations are averaged over rounds. A round that is slower than the fastest recent round, times a tolerance, or that has a failure,
/// lowers the limit. Otherwise the limit grows by one if it was used. It depends only on its inputs.
struct AdaptiveLimit: Sendable {
    private let rules: ConcurrencyLimit.Adaptive
    private(set) var limit: Double
    /// The sum of the durations of this round, their number, the highest number of concurrent requests, and whether a request failed.
    private var round = Round()
    /// The fastest rounds of the current and the previous period. A server that has become slower for good is measured again.
    private var fastest: (current: Duration?, previous: Duration?) = (nil, nil)
    private var periodEnds: ContinuousClock.Instant?

    private struct Round: Sendable {
        var sum = Duration.zero
        var count = 0
        var highest = 0
        var hasFailed = false
        /// Requests that began before this round were sent with the former limit, and don't count.
        var began: ContinuousClock.Instant?
    }

    init(_ rules: ConcurrencyLimit.Adaptive) {
        // The initializer limits values that were set as properties.
        self.rules = ConcurrencyLimit.Adaptive(
            initial: rules.initial, minimum: rules.minimum, maximum: rules.maximum, tolerance: rules.tolerance, decrease: rules.decrease,
            minimumSamples: rules.minimumSamples, memory: rules.memory)
        limit = Double(self.rules.initial)
    }

    /// The limit in whole requests.
    var whole: Int { Int(limit) }

    /// Records a request that has ended.
    ///
    /// - Parameters:
    ///   - duration: How long it took.
    ///   - isOverload: Whether it failed in a way that shows an overload.
    ///   - concurrent: The number of requests that were running with it.
    mutating func record(_ duration: Duration, isOverload: Bool, concurrent: Int, at instant: ContinuousClock.Instant) {
        if let began = round.began, instant - duration < began { return }
        round.sum += duration
        round.count += 1
        if isOverload { round.hasFailed = true }
        round.highest = max(round.highest, concurrent)
        guard round.hasFailed || round.count >= max(rules.minimumSamples, whole / 2) else { return }
        end(at: instant)
    }

    private mutating func end(at instant: ContinuousClock.Instant) {
        defer {
            round = Round()
            round.began = instant
        }
        if round.hasFailed { return lower() }
        let mean = round.sum / round.count
        turnPeriod(at: instant)
        fastest.current = min(fastest.current ?? mean, mean)
        let best = min(fastest.current ?? mean, fastest.previous ?? mean)
        if mean > best * rules.tolerance { return lower() }
        // A limit that is not used says nothing.
        if round.highest >= whole { limit = min(limit + 1, Double(rules.maximum)) }
    }

    private mutating func lower() { limit = max(limit * rules.decrease, Double(rules.minimum)) }

    private mutating func turnPeriod(at instant: ContinuousClock.Instant) {
        guard let ends = periodEnds, instant < ends else {
            fastest = (nil, fastest.current)
            periodEnds = instant + rules.memory
            return
        }
    }
}
