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

    @Test("A value lives for its time and not a moment longer")
    func expiry() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        _ = try await cache.value(for: "k") { 1 }
        time.advance(by: .milliseconds(9_999))
        #expect(cache.value(for: "k") == 1)
        time.advance(by: .milliseconds(1))
        #expect(cache.value(for: "k") == nil)
    }

    @Test("At the limit the value that would expire first goes")
    func limit() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), maxEntries: 2, time: time)
        for (number, key) in ["a", "b", "c"].enumerated() {
            _ = try await cache.value(for: key) { number }
            time.advance(by: .seconds(1))
        }
        #expect(cache.value(for: "a") == nil && cache.value(for: "b") == 1 && cache.value(for: "c") == 2)
    }

    @Test("A load that was under way when its key was removed is not kept")
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

    @Test("A removal of one key leaves the load of another alone")
    func otherRemoval() async throws {
        let cache = ExpiringCache<String, Int>(timeToLive: .seconds(10), time: time)
        _ = try await cache.value(for: "k") {
            cache.removeValue(for: "other")
            return 1
        }
        #expect(cache.value(for: "k") == 1)
    }

    @Test("A caller that is cancelled leaves at once, and the load serves the others")
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
}
