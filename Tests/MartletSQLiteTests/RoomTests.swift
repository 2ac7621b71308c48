import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: capacity", .timeLimit(.minutes(5)))
struct RoomTests {
    @Test("The number of responses and of their bytes is known, and decreases when they are removed")
    func counting() async throws {
        let scratch = Scratch(), store = scratch.store()
        #expect(try await store.count == 0)
        #expect(try await store.byteCount == 0)
        let samples = [Sample("small", bytes: 1000), Sample("large", bytes: 300_000), Sample("empty", bytes: 0)]
        for sample in samples { try await store.put(sample) }
        #expect(try await store.count == 3)
        #expect((301_000..<303_000).contains(try await store.byteCount))
        try await store.put(samples[0])
        #expect(try await store.count == 3)
        try await store.remove(samples[1].response)
        #expect(try await store.count == 2)
        #expect((1000..<3000).contains(try await store.byteCount))
        try await store.removeAll()
        #expect(try await store.count == 0)
        #expect(try await store.byteCount == 0)
    }

    @Test("The least recently used response is removed first, also after the store was reopened")
    func order() async throws {
        let scratch = Scratch(), first = scratch.store(capacity: 1_000_000)
        let samples = (0..<9).map { Sample("s\($0)", bytes: 100_000) }
        for sample in samples { try await first.put(sample) }
        for used in [0, 2, 4] { #expect(try await first.has(samples[used])) }
        await first.close()
        let next = scratch.store(capacity: 1_000_000)
        for number in 0..<5 { try await next.put(Sample("new\(number)", bytes: 100_000)) }
        var left: [Int] = []
        for (number, sample) in samples.enumerated() where try await next.has(sample) { left.append(number) }
        #expect(left == [0, 2, 4, 8])
    }

    @Test("Uses are written with the next change or when there are many, not one by one")
    func uses() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        func used() async throws -> Int64? {
            try await store.core.read { (file) throws(CacheStoreError) in try file.reads.number("SELECT max(used) FROM entries") }
        }
        try await store.put(sample)
        // After opening, the store writes the uses so far.
        try await store.settle()
        let before = try await used()
        for _ in 0..<50 { #expect(try await store.has(sample)) }
        #expect(try await used() == before)
        try await store.put(Sample("two"))
        try await store.remove(Sample("two").response)
        #expect(try #require(try await used()) > before ?? .max)
        for number in 0..<512 { try await store.put(Sample("n\(number)", bytes: 0)) }
        let later = try await used()
        for number in 0..<512 { #expect(try await store.has(Sample("n\(number)", bytes: 0))) }
        try await store.settle()
        #expect(try #require(try await used()) > later ?? .max)
    }

    @Test(
        "A body over the limit, over half of the capacity without a limit, or too large for the capacity with its head is rejected"
    )
    func largest() async throws {
        let scratch = Scratch()
        for (capacity, limit, largest) in [(1_000_000, nil, 500_000), (1_000_000, 300_000, 300_000)]
            as [(Int64, Int64?, Int64)]
        {
            let store = scratch.store(capacity: capacity) { $0.maxBodyBytes = limit }
            #expect(try await store.writer(for: Sample("x").response, length: largest) != nil)
            #expect(try await store.writer(for: Sample("x").response, length: largest + 1) == nil)
            #expect(try await store.put(Sample("too-large", bytes: Int(largest) + 1)) == false)
            #expect(try await !store.has(Sample("too-large", bytes: Int(largest) + 1)))
            await store.close()
        }
        let tiny = scratch.store(capacity: 1000) { $0.maxBodyBytes = 5000 }
        #expect(try await tiny.writer(for: Sample("x").response, length: 1000) == nil)
        #expect(try await tiny.put(Sample("x", bytes: 300)))
        #expect(try await tiny.has(Sample("x", bytes: 300)))
    }

    @Test("The file stays about as large as the capacity, and becomes small after everything is removed")
    func fileSize() async throws {
        let scratch = Scratch(), time = ManualTime(), store = scratch.store(capacity: 4_000_000, time: time)
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: scratch.file.path)[.size] as? Int ?? 0
        }
        for number in 0..<60 { try await store.put(Sample("s\(number)", bytes: number % 3 == 0 ? 1_500_000 : 20_000)) }
        #expect(try size() < 8_000_000)
        #expect((try await store.byteCount) <= 4_000_000)
        try await store.removeAll()
        try await store.settle()
        time.advance(by: .seconds(100))
        for _ in 0..<10 { try await store.settle() }
        await store.close()
        #expect(try size() < 2_000_000)
    }

