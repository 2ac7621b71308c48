import Foundation
import MartletSystem
import Testing

/// These tests check the system's clocks and timers, so their waits are real: 2 ms at most. The long sleep is cancelled.
@Suite("SystemTime", .timeLimit(.minutes(5)))
struct SystemTimeTests {
    @Test("The clocks are the machine's")
    func clocks() {
        let before = (Date(), ContinuousClock.now)
        let time: some TimeSource = .system
        let (now, instant) = (time.now, time.instant)
        #expect(instant >= before.1)
        #expect(instant <= .now)
        #expect(abs(now.timeIntervalSince(before.0)) < 60)
    }

    @Test("A sleep ends after its duration, not before")
    func sleeping() async throws {
        let time = SystemTime()
        let end = time.instant + .milliseconds(2)
        try await time.sleep(for: .milliseconds(2))
        #expect(time.instant >= end)
    }

    @Test("A cancelled task's sleep ends early with CancellationError")
    func cancelledSleep() async {
        let task = Task { try await SystemTime().sleep(for: .seconds(3_600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A timer calls its closure, and a cancelled one does not")
    func timers() async {
        let time = SystemTime()
        let cancelled = time.timer(at: time.instant + .milliseconds(1)) { Issue.record("it was cancelled") }
        cancelled.cancel()
        await withCheckedContinuation { continuation in
            _ = time.timer(at: time.instant + .milliseconds(2)) { continuation.resume() }
        }
    }
}
