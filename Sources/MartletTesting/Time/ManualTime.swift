public import MartletEssentials
internal import MartletSystem

/// A time source for tests, in which time passes only by sleeps, which end immediately, and by ``advance(by:)``.
///
/// A sleep is recorded and ends immediately, and the time advances by its duration, so code that waits between attempts is tested without
/// delay. A timer fires on ``advance(by:)``, not because a sleep passes over it. A timer for a past instant fires immediately, as with the
/// system's clocks:
///
/// ```swift
/// let time = ManualTime()
/// let policy = RetryPolicy(backoff: .exponential(base: .milliseconds(500), jitter: .none))  // without jitter, the waits are known
/// let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(policy, time: time)])
/// try await client.send(GetUser(id: 1))
/// #expect(time.sleeps == [.milliseconds(500), .seconds(1)])
/// ```
///
/// With `autoAdvances: false`, a sleep also ends only on ``advance(by:)``, for tests of what happens during a sleep.
public final class ManualTime: TimeSource {
    private struct State {
        var now: Date
        var instant = ContinuousClock.now
        var sleeps: [Duration] = []
        /// The timers in the order in which they are due, and for equal instants in the order in which they were set.
        var timers: [Timer] = []
        /// The number of calls of ``ManualTime/advance(by:)`` that are firing timers.
        var advances = 0

        mutating func move(by duration: Duration) {
            now += Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
            instant += duration
        }
    }

    private let state: Locked<State>
    private let pending = Tally()
    private let slept = Tally()
    private let autoAdvances: Bool

    /// Creates a time source that starts at `now`, in which sleeps end immediately unless `autoAdvances` is false. Default:
    /// 2026-01-01T00:00:00Z.
    public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600), autoAdvances: Bool = true) {
        state = Locked(State(now: now))
        self.autoAdvances = autoAdvances
    }

    /// The current date of the wall clock, which sleeps and ``advance(by:)`` advance and ``setNow(_:)`` sets.
    public var now: Date { state.withLock { $0.now } }

    /// The current instant of the monotonic clock, which advances together with ``now``.
    public var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

    /// The durations of the sleeps so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Records the sleep and advances the time by its duration, or waits for ``advance(by:)`` if `autoAdvances` is false.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before or during the sleep. A sleep in a cancelled task is not recorded.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let end = state.withLock { state in
            state.sleeps.append(duration)
            if autoAdvances { state.move(by: max(.zero, duration)) }
            return state.instant + duration
        }
        slept.add(1)
        // A loop that only sleeps must let other tasks use its thread.
        guard !autoAdvances, duration > .zero else { return await Task.yield() }
        let isOver = OneShot<Bool>()
        let timer = timer(at: end) { isOver.set(true) }
        let hasSlept = await withTaskCancellationHandler {
            await isOver.value()
        } onCancel: {
            timer.cancel()
            isOver.set(false)
        }
        if !hasSlept { throw CancellationError() }
    }

    /// Sets a timer that fires on the first ``advance(by:)`` that reaches `instant`, or immediately if that instant has been reached.
    ///
    /// As with `SystemTime`, `fire` is never called before this returns: a timer that is already due fires on another thread, or within a
    /// running ``advance(by:)``.
    public func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let timer = Timer(due: instant, time: self, fire: fire)
        let isDue = state.withLock { state in
            let place = state.timers.firstIndex { $0.due > instant } ?? state.timers.endIndex
            state.timers.insert(timer, at: place)
            // A running advance fires it.
            return instant <= state.instant && state.advances == 0
        }
        pending.add(1)
        if isDue { Task.detached { self.fireAtOnce(timer) } }
        return timer
    }

    /// Advances both clocks and fires the timers that become due, earliest first, each at its own instant.
    ///
    /// Timers fire on the caller's thread, before this returns. A timer that another one sets also fires if it is due within the duration.
    /// `advance(by: .zero)` fires timers that a sleep has passed. A task that wakes and sleeps again does so after this has returned: to
    /// wake it ten times, advance ten times, each time after ``waitForTimers(_:)``.
    public func advance(by duration: Duration) {
        var rest = max(.zero, duration)
        state.withLock { $0.advances += 1 }
        while let timer = nextTimer(within: &rest) {
            pending.add(-1)
            timer.fire()
        }
    }

    /// Sets only the wall clock, as a user of a device does. The monotonic clock and the timers are not affected.
    public func setNow(_ now: Date) { state.withLock { $0.now = now } }

    /// The number of timers that have neither fired nor been cancelled. A waiting sleep counts as a timer.
    public var timerCount: Int { state.withLock { $0.timers.count } }

    /// Waits until at least `count` timers are set, without a time limit. Call it before an ``advance(by:)`` that must fire a timer of
    /// another task.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForTimers(_ count: Int = 1) async throws(CancellationError) {
        try await pending.wait { $0 >= count }
    }

    /// Waits until at least `count` sleeps have begun, without a time limit, and returns the durations of the first `count`.
    ///
    /// With `autoAdvances: false`, a sleep that has begun may not have its timer yet: use ``waitForTimers(_:)`` before advancing.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForSleeps(_ count: Int = 1) async throws(CancellationError) -> [Duration] {
        try await slept.wait { $0 >= count }
        return Array(sleeps.prefix(max(0, count)))
    }

    /// Removes and returns the next timer of an advance. Returns nil when the advance is over and the rest of its time has passed.
    private func nextTimer(within rest: inout Duration) -> Timer? {
        let (timer, step) = state.withLock { [rest] state -> (Timer?, Duration) in
            guard let first = state.timers.first, first.due <= state.instant + rest else {
                state.move(by: rest)
                state.advances -= 1
                return (nil, .zero)
            }
            let step = max(.zero, first.due - state.instant)
            state.move(by: step)
            return (state.timers.removeFirst(), step)
        }
        rest -= step
        return timer
    }

    /// Fires a timer that was already due when it was set, unless it was cancelled or an advance has fired it.
    private func fireAtOnce(_ timer: Timer) {
        if remove(timer) { timer.fire() }
    }

    /// Removes a timer. Returns false if it was not set.
    @discardableResult
    private func remove(_ timer: Timer) -> Bool {
        let wasSet = state.withLock { state in
            guard let place = state.timers.firstIndex(where: { $0 === timer }) else { return false }
            state.timers.remove(at: place)
            return true
        }
        if wasSet { pending.add(-1) }
        return wasSet
    }

    private final class Timer: ScheduledTimer {
        let due: ContinuousClock.Instant
        let fire: @Sendable () -> Void
        private weak let time: ManualTime?

        init(due: ContinuousClock.Instant, time: ManualTime, fire: @escaping @Sendable () -> Void) {
            self.due = due
            self.time = time
            self.fire = fire
        }

        func cancel() { time?.remove(self) }
    }
}
