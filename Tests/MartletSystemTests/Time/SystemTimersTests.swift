import Dispatch
import Testing

@testable import MartletSystem

/// These tests check the system's timers, so their waits are real: 5 ms at most. Each ends when a timer fires; long timers are cancelled.
@Suite("SystemTimers", .timeLimit(.minutes(5)))
struct SystemTimersTests {
    private func add(_ wait: Duration, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        SystemTimers.shared.add(at: .now + wait, fire: fire)
    }

    private func untilFired(_ wait: Duration) async {
        await withCheckedContinuation { continuation in _ = add(wait) { continuation.resume() } }
    }

    @Test("A timer fires at its instant, not before")
    func fires() async {
        let due = ContinuousClock.now + .milliseconds(5)
        let firedAt = await withCheckedContinuation { continuation in
            _ = SystemTimers.shared.add(at: due) { continuation.resume(returning: ContinuousClock.now) }
        }
        #expect(firedAt >= due)
    }

    @Test("A timer for a past instant fires immediately")
    func past() async {
        await untilFired(.seconds(-3_600))
        await untilFired(.zero)
    }

    @Test("An earlier timer fires although a later one was set before")
    func earlierOvertakes() async {
        let later = add(.seconds(3_600)) { Issue.record("an hour has not passed") }
        await untilFired(.milliseconds(1))
        later.cancel()
    }

    @Test("A cancelled timer does not fire")
    func cancelling() async {
        let cancelled = add(.milliseconds(1)) { Issue.record("it was cancelled") }
        cancelled.cancel()
        cancelled.cancel()
        await untilFired(.milliseconds(3))
    }

    @Test("A timer does not fire if another timer that is due at the same time cancels it")
    func cancellingFromAnother() async {
        let timers = Locked<[any ScheduledTimer]>([])
        let fired = Locked(0)
        let isReady = DispatchSemaphore(value: 0)
        // Blocks the timers' thread until both are queued, so that both leave the queue together.
        _ = add(.zero) { isReady.wait() }
        for _ in 0..<2 {
            let timer = add(.zero) {
                fired.withLock { $0 += 1 }
                for timer in timers.withLock({ $0 }) { timer.cancel() }
            }
            timers.withLock { $0.append(timer) }
        }
        isReady.signal()
        await untilFired(.zero)
        #expect(fired.withLock { $0 } == 1)
    }

    @Test("A cancelled timer releases its closure while the timer itself is kept")
    func cancelReleases() {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let timer: any ScheduledTimer
        do {
            let token = Token()
            weakToken = token
            timer = add(.seconds(3_600)) { _ = token }
        }
        #expect(weakToken != nil)
        timer.cancel()
        #expect(weakToken == nil)
    }

    @Test("Cancelling a timer after it has fired has no effect")
    func cancelAfterFiring() async {
        let timer = Locked<(any ScheduledTimer)?>(nil)
        await withCheckedContinuation { continuation in
            let added = add(.zero) { continuation.resume() }
            timer.withLock { $0 = added }
        }
        timer.withLock { $0 }?.cancel()
        await untilFired(.zero)
    }

    @Test("A timer for an instant centuries away is kept and does not overflow")
    func farFuture() async {
        let waits: [Duration] = [
            .seconds(9_223_372_036) + .nanoseconds(999_999_999), .seconds(9_223_372_037), .seconds(1_000_000_000_000),
        ]
        let timers = waits.map { wait in add(wait) { Issue.record("centuries have not passed") } }
        await untilFired(.milliseconds(1))
        timers.forEach { $0.cancel() }
    }

    @Test("A thousand timers from many tasks each fire once")
    func many() async {
        let fired = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        _ = SystemTimers.shared.add(at: .now + .microseconds(number % 50 * 40)) {
                            fired.withLock { $0 += 1 }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(fired.withLock { $0 } == 1_000)
    }
}
