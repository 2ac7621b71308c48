import Foundation
import MartletTesting
import Testing

@testable import MartletCache
@testable import MartletConformance

@Suite("MemoryCacheStore", .timeLimit(.minutes(5)))
struct MemoryCacheStoreTests {
    private static let date = Date(timeIntervalSince1970: 1_767_225_600)

    private func response(
        _ id: String, _ uri: String = "http://birds.test/", scope: String = "", variant: CacheVariant = CacheVariant()
    ) -> StoredResponse {
        StoredResponse(
            id: id, key: CacheKey(uri: uri, scope: scope), variant: variant, status: .ok, headers: ["X-Id": id], requestTime: Self.date,
            responseTime: Self.date)
    }

    @discardableResult
    private func put(_ response: StoredResponse, _ count: Int, in store: MemoryCacheStore) async throws -> Bool {
        guard let writer = try await store.writer(for: response, length: Int64(count)) else { return false }
        guard try await writer.write(Data(count: count)) else { return false }
        try await writer.finish()
        return true
    }

    private static var options: CacheStoreConformance.Options {
        var options = CacheStoreConformance.Options()
        // With many concurrent tests, one may be delayed for a while.
        options.timeLimit = .seconds(100)
        options.makeSmall = { MemoryCacheStore(capacity: $0, maxEntryBytes: $0) }
        return options
    }

    @Test("It passes the conformance suite for stores", arguments: CacheStoreConformance.cases)
    func conforms(aCase: CacheStoreConformance.Case) async throws {
        try await aCase.check(options: Self.options) { MemoryCacheStore() }
    }

    @Test("After random operations it has the same content as a dictionary", arguments: 2..<5 as Range<UInt64>)
    func model(seed: UInt64) async throws {
        var options = Self.options
        options.seed = seed
        let aCase = try #require(CacheStoreConformance.cases.first { $0.id == "model.random" })
        try await aCase.check(options: options) { MemoryCacheStore() }
    }

    @Test("Ten thousand responses are found, updated, and removed individually, by target, and all at once")
    func many() async throws {
        let store = MemoryCacheStore(capacity: 1 << 30), count = 10_000
        for number in 0..<count {
            try await put(response("\(number)", "http://birds.test/\(number / 2)", scope: "\(number % 2)"), 10, in: store)
            if number % 500 == 0 { await Task.yield() }
        }
        #expect(store.count == count)
        for number in stride(from: 0, to: count, by: 997) {
            let found = try await store.entries(for: CacheKey(uri: "http://birds.test/\(number / 2)", scope: "\(number % 2)"))
            #expect(found.map(\.response.id) == ["\(number)"])
        }
        for number in stride(from: 0, to: count, by: 2) {
            try await store.remove(response("\(number)", "http://birds.test/\(number / 2)", scope: "0"))
        }
        #expect(store.count == count / 2)
        for number in stride(from: 0, to: count, by: 4) { try await store.removeAll(for: "http://birds.test/\(number / 2)") }
        #expect(store.count == count / 4)
        try await store.removeAll()
        #expect(store.count == 0 && store.byteCount == 0)
    }

    @Test("Its size never exceeds its capacity under any operations", arguments: 0..<4 as Range<UInt64>)
    func bounded(seed: UInt64) async throws {
        let capacity = 100_000, store = MemoryCacheStore(capacity: capacity, maxEntryBytes: seed % 2 == 0 ? nil : capacity)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<300 {
            let uri = "http://birds.test/\(Int.random(in: 0..<60, using: &generator))"
            let size = Int.random(in: 0..<(seed % 2 == 0 ? 9_000 : 60_000), using: &generator)
            try await put(response("\(number)", uri), size, in: store)
            let found = try await store.entries(for: CacheKey(uri: uri))
            if let entry = found.first, number % 3 == 0 {
                let long = entry.response.with(headers: ["X-Long": String(repeating: "x", count: size / 2)])
                try await store.update(long)
            }
            let bytes = store.byteCount
            #expect(bytes <= capacity && bytes >= 0)
            if number % 50 == 0 { await Task.yield() }
        }
        for number in 0..<60 { try await store.removeAll(for: "http://birds.test/\(number)") }
        #expect(store.count == 0 && store.byteCount == 0)
    }

