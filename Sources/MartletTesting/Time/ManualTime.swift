public import MartletEssentials
internal import MartletSystem

/// Time that stands still until a test moves it.
///
/// A sleep is recorded and ends immediately, and the time advances by its duration, so code that waits between attempts is tested without
/// delay. A timer fires on ``advance(by:)``, not because a sleep passes over it. A timer for a past instant fires immediately, as with the
/// system's clocks:
///
/// ```swift
/// let time = ManualTime()
/// let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.standard, time: time)])
/// try await client.send(GetUser(id: 1))
/// #expect(time.sleeps == [.milliseconds(500), .seconds(1)])
/// ```
///
/// With `autoAdvances: false` a sleep too ends only on ``advance(by:)``, for tests of what happens meanwhile.
public final class ManualTime: TimeSource {
    private struct State {
        var now: Date
        var instant = ContinuousClock.now
        var sleeps: [Duration] = []
        /// In the order in which they are due; those due together in the order in which they were set.
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

    /// Time that starts at `now`, default 2026-01-01T00:00:00Z, and moves over sleeps by itself unless `autoAdvances` is false.
    public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600), autoAdvances: Bool = true) {
        state = Locked(State(now: now))
        self.autoAdvances = autoAdvances
    }

    /// The wall clock: where it was set, and moved on by sleeps and ``advance(by:)``.
    public var now: Date { state.withLock { $0.now } }

    /// The steady clock: moved on together with ``now``.
    public var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

    /// How long was slept, each time, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Records the sleep and moves the time over it at once, or waits until ``advance(by:)`` has. In a cancelled task it throws and
    /// records nothing; cancelled while it waits, it throws.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let end = state.withLock { state in
            state.sleeps.append(duration)
            if autoAdvances { state.move(by: max(.zero, duration)) }
            return state.instant + duration
        }
        slept.add(1)
        // A loop that does nothing but sleep must leave its thread to others now and then.
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

    /// Sets a timer. It fires on the first ``advance(by:)`` that reaches `instant`, or immediately if that instant has passed.
    ///
    /// As with ``SystemTime``, `fire` is never called before this returns: a timer that is already due fires on another thread, or within a
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

    /// Moves both clocks on and fires the timers that become due on the way, earliest first, each at its own instant.
    ///
    /// Timers fire on the caller's thread, before this returns. A timer that is set by another one and is due within the same
    /// stretch fires too. `advance(by: .zero)` fires what a sleep has passed over. A task that wakes and sleeps again does so after this
    /// has returned: to see it wake ten times, advance ten times, each time after ``waitForTimers(_:)``.
    public func advance(by duration: Duration) {
        var rest = max(.zero, duration)
        state.withLock { $0.advances += 1 }
        while let timer = nextTimer(within: &rest) {
            pending.add(-1)
            timer.fire()
        }
    }

    /// Moves the wall clock alone, as when somebody sets it: the steady clock and the timers do not notice.
    public func setNow(_ now: Date) { state.withLock { $0.now = now } }

    /// How many timers are set and have neither fired nor been cancelled; a sleep that waits is one too.
    public var timerCount: Int { state.withLock { $0.timers.count } }

    /// Waits until at least `count` timers are set: before an ``advance(by:)`` that is to fire a timer another task sets.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForTimers(_ count: Int = 1) async throws(CancellationError) {
        try await pending.wait { $0 >= count }
    }

    /// Waits until at least `count` sleeps have begun, and gives how long they were asked to be: before looking at what another task does.
    ///
    /// With `autoAdvances: false` a sleep has its timer when ``waitForTimers(_:)`` says so. Throws `CancellationError` when the task is
    /// cancelled before.
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
