import MartletCache
import MartletSystem
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExpiringCacheTests {
    struct Down: Error {}
    let time = ManualTime()

    @Test("A failed load is not kept, and the next call loads again")
    func failure() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(1), time: time)
        await #expect(throws: Down.self) { try await cache.value(for: "k") { throw Down() } }
        #expect(try await cache.value(for: "k") { 2 } == 2)
        #expect(try await cache.value(for: "k") { 3 } == 2)
    }

    @Test("A value expires exactly after its time to live")
    func expiry() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        _ = try await cache.value(for: "k") { 1 }
        time.advance(by: .milliseconds(9_999))
        #expect(cache.value(for: "k") == 1)
        time.advance(by: .milliseconds(1))
        #expect(cache.value(for: "k") == nil)
    }

    @Test("Beyond the maximum number of values, the one that expires first is removed")
    func limit() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), maxEntries: 2, time: time)
        for (number, key) in ["a", "b", "c"].enumerated() {
            _ = try await cache.value(for: key) { number }
            time.advance(by: .seconds(1))
        }
        #expect(cache.value(for: "a") == nil && cache.value(for: "b") == 1 && cache.value(for: "c") == 2)
    }

    @Test("The result of a load is not kept if its key was removed meanwhile")
    func removal() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        let value = try await cache.value(for: "k") {
            cache.removeValue(for: "k")
            return 1
        }
        #expect(value == 1 && cache.value(for: "k") == nil)
        _ = try await cache.value(for: "k") { 2 }
        cache.removeAll()
        #expect(cache.value(for: "k") == nil)
    }

    @Test("Removing one key does not affect the load of another")
    func otherRemoval() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        _ = try await cache.value(for: "k") {
            cache.removeValue(for: "other")
            return 1
        }
        #expect(cache.value(for: "k") == 1)
    }

    @Test("A cancelled caller returns immediately, and the load continues for the others")
    func cancellation() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        let door = OneShot<Void>(), entered = OneShot<Void>()
        let first = Task {
            try await cache.value(for: "k") {
                entered.set(())
                await door.value()
                return 1
            }
        }
        await entered.value()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await cache.value(for: "k") { 2 } }
        door.set(())
        #expect(try await second.value == 1)
    }

    @Test("Of callers that share a load, each waits until the deadline of its own task, and the load has none")
    func deadlines() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        let door = OneShot<Void>(), entered = OneShot<Void>(), seen = Recorder<ContinuousClock.Instant?>()
        let load = { @Sendable () async -> Int in
            seen.append(TaskDeadline.current)
            entered.set(())
            await door.value()
            return 1
        }
        func call(_ limit: Duration) -> Task<Int, any Error> {
            Task { try await withDeadline(limit, time: time) { try await cache.value(for: "k", load: load) } }
        }
        let short = call(.seconds(1))
        await entered.value()
        let (long, detached) = (call(.seconds(9)), Task.detached { try await cache.value(for: "k", load: load) })
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        await #expect(throws: HTTPError.timeout) { try await short.value }
        door.set(())
        #expect(try await long.value == 1)
        #expect(try await detached.value == 1 && seen.values == [nil])
    }

    @Test("After the deadline of the task, a value that is kept is returned, and no load begins")
    func afterDeadline() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        _ = try await cache.value(for: "k") { 1 }
        try await withDeadline(.zero, time: time) {
            let kept = try await cache.value(for: "k") { 2 }
            #expect(kept == 1)
            await #expect(throws: HTTPError.timeout) { try await cache.value(for: "other") { 2 } }
        }
        #expect(cache.value(for: "other") == nil)
        #expect(try await cache.value(for: "other") { 3 } == 3)
    }
}
