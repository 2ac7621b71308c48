public import MartletEssentials

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
