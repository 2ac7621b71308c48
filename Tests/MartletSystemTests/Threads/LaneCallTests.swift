import Dispatch
import MartletTesting
import Testing

@testable import MartletSystem

@Suite("LaneCall", .timeLimit(.minutes(5)))
struct LaneCallTests {
    private enum Failure: Error, Hashable {
        case timedOut(after: Duration)
        case refused(Lane.Refusal)
    }

    private let time = ManualTime()
    private let started = Locked(0)

    private func lane(most: Int = 4) -> Lane {
        Lane(maxAbandoned: most) { [started] (worker) throws(SystemFailure) in
            started.withLock { $0 += 1 }
            try BackgroundThread.start(name: "martlet.of-a-test", worker)
        }
    }

    /// Runs `work` on the lane and gives up on it after `timeout`.
    private func run(
        _ lane: Lane, within timeout: Duration = .seconds(5), _ work: @escaping @Sendable () throws(Failure) -> Int
    ) async throws(Failure) -> Int {
        let deadline = time.instant + timeout
        let call = lane.begin(refused: { .refused($0) }, work)
        let timer = time.timer(at: deadline) { call.giveUp(.timedOut(after: timeout)) }
        defer { timer.cancel() }
        return try await call.value()
    }

    /// Starts a call that hangs until `gate` is signalled.
    private func hang(_ lane: Lane, _ gate: DispatchSemaphore) async throws -> Task<Int, any Error> {
        let (entered, entry) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await run(lane) {
                entry.yield()
                gate.wait()
                return 1
            }
        }
        for await _ in entered { break }
        try await time.waitForTimers(1)
        return task
    }

    private func call(_ lane: Lane) async throws(Failure) -> Int { try await run(lane) { 2 } }

    @Test("Calls run one at a time")
    func serial() async throws {
        let lane = lane(), inside = Locked(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await run(lane) {
                        inside.withLock { $0 += 1 }
                        let count = inside.withLock { $0 }
                        inside.withLock { $0 -= 1 }
                        return count
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test("A call that hangs can be abandoned, the calls behind it get a new thread, and the old thread ends when the call returns")
    func abandoned() async throws {
        let lane = lane(), gate = DispatchSemaphore(value: 0)
        let hung = try await hang(lane, gate)
        time.advance(by: .seconds(5))
        await #expect(throws: Failure.timedOut(after: .seconds(5))) { try await hung.value }
        #expect(lane.abandonedCount == 1)
        #expect(try await call(lane) == 2)
        #expect(lane.abandonedCount == 1)
        gate.signal()
        while lane.abandonedCount > 0 { await Task.yield() }
        #expect(try await call(lane) == 2)
    }

    @Test("A call that waits behind one that hangs fails at its own timeout and never runs")
    func waiting() async throws {
        let lane = lane(most: 1), gate = DispatchSemaphore(value: 0)
        let hung = try await hang(lane, gate)
        let wasMade = Locked(false)
        let behind = Task {
            try await run(lane, within: .seconds(3)) {
                wasMade.withLock { $0 = true }
                return 3
            }
        }
        try await time.waitForTimers(2)
        time.advance(by: .seconds(3))
        await #expect(throws: Failure.timedOut(after: .seconds(3))) { try await behind.value }
        gate.signal()
        #expect(try await hung.value == 1)
        #expect(try await call(lane) == 2)
        #expect(!wasMade.withLock { $0 })
    }

    @Test("At the limit on abandoned calls, new and waiting calls fail immediately; when one returns, calls run again")
    func bound() async throws {
        let lane = lane(most: 3), gate = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            let hung = try await hang(lane, gate)
            time.advance(by: .seconds(5))
            await #expect(throws: Failure.timedOut(after: .seconds(5))) { try await hung.value }
        }
        let last = try await hang(lane, gate)
        time.advance(by: .seconds(4))
        let behind = Task { try await call(lane) }
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        await #expect(throws: Failure.timedOut(after: .seconds(5))) { try await last.value }
        await #expect(throws: Failure.refused(.unresponsive)) { try await behind.value }
        for _ in 0..<100 { await #expect(throws: Failure.refused(.unresponsive)) { try await call(lane) } }
        #expect(started.withLock { $0 } == 3)
        gate.signal()
        while lane.abandonedCount == 3 { await Task.yield() }
        #expect(try await call(lane) == 2)
        for _ in 0..<2 { gate.signal() }
        while lane.abandonedCount > 0 { await Task.yield() }
    }

    @Test("If no thread can be started, the call fails, and the next call tries again")
    func noThread() async throws {
        let isLacking = Locked(true)
        let lane = Lane(maxAbandoned: 4) { (worker) throws(SystemFailure) in
            if isLacking.withLock({ $0 }) { throw SystemFailure(what: "the thread could not be started", code: 11) }
            try BackgroundThread.start(name: "martlet.of-a-test", worker)
        }
        await #expect(throws: Failure.refused(.noThread)) { try await call(lane) }
        isLacking.withLock { $0 = false }
        #expect(try await call(lane) == 2)
    }

    @Test("If a wide lane gets no further thread, a busy worker does the waiting work")
    func noFurtherThread() async throws {
        let isLacking = Locked(false), gate = DispatchSemaphore(value: 0)
        let lane = Lane(width: 2) { (worker) throws(SystemFailure) in
            if isLacking.withLock({ $0 }) { throw SystemFailure(what: "the thread could not be started", code: 11) }
            try BackgroundThread.start(name: "martlet.of-a-test", worker)
        }
        let first = try await hang(lane, gate)
        isLacking.withLock { $0 = true }
        let second = Task { try await call(lane) }
        try await time.waitForTimers(2)
        #expect(lane.waitingCount == 1)
        gate.signal()
        #expect(try await first.value == 1)
        #expect(try await second.value == 2)
    }

    @Test("Work that has ended cannot be abandoned")
    func answered() async throws {
        let lane = lane(), call = lane.begin(refused: { Failure.refused($0) }) { () throws(Failure) in 4 }
        #expect(try await call.value() == 4)
        #expect(!call.giveUp(.timedOut(after: .zero)))
        #expect(lane.abandonedCount == 0)
    }

    @Test("Without a limit on abandoned work, abandoned work keeps its place")
    func keepsPlace() async throws {
        let lane = Lane("test"), gate = DispatchSemaphore(value: 0), entered = OneShot<Void>()
        let call = lane.begin(refused: { Failure.refused($0) }) { () throws(Failure) in
            entered.set(())
            gate.wait()
        }
        await entered.value()
        #expect(call.giveUp(.timedOut(after: .zero)))
        await #expect(throws: Failure.timedOut(after: .zero)) { try await call.value() }
        lane.post {}
        #expect(lane.waitingCount == 1 && lane.abandonedCount == 0)
        gate.signal()
    }
}