    @Test("Reused responses survive a scan of responses that are stored once and never used")
    func scan() async throws {
        let store = MemoryCacheStore(capacity: 100_000)
        for number in 0..<20 { try await put(response("hot\(number)", "http://birds.test/hot/\(number)"), 1_000, in: store) }
        for number in 0..<20 { _ = try await store.entries(for: CacheKey(uri: "http://birds.test/hot/\(number)")) }
        for number in 0..<1_000 { try await put(response("\(number)", "http://birds.test/\(number)"), 5_000, in: store) }
        for number in 0..<20 {
            let found = try await store.entries(for: CacheKey(uri: "http://birds.test/hot/\(number)"))
            #expect(found.count == 1)
        }
    }

    @Test("A replacement of a used response counts as used, and among used responses the least recent is removed first")
    func order() async throws {
        let store = MemoryCacheStore(capacity: 20_000, maxEntryBytes: 20_000)
        for name in ["a", "b", "c"] { try await put(response(name, name), 3_000, in: store) }
        for name in ["a", "b", "c", "a"] { _ = try await store.entries(for: CacheKey(uri: name)) }
        try await put(response("b2", "b"), 3_000, in: store)
        for number in 0..<50 { try await put(response("\(number)", "\(number)"), 4_000, in: store) }
        var kept: [String] = []
        for name in ["a", "b", "c"] where !(try await store.entries(for: CacheKey(uri: name))).isEmpty { kept.append(name) }
        #expect(kept == ["a", "b", "c"])
        // Used responses are removed if they take too much space.
        for name in ["d", "e", "f"] {
            try await put(response(name, name), 4_000, in: store)
            _ = try await store.entries(for: CacheKey(uri: name))
        }
        #expect(try await store.entries(for: CacheKey(uri: "a")).isEmpty)
        #expect(try await store.entries(for: CacheKey(uri: "f")).count == 1)
    }

    @Test("A new response stays available even if used responses must be removed for it")
    func newest() async throws {
        let store = MemoryCacheStore(capacity: 20_000, maxEntryBytes: 20_000)
        for name in ["a", "b", "c"] {
            try await put(response(name, name), 3_500, in: store)
            _ = try await store.entries(for: CacheKey(uri: name))
        }
        try await put(response("big", "big"), 12_000, in: store)
        #expect(try await store.entries(for: CacheKey(uri: "big")).count == 1)
    }

    @Test("A body that is a slice of a larger buffer is stored as its own bytes, starting at index 0")
    func slices() async throws {
        let store = MemoryCacheStore(), whole = Data("0123456789".utf8)
        let writer = try #require(try await store.writer(for: response("1"), length: nil))
        #expect(try await writer.write(whole[4..<7]))
        try await writer.finish()
        let body = try #require(try await store.entries(for: CacheKey(uri: "http://birds.test/")).first?.body.buffered)
        #expect(body == Data("456".utf8) && body.startIndex == 0)
    }

    @Test("Updating a head of another variant with the same ID has no effect")
    func updatedVariant() async throws {
        let store = MemoryCacheStore()
        let old = response("1", variant: CacheVariant([.init(name: "accept", value: "a")]))
        try await put(old, 10, in: store)
        try await store.update(response("1", variant: CacheVariant([.init(name: "accept", value: "b")])))
        #expect(try await store.entries(for: old.key).map(\.response) == [old])
        try await store.remove(old)
        #expect(store.count == 0 && store.byteCount == 0)
    }

    @Test("Concurrent tasks leave the store consistent")
    func concurrent() async throws {
        let store = MemoryCacheStore(capacity: 50_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<300 {
                        let uri = "http://birds.test/\((task + number) % 20)"
                        try await put(response("\(task)-\(number)", uri), 500, in: store)
                        for entry in try await store.entries(for: CacheKey(uri: uri)) {
                            #expect(entry.body.length == 500)
                            if number % 3 == 0 { try await store.update(entry.response.with(isInvalidated: true)) }
                            if number % 7 == 0 { try await store.remove(entry.response) }
                        }
                        if number % 50 == 0 { try await store.removeAll(for: uri) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.byteCount <= 50_000)
        try await store.removeAll()
        #expect(store.count == 0 && store.byteCount == 0 && store.pendingByteCount == 0)
    }
}