    @Test("A full disk is an error, no partial response is stored, and the stored responses remain")
    func full() async throws {
        let scratch = Scratch(), store = scratch.store(maxPages: 200)
        let kept = Sample("kept", bytes: 30_000), large = Sample("large", bytes: 2_000_000)
        try await store.put(kept)
        let error = await #expect(throws: CacheStoreError.self) { try await store.put(large) }
        #expect(error?.kind == .full)
        #expect(try await !store.has(large))
        #expect(try await store.has(kept))
        try await store.settle()
        #expect(try await store.looseBytes == 0)
        #expect(try await store.put(Sample("small")))
        #expect(scratch.events == [])
    }

    @Test("After a full disk, the number of the failed body is reused, and uses are not lost")
    func afterFull() async throws {
        let scratch = Scratch(), store = scratch.store(maxPages: 200) { $0.chunkBytes = 2_000_000 }
        let kept = Sample("kept", bytes: 30_000)
        try await store.put(kept)
        #expect(try await store.has(kept))
        let uses = store.core.state.withLock { $0.uses }
        #expect(uses.count == 1)
        await #expect(throws: CacheStoreError.self) { try await store.put(Sample("large", bytes: 2_000_000), chunk: 2_000_000) }
        #expect(store.core.state.withLock { $0.written } == [])
        let next = Sample("next", bytes: 300_000)
        try await store.put(next)
        try await store.settle()
        #expect(try await store.has(next))
        #expect(try await store.has(kept))
    }

    @Test("A change that fails leaves the uses for the next one")
    func usesAfterFailure() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        #expect(try await store.has(sample))
        let uses = store.core.state.withLock { $0.uses }, wasUndone = Locked(0)
        await #expect(throws: CacheStoreError.self) {
            try await store.core.change { (change) throws(CacheStoreError) in
                change.ifUndone { wasUndone.withLock { $0 = $0 * 10 + 1 } }
                change.ifUndone { wasUndone.withLock { $0 = $0 * 10 + 2 } }
                throw CacheStoreError(.failed, "no")
            }
        }
        #expect(store.core.state.withLock { $0.uses } == uses && uses.count == 1)
        #expect(wasUndone.withLock { $0 } == 21)
        try await store.put(Sample("two"))
        #expect(store.core.state.withLock { $0.uses } == [:])
    }

    @Test("Unfinished bodies have at most half of the capacity, and no stored response is removed for them")
    func unfinished() async throws {
        let scratch = Scratch(), store = scratch.store(capacity: 1_000_000) { $0.chunkBytes = 50_000 }
        let kept = (0..<4).map { Sample("kept\($0)", bytes: 100_000) }
        for sample in kept { try await store.put(sample) }
        var writers: [any CacheWriter] = [], isWanted: [Bool] = []
        for number in 0..<8 {
            let writer = try #require(try await store.writer(for: Sample("w\(number)").response, length: nil))
            writers.append(writer)
            isWanted.append(try await writer.write(Data(count: 100_000)))
        }
        #expect(isWanted == [true, true, true, true, true, false, false, false])
        #expect(try await store.looseBytes == 500_000)
        for sample in kept { #expect(try await store.has(sample)) }
        // A writer whose body was rejected has ended.
        await #expect(throws: CacheStoreError.self) { try await writers[7].finish() }
        writers = []
        try await store.settle()
        #expect(try await store.looseBytes == 0)
    }

    @Test("A head that becomes longer makes room for itself")
    func growing() async throws {
        let scratch = Scratch(), store = scratch.store(capacity: 100_000)
        let samples = (0..<9).map { Sample("s\($0)", bytes: 10_000) }
        for sample in samples { try await store.put(sample) }
        let old = samples[8].response
        var fields = old.headers
        fields["X-Long"] = String(repeating: "x", count: 20_000)
        let grown = StoredResponse(
            id: old.id, key: old.key, variant: old.variant, status: old.status, headers: fields, requestTime: old.requestTime,
            responseTime: old.responseTime)
        try await store.update(grown)
        #expect(try await store.byteCount <= 100_000)
        #expect(try await store.entries(for: old.key).first?.response.headers["X-Long"]?.count == 20_000)
    }

    @Test("A system error for a full disk is reported as a full disk, whatever SQLite calls it")
    func kinds() {
        func kind(_ code: Int32, _ system: Int32 = 0) -> CacheStoreError.Kind {
            SQLiteFailure(code: code, systemCode: system, message: "").kind
        }
        #expect(kind(13) == .full)
        #expect(kind(778, ENOSPC) == .full)
        #expect(kind(14, EDQUOT) == .full)
        #expect(kind(778, EIO) == .failed)
        #expect(kind(14) == .unavailable)
        #expect(kind(5) == .timeout)
        #expect(kind(261) == .timeout)
        #expect(kind(11) == .corrupt)
        #expect(kind(26) == .corrupt)
        #expect(kind(522) == .corrupt)
        #expect(kind(7) == .failed)
        #expect(kind(1) == .failed)
    }
}
