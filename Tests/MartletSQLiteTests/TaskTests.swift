import Dispatch
import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: tasks and processes", .timeLimit(.minutes(5)))
struct TaskTests {
    @Test("A cancelled task that waits for the writing lane throws immediately, and its operation is dropped")
    func cancelled() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one"), gate = DispatchSemaphore(value: 0)
        try await store.put(sample)
        store.core.writing.post { gate.wait() }
        // Cancelled before the wait begins, and during it.
        var kinds: [CacheStoreError.Kind?] = []
        for round in 0..<15 {
            let task = Task { try await store.remove(sample.response) as Void }
            for _ in 0..<(round * 4) { await Task.yield() }
            task.cancel()
            do {
                try await task.value
                kinds.append(nil)
            } catch { kinds.append((error as? CacheStoreError)?.kind) }
        }
        #expect(kinds == Array(repeating: .cancelled, count: 15))
        gate.signal()
        #expect(try await store.has(sample))
        try await store.remove(sample.response)
        #expect(try await !store.has(sample))
    }

    @Test("A writer whose task is cancelled stores nothing and can't be used any more")
    func cancelledWriter() async throws {
        let scratch = Scratch(), store = scratch.store(), large = Sample("large", bytes: 700_000)
        let writer = try #require(try await store.writer(for: large.response, length: nil))
        #expect(try await writer.write(large.body.prefix(400_000)))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await writer.write(large.body.dropFirst(400_000))
        }
        let error = await #expect(throws: CacheStoreError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        await #expect(throws: CacheStoreError.self) { try await writer.finish() }
        await #expect(throws: CacheStoreError.self) { _ = try await writer.write(Data([1])) }
        try await store.settle()
        #expect(try await store.looseBytes == 0)
        #expect(try await store.put(large))
    }

    @Test("Readers do not wait for writers")
    func lanes() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one", bytes: 300_000), gate = DispatchSemaphore(value: 0)
        try await store.put(sample)
        store.core.writing.post { gate.wait() }
        let isFound = try await store.has(sample)
        gate.signal()
        #expect(isFound)
    }

    @Test("A change that waits too long for another process is a timeout, and the next change works")
    func busy() async throws {
        let scratch = Scratch(), store = scratch.store { $0.busyTimeout = .milliseconds(20) }
        try await store.open()
        let other = try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
        try other.execute("BEGIN IMMEDIATE")
        let error = await #expect(throws: CacheStoreError.self) { try await store.put(Sample("one")) }
        #expect(error?.kind == .timeout)
        #expect(try await !store.has(Sample("one")))
        try other.execute("COMMIT")
        #expect(try await store.put(Sample("one")))
    }

    @Test("Two stores of one process may use the same file")
    func two() async throws {
        let scratch = Scratch(), one = scratch.store(), other = scratch.store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { try await (number % 2 == 0 ? one : other).put(Sample("s\(number)", bytes: number * 5000)) }
            }
            try await group.waitForAll()
        }
        for number in 0..<40 { #expect(try await (number % 2 == 0 ? other : one).has(Sample("s\(number)", bytes: number * 5000))) }
        #expect(try await one.count == 40)
    }

    @Test("A forked child's operations fail with advice, and the parent's continue")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let scratch = Scratch(), sample = Sample("one", bytes: 300_000)
            var store: SQLiteCacheStore? = scratch.store()
            try await store?.put(sample)
            let core = try #require(store?.core)
            // Swift hides `fork` because the child has only this thread. The child therefore runs nothing asynchronous.
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> Int32).self)
            let child = fork()
            if child == 0 {
                alarm(20)
                do throws(CacheStoreError) {
                    try core.checkProcess()
                    _exit(1)
                } catch {
                    // Releasing the child's copy must not touch the file.
                    store = nil
                    _exit(error.kind == .unavailable && error.detail.contains("in the child") ? 0 : 2)
                }
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            #expect(try await store?.has(sample) == true)
            // The end of a process releases nothing.
            try? FileManager.default.removeItem(at: scratch.folder)
            exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
