#if os(Linux)
import Dispatch
import MartletTesting
import Testing

@testable import MartletKeychain

@Suite("BlockingLane", .timeLimit(.minutes(5)))
struct BlockingLaneTests {
    private let time = ManualTime()
    private let started = Locked(0)

    private func lane(most: Int = 4) -> BlockingLane {
        BlockingLane(mostAbandoned: most) { [started] body in
            started.withLock { $0 += 1 }
            return SecretThread.start(body)
        }
    }

    /// A call that hangs until `gate` is signalled, under way.
    private func hang(_ lane: BlockingLane, _ gate: DispatchSemaphore) async throws -> Task<Int, any Error> {
        let (entered, entry) = AsyncStream.makeStream(of: Void.self)
        let time = time
        let task = Task {
            try await lane.run(within: .seconds(5), time: time, cancel: {}) {
                entry.yield()
                gate.wait()
                return .success(1)
            }
        }
        for await _ in entered { break }
        try await time.waitForTimers(1)
        return task
    }

    private func call(_ lane: BlockingLane) async throws -> Int {
        try await lane.run(within: .seconds(5), time: time, cancel: {}) { .success(2) }
    }

    @Test("Calls run one at a time")
    func serial() async throws {
        let lane = lane(), time = time
        let inside = Locked(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await lane.run(within: .seconds(5), time: time, cancel: {}) {
                        inside.withLock { $0 += 1 }
                        let count = inside.withLock { $0 }
                        inside.withLock { $0 -= 1 }
                        return .success(count)
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test("A call that hangs is given up on; those behind it get a new thread; the old one ends when it comes back")
    func abandoned() async throws {
        let lane = lane(), gate = DispatchSemaphore(value: 0)
        let hung = try await hang(lane, gate)
        time.advance(by: .seconds(5))
        await #expect(throws: TokenStoreError.timedOut(after: .seconds(5))) { try await hung.value }
        #expect(lane.abandonedCount == 1)
        #expect(try await call(lane) == 2)
        #expect(lane.abandonedCount == 1)
        gate.signal()
        while lane.abandonedCount > 0 { await Task.yield() }
        #expect(try await call(lane) == 2)
    }

    @Test("A call that waits behind one that hangs fails in its own time, and is never made")
    func waiting() async throws {
        let lane = lane(most: 1), gate = DispatchSemaphore(value: 0), time = time
        let hung = try await hang(lane, gate)
        let wasMade = Locked(false)
        let behind = Task {
            try await lane.run(within: .seconds(3), time: time, cancel: {}) {
                wasMade.withLock { $0 = true }
                return .success(3)
            }
        }
        try await time.waitForTimers(2)
        time.advance(by: .seconds(3))
        await #expect(throws: TokenStoreError.timedOut(after: .seconds(3))) { try await behind.value }
        gate.signal()
        #expect(try await hung.value == 1)
        #expect(try await call(lane) == 2)
        #expect(!wasMade.withLock { $0 })
    }

    @Test("With as many hanging as may be, calls fail at once, those that wait too; when one comes back they are made again")
    func bound() async throws {
        let lane = lane(most: 3), gate = DispatchSemaphore(value: 0), time = time
        for _ in 0..<2 {
            let hung = try await hang(lane, gate)
            time.advance(by: .seconds(5))
            await #expect(throws: TokenStoreError.timedOut(after: .seconds(5))) { try await hung.value }
        }
        let last = try await hang(lane, gate)
        time.advance(by: .seconds(4))
        let behind = Task { try await call(lane) }
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        await #expect(throws: TokenStoreError.timedOut(after: .seconds(5))) { try await last.value }
        await #expect(throws: TokenStoreError.unresponsive) { try await behind.value }
        for _ in 0..<100 { await #expect(throws: TokenStoreError.unresponsive) { try await call(lane) } }
        #expect(started.withLock { $0 } == 3)
        gate.signal()
        while lane.abandonedCount == 3 { await Task.yield() }
        #expect(try await call(lane) == 2)
        for _ in 0..<2 { gate.signal() }
        while lane.abandonedCount > 0 { await Task.yield() }
    }

    @Test("Where no thread can be had, the call fails; the next one tries again")
    func noThread() async throws {
        let isLacking = Locked(true)
        let lane = BlockingLane { body in isLacking.withLock { $0 } ? false : SecretThread.start(body) }
        await #expect(throws: TokenStoreError.failed(code: 0, "no thread could be started")) { try await call(lane) }
        isLacking.withLock { $0 = false }
        #expect(try await call(lane) == 2)
    }

    @Test("What was called for at the end of its time, and what was answered before, is not cancelled")
    func answered() async throws {
        let wasCancelled = Locked(false)
        let value = try await lane().run(within: .seconds(5), time: time, cancel: { wasCancelled.withLock { $0 = true } }) { .success(4) }
        time.advance(by: .seconds(10))
        #expect(value == 4)
        #expect(!wasCancelled.withLock { $0 })
    }
}
#endif
