import Dispatch
import Testing

@testable import MartletCache
@testable import MartletHTTP
@testable import MartletSystem

@Suite("Lane", .timeLimit(.minutes(5)))
struct LaneTests {
    private let lane = Lane("test")

    @Test("Posted work runs in order, one piece at a time")
    func order() async throws {
        let seen = Locked<[Int]>([]), running = Locked(0), together = Locked(0)
        for index in 0..<1000 {
            lane.post {
                let count = running.withLock { running in
                    running += 1
                    return running
                }
                if count > 1 { together.withLock { $0 += 1 } }
                seen.withLock { $0.append(index) }
                running.withLock { $0 -= 1 }
            }
        }
        try await lane.run(cancelled: HTTPError.cancelled) { () throws(HTTPError) in }
        #expect(seen.withLock { $0 } == Array(0..<1000))
        #expect(together.withLock { $0 } == 0)
    }

    @Test("Work that runs on the calling thread occupies the lane, and work posted meanwhile runs afterwards")
    func here() async throws {
        let seen = Locked<[String]>([])
        let value = try lane.runHere { () throws(CacheStoreError) in
            lane.post { seen.withLock { $0.append("posted") } }
            let another = try lane.runHere { () throws(CacheStoreError) in 1 }
            seen.withLock { $0.append(another == nil ? "alone" : "not alone") }
            return 7
        }
        #expect(value == 7)
        try await lane.run(cancelled: HTTPError.cancelled) { () throws(HTTPError) in }
        #expect(seen.withLock { $0 } == ["alone", "posted"])
    }

    @Test("runHere does not run work while the lane is occupied, and runs it afterwards")
    func busy() async throws {
        let gate = DispatchSemaphore(value: 0)
        lane.post { gate.wait() }
        #expect(try lane.runHere { () throws(CacheStoreError) in 1 } == nil)
        gate.signal()
        try await lane.run(cancelled: HTTPError.cancelled) { () throws(HTTPError) in }
        var value: Int?
        // The lane becomes free shortly after its last job has signalled.
        while value == nil {
            value = try lane.runHere { () throws(CacheStoreError) in 1 }
            await Task.yield()
        }
    }

    @Test("Work that throws on the calling thread leaves the lane free")
    func failure() throws {
        #expect(throws: CacheStoreError.self) {
            try lane.runHere { () throws(CacheStoreError) in throw CacheStoreError(.failed, "no") }
        }
        #expect(try lane.runHere { () throws(CacheStoreError) in 1 } == 1)
    }

    @Test("A cancelled task stops waiting for running and for queued work")
    func cancelled() async {
        let gate = DispatchSemaphore(value: 0), begun = OneShot<Void>(), isRun = Locked(false)
        let hanging = Task {
            await result {
                begun.set(())
                gate.wait()
            }
        }
        await begun.value()
        let waiting = Task { await result { isRun.withLock { $0 = true } } }
        hanging.cancel()
        waiting.cancel()
        #expect(await hanging.value == .cancelled)
        #expect(await waiting.value == .cancelled)
        gate.signal()
        #expect(await result {} == nil)
        #expect(!isRun.withLock { $0 })
    }

    /// Returns the error of running work on the lane.
    private func result(_ work: @escaping @Sendable () -> Void) async -> HTTPError? {
        do throws(HTTPError) {
            try await lane.run(cancelled: HTTPError.cancelled) { () throws(HTTPError) in work() }
            return nil
        } catch { return error }
    }

    @Test("A thread that waits continues when its work has ended")
    func waits() {
        let isDone = Locked(false)
        lane.wait { isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
    }

    @Test("The number of concurrent pieces of work equals the lane's width")
    func width() async {
        let lane = Lane("test", width: 3), gate = DispatchSemaphore(value: 0), running = Locked(0), full = OneShot<Void>()
        for _ in 0..<5 {
            lane.post {
                let count = running.withLock { running in
                    running += 1
                    return running
                }
                if count == 3 { full.set(()) }
                gate.wait()
            }
        }
        await full.value()
        #expect(lane.waitingCount == 2 && running.withLock { $0 } == 3)
        for _ in 0..<5 { gate.signal() }
        while running.withLock({ $0 }) < 5 { await Task.yield() }
    }

    @Test("With jobs per turn, a lane that runs on another lane lets other work in between")
    func turns() async throws {
        let seen = Locked<[Int]>([]), gate = DispatchSemaphore(value: 0)
        lane.post { gate.wait() }
        let shared = lane, lanes = (0..<2).map { _ in Lane(jobsPerTurn: 2, startWorker: { shared.post($0) }) }
        for (number, lane) in lanes.enumerated() {
            for _ in 0..<3 { lane.post { seen.withLock { $0.append(number) } } }
        }
        gate.signal()
        while seen.withLock({ $0.count }) < 6 { await Task.yield() }
        #expect(seen.withLock { $0 } == [0, 0, 1, 1, 0, 1])
    }
}
