/// The timers of this process: one queue behind a lock, and one sleeping task for the earliest timer.
final class SystemTimers: Sendable {
    static let shared = SystemTimers()

    private let state = Locked(State())

    private struct State {
        var queue = TimerQueue()
        var alarm: Alarm?
    }

    private struct Alarm {
        let due: ContinuousClock.Instant
        let task: Task<Void, Never>
    }

    // Proof: `closure` has a lock, and the position in the queue changes only under the lock of the queue.
    final class Entry: QueuedTimer, ScheduledTimer, @unchecked Sendable {
        /// Nil after the first call or cancellation. The closure is thus called at most once, even if both happen together, and is released
        /// although the timer may be kept.
        private let closure: Locked<(@Sendable () -> Void)?>
        var place = -1

        init(_ closure: @escaping @Sendable () -> Void) { self.closure = Locked(closure) }

        func fire() { take()?() }

        func cancel() {
            if take() != nil { SystemTimers.shared.remove(self) }
        }

        private func take() -> (@Sendable () -> Void)? { closure.withLock { $0.take() } }
    }

    func add(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let entry = Entry(fire)
        let superseded = state.withLock { state in
            state.queue.insert(entry, due: instant)
            return setAlarm(&state)
        }
        superseded?.cancel()
        return entry
    }

    private func remove(_ entry: Entry) {
        // The alarm stays set: an alarm without a due timer costs less than a new alarm for every request.
        state.withLock { _ = $0.queue.remove(entry) }
    }

    private func ring() {
        let due = state.withLock { state in
            state.alarm = nil
            let due = state.queue.removeDue(at: .now).compactMap { $0 as? Entry }
            // The alarm was removed above, so this call supersedes no alarm.
            _ = setAlarm(&state)
            return due
        }
        for entry in due { entry.fire() }
    }

    /// Sets the alarm for the earliest timer if needed. Returns the superseded alarm.
    private func setAlarm(_ state: inout State) -> Task<Void, Never>? {
        guard let next = state.queue.nextDue else { return nil }
        let superseded = state.alarm
        if let superseded, superseded.due <= next { return nil }
        // Limited to a day, so that a distant instant does not overflow. No timer is due then, and the alarm is set again.
        let due = min(next, .now + .seconds(86_400))
        state.alarm = Alarm(
            due: due,
            task: Task.detached { [self] in
                do { try await Task.sleep(until: due, clock: .continuous) } catch { return }
                ring()
            })
        return superseded?.task
    }
}
