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
        /// Gone once it has been called or cancelled: so it is called once at most, even when both happen together, and a timer
        /// that is kept does not keep what its closure holds.
        private let closure: Locked<(@Sendable () -> Void)?>

        init(_ closure: @escaping @Sendable () -> Void) { self.closure = Locked(closure) }

        func fire() { take()?() }

        func cancel() {
            if take() != nil { SystemTimers.shared.remove(self) }
        }

        private func take() -> (@Sendable () -> Void)? {
            closure.withLock { closure in
                defer { closure = nil }
                return closure
            }
        }
    }

    private init() {
        source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "martlet.timers", qos: .userInitiated))
        source.setEventHandler { [unowned self] in fireDue() }
        source.activate()
    }

    func add(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let entry = Entry(fire)
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
        // A day at the most, so that no far moment overflows: then nothing is due, and it is armed anew.
        let wait = min(max(.zero, next - .now), .seconds(86_400)).components
        let nanoseconds = Int(wait.seconds * 1_000_000_000 + wait.attoseconds / 1_000_000_000)
        // Half a millisecond late rather than early: a timer must not find that its moment has not come.
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds) + .microseconds(500), leeway: .microseconds(500))
    }
}
