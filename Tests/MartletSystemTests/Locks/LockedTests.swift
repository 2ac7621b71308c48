import Testing

@testable import MartletSystem

@Suite("Locked", .timeLimit(.minutes(5)))
struct LockedTests {
    private struct Broken: Error, Equatable {}

    @Test("A change is visible to the next caller, and the closure's result is returned")
    func changes() {
        let locked = Locked(1)
        let old = locked.withLock { value in
            defer { value = 5 }
            return value
        }
        #expect(old == 1)
        #expect(locked.withLock { $0 } == 5)
    }

    @Test("An error keeps its type, changes made before it remain, and the lock is released")
    func errors() {
        let locked = Locked([0])
        #expect(throws: Broken()) {
            try locked.withLock { value throws(Broken) in
                value.append(1)
                throw Broken()
            }
        }
        #expect(locked.withLock { $0 } == [0, 1])
    }

    @Test("Ten thousand concurrent changes are all visible afterwards")
    func concurrency() async {
        let locked = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { for _ in 0..<100 { locked.withLock { $0 += 1 } } } }
        }
        #expect(locked.withLock { $0 } == 10_000)
    }
}
