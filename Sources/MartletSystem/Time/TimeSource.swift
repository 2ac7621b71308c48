public import MartletEssentials

/// Where time comes from: every wait, deadline and date in Martlet is asked of one of these, so that no test needs to sleep.
///
/// Use ``SystemTime`` in programs and `ManualTime` (in MartletTesting) in tests. An implementation promises that `instant` never
/// goes back, that a timer fires at most once and never after ``ScheduledTimer/cancel()`` returned on the same thread, and that `sleep`
/// ends early, with `CancellationError`, when its task is cancelled.
public protocol TimeSource: Sendable {
    /// The wall clock: for dates in fields and the expiry of tokens. It may jump.
    var now: Date { get }

    /// A clock that never goes back and counts the time the machine is suspended: for deadlines and times to live.
    var instant: ContinuousClock.Instant { get }

    /// Waits. Throws `CancellationError` when the task is cancelled meanwhile.
    func sleep(for duration: Duration) async throws(CancellationError)

    /// Calls `fire` once when `instant` has come, on a thread of the source's own, unless it is cancelled before.
    ///
    /// A timer for a past instant is due immediately, but `fire` is never called before this returns. `fire` must not block. Keep the
    /// timer: releasing it does not cancel it.
    func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer
}

/// A timer that was started by ``TimeSource/timer(at:fire:)``.
public protocol ScheduledTimer: Sendable {
    /// Stops the timer and lets go of its closure. Does nothing when it has fired.
    func cancel()
}
