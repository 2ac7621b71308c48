internal import MartletSystem

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
