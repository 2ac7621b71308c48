public import Foundation
public import Martlet

/// Time that stands still until a test moves it.
///
/// A sleep is recorded, moves time over itself and returns at once; timers fire only on ``advance(by:)``. So retries run without
/// waiting, and a deadline passes exactly when the test says so.
///
/// ```swift
/// let time = ManualTime()
/// let call = Task { await client.result(of: request) }
/// await time.waitForTimers(1)       // the deadline of the call is set
/// time.advance(by: .seconds(60))
/// #expect(await call.value == .failure(.timeout))
/// ```
public final class ManualTime: TimeSource {
    private struct State {
        var now: Date
        var instant: ContinuousClock.Instant
        var sleeps: [Duration] = []
        var timers: [Entry] = []
        var waiting: [(count: Int, waiter: OneShot<Bool>)] = []

        mutating func move(by duration: Duration) {
            now += duration / .seconds(1)
            instant += duration
        }
    }

    private struct Entry {
        let due: ContinuousClock.Instant
        let timer: ManualTimer
    }

    private let state: Locked<State>

    /// Time that stands at `now`. Default: 2001-01-01 00:00:00 UTC.
    public init(now: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        state = Locked(State(now: now, instant: ContinuousClock.now))
    }

    /// The wall clock.
    public var now: Date { state.withLock { $0.now } }

    /// The clock that never goes back.
    public var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

    /// The sleeps so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Records the sleep, moves time over it and returns. Timers that become due do not fire before the next ``advance(by:)``.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        state.withLock { state in
            state.sleeps.append(duration)
            state.move(by: duration)
        }
    }

    /// A timer that fires when ``advance(by:)`` reaches its instant; also when that has come already.
    public func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let timer = ManualTimer(time: self, fire: fire)
        let reached = state.withLock { state in
            state.timers.append(Entry(due: instant, timer: timer))
            let count = state.timers.count
            let reached = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return reached
        }
        for (_, waiter) in reached { waiter.set(true) }
        return timer
    }

    /// Moves time and fires the timers that are due by then, earliest first, on the calling thread.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.move(by: duration)
            let now = state.instant
            let due = state.timers.filter { $0.due <= now }
            state.timers.removeAll { $0.due <= now }
            return due.sorted { $0.due < $1.due }
        }
        for entry in due { entry.timer.fire() }
    }

    /// Waits until `count` timers are set and have neither fired nor been cancelled. Throws `CancellationError` when the task is
    /// cancelled.
    public func waitForTimers(_ count: Int) async throws(CancellationError) {
        let waiter = OneShot<Bool>()
        state.withLock { state in
            if state.timers.count >= count { waiter.set(true) } else { state.waiting.append((count, waiter)) }
        }
        let reached = await withTaskCancellationHandler { await waiter.value() } onCancel: { waiter.set(false) }
        guard reached else { throw CancellationError() }
    }

    fileprivate func remove(_ timer: ManualTimer) {
        state.withLock { state in state.timers.removeAll { $0.timer === timer } }
    }
}

/// A timer of a ``ManualTime``.
private final class ManualTimer: ScheduledTimer {
    private let time: ManualTime
    private let closure: Locked<(@Sendable () -> Void)?>

    init(time: ManualTime, fire: @escaping @Sendable () -> Void) {
        self.time = time
        closure = Locked(fire)
    }

    func fire() { take()?() }

    func cancel() { if take() != nil { time.remove(self) } }

    private func take() -> (@Sendable () -> Void)? {
        closure.withLock { closure in
            defer { closure = nil }
            return closure
        }
    }
}
