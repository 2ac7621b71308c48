/// The durations of the last requests of a group, for percentiles. It depends only on its inputs.
struct LatencyRecord: Sendable {
    /// The number of durations that are kept.
    static var size: Int { 100 }

    private var durations: [Duration] = []
    private var position = 0

    /// The number of durations.
    var count: Int { durations.count }

    /// Adds a duration in place of the oldest one.
    mutating func add(_ duration: Duration) {
        if durations.count < LatencyRecord.size {
            durations.append(duration)
        } else {
            durations[position] = duration
            position = (position + 1) % LatencyRecord.size
        }
    }

    /// Returns the duration below which a share of the requests ended, or nil if there are none.
    func percentile(_ share: Double) -> Duration? {
        guard !durations.isEmpty else { return nil }
        let rank = Int((Double(durations.count) * (share.isNaN ? 1 : min(max(0, share), 1))).rounded(.up)) - 1
        return durations.sorted()[max(0, rank)]
    }
}
