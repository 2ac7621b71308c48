import Testing

@testable import MartletSystem

@Suite("CancelSlot", .timeLimit(.minutes(5)))
struct CancelSlotTests {
    @Test("A stored closure is called once, and a closure stored after the cancellation is called immediately")
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
