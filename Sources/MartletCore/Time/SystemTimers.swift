/// The process's timers: one queue behind a lock, and one sleeping task for the earliest.
final class SystemTimers: Sendable {
    static let shared = SystemTimers()

    private let state = Locked(State())

    private struct State {
        var queue = TimerQueue<Entry>()
        var alarm: Alarm?
    }

    private struct Alarm {
        let due: ContinuousClock.Instant
        let task: Task<Void, Never>
    }

    final class Entry: ScheduledTimer {
        let fire: @Sendable () -> Void
        init(fire: @escaping @Sendable () -> Void) { self.fire = fire }
        func cancel() { SystemTimers.shared.remove(self) }
    }

    func add(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let entry = Entry(fire: fire)
        let superseded = state.withLock { state in
            state.queue.insert(entry, due: instant)
            return setAlarm(&state)
        }
        superseded?.cancel()
        return entry
    }

    private func remove(_ entry: Entry) {
        // The alarm stays set: ringing with nothing due is cheaper than setting it anew for every request.
        state.withLock { _ = $0.queue.remove(entry) }
    }

    private func ring() {
        let due = state.withLock { state in
            state.alarm = nil
            let due = state.queue.removeDue(at: .now)
            // The alarm was taken out above, so there is none to supersede.
            _ = setAlarm(&state)
            return due
        }
        for entry in due { entry.fire() }
    }

    /// Sees to it that the alarm rings for the earliest timer; gives the alarm that is no longer wanted.
    private func setAlarm(_ state: inout State) -> Task<Void, Never>? {
        guard let next = state.queue.nextDue else { return nil }
        let superseded = state.alarm
        if let superseded, superseded.due <= next { return nil }
        state.alarm = Alarm(
            due: next,
            task: Task.detached { [self] in
                do { try await Task.sleep(until: next, clock: .continuous) } catch { return }
                ring()
            })
        return superseded?.task
    }
}
