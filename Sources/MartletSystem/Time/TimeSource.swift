public import MartletEssentials

/// A source of time. Every wait, deadline and date in Martlet uses one, so that tests need not sleep.
///
/// Use ``SystemTime`` in programs and `ManualTime` (in MartletTesting) in tests.
///
/// An implementation guarantees:
/// - `instant` never goes back.
/// - A timer fires at most once, and not after ``ScheduledTimer/cancel()`` has returned on the same thread.
/// - `sleep` ends early with `CancellationError` if its task is cancelled.
public protocol TimeSource: Sendable {
    /// The wall clock, for dates in fields and the expiry of tokens. It may jump.
    var now: Date { get }

    /// The monotonic clock, for deadlines and times to live. It also counts the time during which the machine is suspended.
    var instant: ContinuousClock.Instant { get }

    /// Waits for a duration.
    ///
    /// - Throws: `CancellationError` if the task is cancelled during the wait.
    func sleep(for duration: Duration) async throws(CancellationError)

    /// Calls `fire` once at `instant`, on a thread of the time source, unless the timer is cancelled before.
    ///
    /// A timer for a past instant is due immediately, but `fire` is never called before this function returns. `fire` must not block.
    ///
    /// - Returns: The timer, with which you can cancel the call. Releasing it does not cancel it.
    func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer
}

/// A timer that was started by ``TimeSource/timer(at:fire:)``.
public protocol ScheduledTimer: Sendable {
    /// Stops the timer and releases its closure. Has no effect after the timer has fired.
    func cancel()
}

/// The time source of the machine's own clocks.
public struct SystemTime: TimeSource {
    /// Creates the time source. All values are equivalent.
    public init() {}

    /// The current date of the wall clock.
    public var now: Date { Date() }

    /// The current instant of the continuous clock.
    public var instant: ContinuousClock.Instant { .now }

    /// Waits on the continuous clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled during the wait.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        do { try await Task.sleep(for: duration, clock: .continuous) } catch { throw CancellationError() }
    }

    /// Calls `fire` at `instant`, on a thread of the process's timers. See ``TimeSource/timer(at:fire:)``.
    public func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        SystemTimers.shared.add(at: instant, fire: fire)
    }
}

extension TimeSource where Self == SystemTime {
    /// The time source of the machine's own clocks.
    public static var system: SystemTime { SystemTime() }
}
