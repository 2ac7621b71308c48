import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ManualTimeTests {
    let time = ManualTime(now: Date(timeIntervalSince1970: 100))

    @Test("A sleep is recorded and immediately advances both clocks")
    func sleeps() async throws {
        let start = time.instant

        try await time.sleep(for: .milliseconds(1500))
        try await time.sleep(for: .seconds(2))

        #expect(time.sleeps == [.milliseconds(1500), .seconds(2)])
        #expect(time.now == Date(timeIntervalSince1970: 103.5))
        #expect(time.instant - start == .milliseconds(3500))
    }

    @Test("A sleep in a cancelled task throws and is not recorded")
    func cancelledSleep() async {
        let task = Task { [time] in
            try? await Wait.forever()
            try await time.sleep(for: .seconds(1))
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.sleeps.isEmpty)
    }

    @Test("Without auto-advance, a sleep ends exactly when the time passes its end, or when its task is cancelled")
    func waitingSleep() async throws {
        let time = ManualTime(autoAdvances: false)
        let ended = Recorder<Int>()
        let sleepers = (1...3).map { seconds in
            Task {
                try await time.sleep(for: .seconds(seconds))
                ended.append(seconds)
            }
        }
        try await time.waitForTimers(3)
        #expect(ended.values.isEmpty)

        time.advance(by: .seconds(1))
        _ = try await ended.first(1)
        time.advance(by: .milliseconds(999))
        #expect(time.timerCount == 2)
        sleepers[2].cancel()
        await #expect(throws: CancellationError.self) { try await sleepers[2].value }
        time.advance(by: .milliseconds(1))
        try await sleepers[1].value

        #expect(ended.values == [1, 2] && time.timerCount == 0)
        #expect(Set(time.sleeps) == [.seconds(1), .seconds(2), .seconds(3)])
        try await time.sleep(for: .zero)
    }

    @Test("An advance fires timers once, earliest first, each at its own instant")
    func order() {
        let fired = Recorder<String>()
        let start = time.instant
        for (name, seconds) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2), ("d", 9)] {
            _ = time.timer(at: start + .seconds(seconds)) { [time] in fired.append("\(name)@\((time.instant - start).components.seconds)") }
        }

        time.advance(by: .seconds(5))
        #expect(fired.values == ["a@1", "b1@2", "b2@2", "c@3"])
        #expect(time.instant - start == .seconds(5))
        #expect(time.timerCount == 1)

        time.advance(by: .seconds(5))
        #expect(fired.values.last == "d@9" && fired.count == 5)
    }

    @Test("A timer that a sleep has passed waits for the next advance")
    func passedOver() async throws {
        let fired = Recorder<Int>()
        _ = time.timer(at: time.instant + .seconds(1)) { fired.append(1) }

        try await time.sleep(for: .seconds(10))
        #expect(fired.values.isEmpty)

        time.advance(by: .zero)
        #expect(fired.values == [1])
    }

    @Test("A timer or a sleep for a past instant fires immediately, as with the system's time")
    func past() async throws {
        let fired = Recorder<Int>()
        let start = time.instant
        time.advance(by: .seconds(60))

        _ = time.timer(at: start + .seconds(59)) { fired.append(1) }
        _ = try await fired.first(1)
        _ = time.timer(at: time.instant) { fired.append(2) }
        _ = try await fired.first(2)
        let held = ManualTime(autoAdvances: false)
        try await held.sleep(for: .zero)
        try await held.sleep(for: .seconds(-1))

        #expect(fired.values == [1, 2] && time.timerCount == 0)
        #expect(time.instant - start == .seconds(60))
    }

    @Test("A timer for a past instant does not fire within the call that sets it, which may hold a lock")
    func pastIsNotWithin() async throws {
        let fired = Recorder<Int>()
        let state = Locked(0)
        let timer = state.withLock { _ in
            time.timer(at: time.instant - .seconds(1)) { fired.append(state.withLock { $0 + 1 }) }
        }

        #expect(try await fired.first(1) == [1])
        timer.cancel()
    }

    @Test("A timer may set another one, which fires in the same advance if it is due")
    func chained() {
        let fired = Recorder<Int>()
        _ = time.timer(at: time.instant + .seconds(1)) { [time] in
            fired.append(1)
            _ = time.timer(at: time.instant + .seconds(1)) { fired.append(2) }
            _ = time.timer(at: time.instant + .seconds(60)) { fired.append(3) }
        }

        time.advance(by: .seconds(3))

        #expect(fired.values == [1, 2])
    }

    @Test("A cancelled timer never fires")
    func cancelledTimer() {
        let fired = Recorder<Int>()
        let timer = time.timer(at: time.instant + .seconds(1)) { fired.append(1) }

        timer.cancel()
        timer.cancel()
        time.advance(by: .seconds(2))

        #expect(fired.values.isEmpty && time.timerCount == 0)
    }

    @Test("A test can wait until another task has set its timers")
    func waiting() async throws {
        let fired = Recorder<Int>()
        let task = Task { [time] in
            for number in 1...3 { _ = time.timer(at: time.instant + .seconds(number)) { fired.append(number) } }
        }

        try await time.waitForTimers(3)
        time.advance(by: .seconds(3))

        #expect(fired.values == [1, 2, 3])
        await task.value
    }

    @Test("Setting the wall clock affects neither the monotonic clock nor timers")
    func wallClock() {
        let start = time.instant
        let fired = Recorder<Int>()
        _ = time.timer(at: start + .seconds(1)) { fired.append(1) }

        time.setNow(Date(timeIntervalSince1970: 1_000_000))
        time.advance(by: .zero)

        #expect(time.instant == start && fired.values.isEmpty)
        #expect(time.now == Date(timeIntervalSince1970: 1_000_000))
    }

    @Test("A test can wait until another task sleeps", arguments: [true, false])
    func waitingForSleeps(autoAdvances: Bool) async throws {
        let time = ManualTime(autoAdvances: autoAdvances)
        let task = Task {
            try await time.sleep(for: .seconds(3))
            try await time.sleep(for: .seconds(4))
        }
        #expect(try await time.waitForSleeps() == [.seconds(3)])
        if !autoAdvances {
            try await time.waitForTimers()
            time.advance(by: .seconds(3))
        }
        #expect(try await time.waitForSleeps(2) == [.seconds(3), .seconds(4)])
        task.cancel()
    }
}

private enum Wait {
    /// Returns only by cancellation.
    static func forever() async throws { _ = try await Recorder<Int>().value(at: 0) }
}
