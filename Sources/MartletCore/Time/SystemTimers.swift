internal import Dispatch

/// The process's timers: one queue behind a lock, one dispatch timer that is armed for the earliest.
final class SystemTimers: Sendable {
    static let shared = SystemTimers()

    private let state = Locked(State())
    // Proof: dispatch sources may be used from any thread, and this one is only scheduled while `state` is locked.
    nonisolated(unsafe) private let source: any DispatchSourceTimer

    private struct State {
        var queue = TimerQueue<Entry>()
        var armedFor: ContinuousClock.Instant?
    }

    final class Entry: ScheduledTimer {
        let fire: @Sendable () -> Void
        init(fire: @escaping @Sendable () -> Void) { self.fire = fire }
        func cancel() { SystemTimers.shared.remove(self) }
    }

    private init() {
        source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "martlet.timers", qos: .userInitiated))
        source.setEventHandler { [unowned self] in fireDue() }
        source.activate()
    }

    func add(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let entry = Entry(fire: fire)
        state.withLock { state in
            state.queue.insert(entry, due: instant)
            arm(&state)
        }
        return entry
    }

    private func remove(_ entry: Entry) {
        // The dispatch timer stays armed: firing with nothing due is cheaper than arming it anew for every request.
        state.withLock { _ = $0.queue.remove(entry) }
    }

    private func fireDue() {
        let due = state.withLock { state in
            state.armedFor = nil
            let due = state.queue.removeDue(at: .now)
            arm(&state)
            return due
        }
        for entry in due { entry.fire() }
    }

    private func arm(_ state: inout State) {
        guard let next = state.queue.nextDue, state.armedFor.map({ next < $0 }) ?? true else { return }
        state.armedFor = next
        let wait = max(.zero, next - .now).components
        let nanoseconds = wait.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let bounded = nanoseconds.overflow ? Int.max / 2 : Int(nanoseconds.partialValue) + Int(wait.attoseconds / 1_000_000_000)
        // Half a millisecond late rather than early: a timer must not find that its moment has not come.
        source.schedule(deadline: .now() + .nanoseconds(bounded) + .microseconds(500), leeway: .microseconds(500))
    }
}
