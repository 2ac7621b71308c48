/// How far a download or an upload has come.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes that are there, those of an earlier attempt included.
    public let bytes: Int64
    /// How many there will be; nil when nobody knows.
    public let total: Int64?
    /// Bytes a second, over the last five seconds; nil before a quarter of a second has passed.
    public let rate: Double?

    /// A state of a transfer.
    public init(bytes: Int64, total: Int64?, rate: Double? = nil) {
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }

    /// The part that is there, from 0 to 1; nil when the total is not known.
    public var fraction: Double? { total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 } }

    /// How long the rest will take at this rate; nil when total or rate is not known, or nothing moves.
    public var timeLeft: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        let seconds = Double(max(0, total - bytes)) / rate
        return seconds < 1e9 ? .milliseconds(Int64(seconds * 1000)) : nil
    }
}

/// Measures the rate of a transfer over the last seconds.
package struct RateMeter: Sendable {
    private static let window = Duration.seconds(5)
    private static let least = Duration.milliseconds(250)

    private var samples: [(instant: ContinuousClock.Instant, bytes: Int64)] = []

    package init() {}

    /// So many bytes were there at that moment. Fewer than before begin a new measurement.
    package mutating func add(_ bytes: Int64, at instant: ContinuousClock.Instant) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        // Some fifty samples in the window are enough, however often it is told.
        if samples.count >= 2, samples[samples.count - 2].instant.duration(to: instant) < .milliseconds(100) { samples.removeLast() }
        samples.append((instant, bytes))
        while samples.count > 2, samples[1].instant.duration(to: instant) >= RateMeter.window { samples.removeFirst() }
    }

    /// How many measurements it keeps.
    var sampleCount: Int { samples.count }

    /// Bytes a second.
    package var rate: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let time = first.instant.duration(to: last.instant)
        guard time >= RateMeter.least else { return nil }
        return Double(last.bytes - first.bytes) / (time / .seconds(1))
    }
}
