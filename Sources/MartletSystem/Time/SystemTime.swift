public import MartletEssentials

/// The machine's own clocks.
public struct SystemTime: TimeSource {
    /// The machine's own clocks.
    public init() {}

    /// The wall clock.
    public var now: Date { Date() }

    /// The continuous clock.
    public var instant: ContinuousClock.Instant { .now }

    /// Waits on the continuous clock.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        do { try await Task.sleep(for: duration, clock: .continuous) } catch { throw CancellationError() }
    }

    /// A timer in the process's one queue of timers.
    public func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        SystemTimers.shared.add(at: instant, fire: fire)
    }
}

extension TimeSource where Self == SystemTime {
    /// The machine's own clocks.
    public static var system: SystemTime { SystemTime() }
}
