import Testing

@testable import MartletSystem

@Suite("CancelSlot", .timeLimit(.minutes(5)))
struct CancelSlotTests {
    @Test("What is set is cancelled once, and what is set after the cancellation at once")
    func once() {
        let slot = CancelSlot(), calls = Locked<[String]>([])
        slot.set { calls.withLock { $0.append("early") } }
        #expect(calls.withLock { $0 } == [])
        slot.cancel()
        slot.cancel()
        #expect(calls.withLock { $0 } == ["early"])
        slot.set { calls.withLock { $0.append("late") } }
        #expect(calls.withLock { $0 } == ["early", "late"])
    }
}
