internal import MartletSystem

/// Tells of a transfer's progress: not more often than an interval, and always at its beginning and its end.
package final class ProgressReporter: Sendable {
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

    package init(interval: Duration, time: any TimeSource, report: @escaping @Sendable (TransferProgress) -> Void) {
        self.interval = interval
        self.time = time
        self.report = report
    }

    /// The transfer begins, or begins anew, with so many bytes that are there already.
    package func begin(at bytes: Int64, of total: Int64?) {
        tell { state in
            state.bytes = bytes
            state.total = total
            state.meter = RateMeter()
            return true
        }
    }

    /// So many bytes more.
    package func add(_ count: Int) {
        tell { state in
            state.bytes += Int64(count)
            return state.bytes == state.total
        }
    }

    /// All is there. Says nothing when that was told.
    package func end() {
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
