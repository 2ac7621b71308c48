import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("RecentLookups: recently looked-up keys", .timeLimit(.minutes(5)))
struct RecentLookupsTests {
    private func key(_ number: Int) -> CacheKey { CacheKey(uri: "http://birds.test/\(number)") }

    @Test("A key counts as recent for at least half a minute and at most a minute after its last lookup")
    func age() {
        let start = ContinuousClock.now
        var keys = RecentLookups(limit: 10)
        keys.note(key(1), now: start)
        #expect(keys.contains(key(1), now: start + .seconds(59)))
        #expect(!keys.contains(key(1), now: start + .seconds(60)))
        keys.note(key(3), now: start + .seconds(29))
        keys.note(key(4), now: start + .seconds(31))
        #expect(keys.contains(key(3), now: start + .seconds(60)))
        #expect(!keys.contains(key(3), now: start + .seconds(61)))
        #expect(keys.contains(key(4), now: start + .seconds(90)))
        #expect(!keys.contains(key(2), now: start))
        keys.note(key(2), now: start + .seconds(100))
        #expect(!keys.contains(key(2), now: start + .seconds(200)))
    }

    @Test("The number of keys never exceeds the limit, the newer half stays, and a limit of zero keeps none")
    func limit() {
        let now = ContinuousClock.now
        var keys = RecentLookups(limit: 10), none = RecentLookups(limit: 0)
        for number in 0..<100 {
            keys.note(key(number), now: now)
            none.note(key(number), now: now)
            #expect((0..<100).count { keys.contains(key($0), now: now) } <= 10)
            #expect((max(0, number - 4)...number).allSatisfy { keys.contains(key($0), now: now) })
        }
        #expect(!none.contains(key(99), now: now))
        keys.removeAll()
        #expect(!keys.contains(key(99), now: now))
    }

    @Test("A store looks up only recent keys on the caller's thread")
    func store() async throws {
        let scratch = Scratch(), clock = ManualTime(), store = scratch.store(time: clock), sample = Sample("one"), core = store.core
        let isHere = { core.readHere(for: sample.key) { (_) throws(CacheStoreError) in true } == true }
        #expect(!isHere())
        try await store.put(sample)
        #expect(!isHere())
        #expect(try await store.has(sample))
        try await whenFree(core)
        #expect(isHere())
        #expect(try await store.has(sample))
        clock.advance(by: .seconds(1))
        // First the store checks that the file is still the one at its path.
        #expect(!isHere())
        #expect(try await store.has(sample))
        try await whenFree(core)
        #expect(isHere())
        await store.close()
        #expect(!isHere())
    }

    @Test("A change by another store of the same file is seen immediately, also for recent keys")
    func others() async throws {
        let scratch = Scratch(), store = scratch.store(), other = scratch.store(), sample = Sample("one")
        for _ in 0..<20 {
            try await other.put(sample)
            #expect(try await store.has(sample))
            #expect(try await store.has(sample))
            try await other.remove(sample.response)
            #expect(try await !store.has(sample))
        }
    }

    @Test("With a limit of zero a store looks up nothing on the caller's thread")
    func off() async throws {
        let scratch = Scratch(), store = scratch.store { $0.maxRecentKeys = 0 }, sample = Sample("one")
        try await store.put(sample)
        #expect(try await store.has(sample))
        try await whenFree(store.core)
        #expect(store.core.readHere(for: sample.key) { (_) throws(CacheStoreError) in true } == nil)
    }

    /// Waits until the lane is free, which it reports shortly after its last job has returned.
    private func whenFree(_ core: StoreCore) async throws {
        while try core.reading.runHere({ () throws(CacheStoreError) in true }) == nil { await Task.yield() }
    }
}
