internal import MartletSystem

/// Records the time of the last progress.
final class Pulse: Sendable {
    private let time: any TimeSource
    private let state: Locked<(last: ContinuousClock.Instant, holds: Int)>

    init(time: any TimeSource) {
        self.time = time
        state = Locked((time.instant, 0))
    }

    /// Records progress.
    func beat() {
        let now = time.instant
        state.withLock { $0.last = max($0.last, now) }
    }

    /// Counts the time until ``release()`` as progress, because another timeout covers it.
    func hold() { state.withLock { $0.holds += 1 } }

    func release() {
        beat()
        state.withLock { $0.holds -= 1 }
    }

    /// The time of the last progress, or the current time between ``hold()`` and ``release()``.
    var instant: ContinuousClock.Instant {
        let now = time.instant
        return state.withLock { $0.holds > 0 ? max($0.last, now) : $0.last }
    }
}

extension RequestContext {
    /// The pulse of a call without a deadline, whose body's progress is observed. Nil for every other call.
    var callPulse: Pulse? {
        get { self[only: Pulse.self] }
        set { self[only: Pulse.self] = newValue }
    }
}

/// Fires when a pulse has not beaten for the limit. It checks the pulse each time the limit could have been reached.
final class IdleTimer: ScheduledTimer {
    private let limit: Duration
    private let pulse: Pulse
    private let time: any TimeSource
    private let isSilent: @Sendable () -> Void
    private let state = Locked<(timer: (any ScheduledTimer)?, count: Int, isOver: Bool)>((nil, 0, false))

    init(limit: Duration, pulse: Pulse, time: any TimeSource, isSilent: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.pulse = pulse
        self.time = time
        self.isSilent = isSilent
        start()
    }

    private func start() {
        let count = state.withLock { state in
            state.count += 1
            return state.count
        }
        let timer = time.timer(at: pulse.instant + limit) { [weak self] in self?.look() }
        let isOver = state.withLock { state in
            // A timer that was set meanwhile, by the timer itself, is newer.
            if !state.isOver, state.count == count { state.timer = timer }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    func cancel() {
        let timer = state.withLock { state in
            state.isOver = true
            return state.timer
        }
        timer?.cancel()
    }

    private func look() {
        if pulse.instant + limit > time.instant { start() } else { isSilent() }
    }
}

/// Two timers that are cancelled together.
struct BothTimers: ScheduledTimer {
    let first: any ScheduledTimer
    let second: any ScheduledTimer

    func cancel() {
        first.cancel()
        second.cancel()
    }
}

extension BodyObserver {
    /// Returns the same observer with a pulse that beats at each report.
    func beating(_ pulse: Pulse) -> BodyObserver {
        BodyObserver(
            began: { length in
                pulse.beat()
                began(length)
            },
            took: { count in
                pulse.beat()
                took(count)
            })
    }
}
