package import MartletEssentials
internal import MartletSystem

/// A clock for objects that are created before their client, such as interceptors. It uses its own clock, or that of the client that last
/// used it.
package final class InheritedTime: TimeSource {
    private let own: (any TimeSource)?
    private let inherited: Locked<any TimeSource>

    /// - Parameters:
    ///   - own: Its own clock, or nil to use the client's.
    ///   - first: The clock until a client uses it.
    package init(_ own: (any TimeSource)?, until first: any TimeSource = SystemTime()) {
        self.own = own
        inherited = Locked(first)
    }

    /// Uses the clock of the client that sends the request, unless it has its own.
    package func adopt(_ context: RequestContext) { if own == nil { adopt(context.time) } }

    /// Uses the clock of a client, unless it has its own.
    package func adopt(_ time: any TimeSource) { if own == nil { inherited.withLock { $0 = time } } }

    private var current: any TimeSource { own ?? inherited.withLock { $0 } }

    package var now: Date { current.now }

    package var instant: ContinuousClock.Instant { current.instant }

    package func sleep(for duration: Duration) async throws(CancellationError) { try await current.sleep(for: duration) }

    package func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        current.timer(at: instant, fire: fire)
    }
}
