package import MartletEssentials
internal import MartletSystem

/// The clock of an interceptor: its own, or that of the client that used it last, or the system's until then.
package final class InheritedTime: TimeSource {
    private let own: (any TimeSource)?
    private let inherited = Locked<any TimeSource>(SystemTime())

    /// - Parameter own: the interceptor's own clock, or nil to use the client's.
    package init(_ own: (any TimeSource)?) { self.own = own }

    /// Uses the clock of the client that sends the request, unless the interceptor has its own.
    package func adopt(_ context: RequestContext) { if own == nil { inherited.withLock { $0 = context.time } } }

    private var current: any TimeSource { own ?? inherited.withLock { $0 } }

    package var now: Date { current.now }

    package var instant: ContinuousClock.Instant { current.instant }

    package func sleep(for duration: Duration) async throws(CancellationError) { try await current.sleep(for: duration) }

    package func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        current.timer(at: instant, fire: fire)
    }
}
