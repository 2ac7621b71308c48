internal import MartletSystem

/// The progress of a download or an upload.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes transferred so far; for a resumed transfer, including those of earlier connections and calls.
    public let bytes: Int64
    /// The total number of bytes, or nil if it is unknown.
    public let total: Int64?
    /// The rate in bytes per second over the last five seconds, or nil in the first quarter of a second.
    public let rate: Double?

    /// Creates the description of a transfer's progress, for example for a test double.
    public init(bytes: Int64, total: Int64?, rate: Double? = nil) {
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }

    /// The completed fraction of the transfer, from 0 to 1, or nil if the total is unknown.
    public var fraction: Double? { total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 } }

    /// The remaining time at the current rate, or nil if the total or the rate is unknown or the rate is zero.
    public var timeLeft: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        let seconds = Double(max(0, total - bytes)) / rate
        return seconds < 1e9 ? .milliseconds(Int64(seconds * 1000)) : nil
    }
}

/// Measures the rate of a transfer over the last five seconds.
struct RateMeter: Sendable {
    private static let window = Duration.seconds(5)
    private static let least = Duration.milliseconds(250)

    private var samples: [(instant: ContinuousClock.Instant, bytes: Int64)] = []

    init() {}

    /// Records the number of bytes at a time. A smaller number than before restarts the measurement.
    mutating func add(_ bytes: Int64, at instant: ContinuousClock.Instant) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        // About fifty samples in the window are sufficient, regardless of the number of calls.
        if samples.count >= 2, samples[samples.count - 2].instant.duration(to: instant) < .milliseconds(100) { samples.removeLast() }
        samples.append((instant, bytes))
        while samples.count > 2, samples[1].instant.duration(to: instant) >= RateMeter.window { samples.removeFirst() }
    }

    /// The number of samples.
    var sampleCount: Int { samples.count }

    /// The rate in bytes per second.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let time = first.instant.duration(to: last.instant)
        guard time >= RateMeter.least else { return nil }
        return Double(last.bytes - first.bytes) / (time / .seconds(1))
    }
}

/// Reports the progress of a transfer: at its beginning, at its end, and in between at most once in each interval.
final class ProgressReporter: Sendable {
    private let interval: Duration
    private let time: any TimeSource
    private let report: @Sendable (TransferProgress) -> Void
    private let state = Locked(State())

    private struct State {
        var bytes: Int64 = 0
        var total: Int64?
        var meter = RateMeter()
        var last: ContinuousClock.Instant?
        var reported: Int64?

        var progress: TransferProgress { TransferProgress(bytes: bytes, total: total, rate: meter.rate) }
    }

    init(interval: Duration, time: any TimeSource, report: @escaping @Sendable (TransferProgress) -> Void) {
        self.interval = interval
        self.time = time
        self.report = report
    }

    /// Records that the transfer begins or restarts, with the number of bytes that are already complete.
    func begin(at bytes: Int64, of total: Int64?) {
        tell { state in
            state.bytes = bytes
            state.total = total
            state.meter = RateMeter()
            return true
        }
    }

    /// Records further bytes.
    func add(_ count: Int) {
        tell { state in
            state.bytes += Int64(count)
            return state.bytes == state.total
        }
    }

    /// Records the end, and reports it unless that has already happened.
    func end() {
        let isTold = state.withLock { $0.reported == $0.bytes && $0.total != nil }
        if isTold { return }
        tell { state in
            state.total = state.total ?? state.bytes
            return true
        }
    }

    private func tell(_ change: (inout State) -> Bool) {
        let now = time.instant
        let progress = state.withLock { state -> TransferProgress? in
            let isDue = change(&state)
            state.meter.add(state.bytes, at: now)
            guard isDue || state.last.map({ $0.duration(to: now) >= interval }) ?? true else { return nil }
            state.last = now
            state.reported = state.bytes
            return state.progress
        }
        if let progress { report(progress) }
    }
}
