import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: bodies in chunks", .timeLimit(.minutes(5)))
struct BodyTests {
    private let large = Sample("large", bytes: 300_000)

    private func store(_ scratch: Scratch, _ time: ManualTime, capacity: Int64 = 50_000_000) -> SQLiteCacheStore {
        scratch.store(capacity: capacity, time: time) { $0.chunkBytes = 20_000 }
    }

    @Test("A reader in this process has no time limit after its response is removed, and then the chunks are removed")
    func readersHere() async throws {
        let scratch = Scratch(), time = ManualTime(), store = store(scratch, time)
        try await store.put(large)
        do {
            let body = try #require(try await store.body(of: large))
            var iterator = body.makeAsyncIterator(), read = try await iterator.next() ?? Data()
            try await store.removeAll()
            #expect(try await store.count == 0)
            time.advance(by: .seconds(1000))
            try await store.settle()
            while let chunk = try await iterator.next() { read.append(chunk) }
            #expect(read == large.body)
            #expect(try await body.collect() == large.body)
            #expect(try await store.looseBytes == 300_000)
        }
        time.advance(by: .seconds(61))
        try await store.settle()
        #expect(try await store.looseBytes == 0)
    }

    @Test("A reader in another process can read during the grace period and gets an error afterwards, never a truncated body")
    func readersElsewhere() async throws {
        let scratch = Scratch(), time = ManualTime()
        let one = store(scratch, time), other = store(scratch, time)
        try await one.put(large)
        let body = try #require(try await other.body(of: large))
        var iterator = body.makeAsyncIterator()
        _ = try await iterator.next()
        try await one.remove(large.response)
        try await one.settle()
        time.advance(by: .seconds(59))
        try await one.settle()
        #expect(try await body.collect() == large.body)
        time.advance(by: .seconds(2))
        try await one.settle()
        #expect(try await one.looseBytes == 0)
        await #expect(throws: HTTPError.self) { while try await iterator.next() != nil {} }
        await #expect(throws: HTTPError.self) { try await body.collect() }
        #expect(scratch.events == [])
    }

    @Test("A dead body is removed when its grace period ends, and not a whole period later")
    func endOfGrace() async throws {
        let scratch = Scratch(), time = ManualTime(), store = scratch.store(time: time), large = Sample("large", bytes: 300_000)
        try await store.put(large)
        try await store.remove(large.response)
        try await store.settle()
        time.advance(by: .seconds(59))
        try await store.settle()
        #expect(try await store.looseBytes == 300_000)
        time.advance(by: .seconds(1))
        try await store.settle()
        #expect(try await store.looseBytes == 0)
    }

    @Test("Without free space the grace period for other processes ends immediately")
    func pressure() async throws {
        let scratch = Scratch(), time = ManualTime()
        let one = store(scratch, time, capacity: 1_000_000), other = store(scratch, time, capacity: 1_000_000)
        try await one.put(large)
        let body = try #require(try await other.body(of: large))
        try await one.remove(large.response)
        for number in 0..<3 { try await one.put(Sample("\(number)", bytes: 300_000)) }
        #expect(try await one.count == 3)
        await #expect(throws: HTTPError.self) { try await body.collect() }
    }

    @Test("The unfinished body of a released writer is removed immediately")
    func dropped() async throws {
        let scratch = Scratch(), store = store(scratch, ManualTime())
        do {
            let writer = try #require(try await store.writer(for: large.response, length: nil))
            #expect(try await writer.write(large.body))
            #expect(try await store.looseBytes > 200_000)
        }
        try await store.settle()
        #expect(try await store.looseBytes == 0)
    }

    @Test("The unfinished body of a writer whose lease has expired is removed, and the writer's finish throws")
    func leftovers() async throws {
        let scratch = Scratch(), time = ManualTime(), later = ManualTime(now: time.now + 601)
        let one = store(scratch, time)
        let writer = try #require(try await one.writer(for: large.response, length: nil))
        #expect(try await writer.write(large.body))
        let early = store(scratch, time)
        try await early.open()
        try await early.settle()
        #expect(try await early.looseBytes > 200_000)
        let late = store(scratch, later)
        try await late.open()
        try await late.settle()
        #expect(try await late.looseBytes == 0)
        let error = await #expect(throws: CacheStoreError.self) { try await writer.finish() }
        #expect(error?.kind == .failed)
        #expect(try await !one.has(large))
        // The next writer works.
        try await one.put(large)
        #expect(try await late.has(large))
    }

    @Test("A writer that waits for its bytes renews its lease, so that its body is not removed")
    func leases() async throws {
        let scratch = Scratch(), time = ManualTime(), one = store(scratch, time)
        let writer = try #require(try await one.writer(for: large.response, length: nil))
        #expect(try await writer.write(large.body.prefix(150_000)))
        for _ in 0..<20 {
            time.advance(by: .seconds(151))
            try await one.settle()
        }
        let other = store(scratch, time)
        try await other.open()
        try await other.settle()
        #expect(try await writer.write(large.body.dropFirst(150_000)))
        try await writer.finish()
        #expect(try await other.has(large))
    }

    @Test("A reader that skips returns the same bytes after the skip, and never skips more than requested", arguments: [0, 700_000])
    func skipping(inline: Int) async throws {
        let scratch = Scratch(), sample = Sample("large", bytes: 650_000)
        let store = scratch.store {
            $0.chunkBytes = 100_000
            $0.inlineBytes = inline
        }
        try await store.put(sample)
        for count in [0, 1, 99_999, 100_000, 100_001, 640_000, 649_999] as [Int64] {
            let reader = try #require(try await store.body(of: sample)).reader()
            let skipped = try await reader.skip(count)
            #expect((0...count).contains(skipped) && (inline > 0 || count - skipped < 100_000))
            var bytes = Data()
            while let chunk = try await reader.next() { bytes += chunk }
            #expect(bytes == sample.body.dropFirst(Int(skipped)))
        }
        let none = try #require(try await store.body(of: sample)).reader()
        #expect(try await none.skip(650_000) == 0)
    }

    @Test("A cancelled reader throws the reason of its cancellation")
    func cancelled() async throws {
        let scratch = Scratch(), store = store(scratch, ManualTime())
        try await store.put(large)
        let reader = ChunkReader(BodyPin(store.core, body: 1, entry: 1, epoch: 1), length: 300_000)
        #expect(try await reader.next()?.count == 20_000)
        reader.cancel(.timeout)
        reader.cancel(.cancelled)
        let error = await #expect(throws: HTTPError.self) { try await reader.next() }
        guard case .timeout? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A cancelled task throws a cancellation error while it reads, and the body can be read again")
    func cancelledTask() async throws {
        let scratch = Scratch(), store = store(scratch, ManualTime())
        try await store.put(large)
        let body = try #require(try await store.body(of: large))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await body.collect()
        }
        await #expect(throws: HTTPError.self) { try await task.value }
        #expect(try await body.collect() == large.body)
    }
}
