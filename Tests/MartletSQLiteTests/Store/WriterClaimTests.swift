import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("WriterClaim", .timeLimit(.minutes(5)))
struct WriterClaimTests {
    private let large = Sample("large", bytes: 250_000)

    private func store(_ scratch: Scratch, _ time: ManualTime = ManualTime()) -> SQLiteCacheStore {
        scratch.store(capacity: 1_000_000, time: time) { $0.chunkBytes = 50_000 }
    }

    private func claims(_ scratch: Scratch) -> [String] { scratch.names.filter { $0.contains("-writer-") } }

    /// Adds an unfinished body of a writer whose process has ended.
    private func abandon(_ scratch: Scratch, _ time: ManualTime, bytes: Int64) throws {
        let connection = try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
        let now = Int64(time.now.timeIntervalSince1970 * 1000)
        try connection.execute("INSERT INTO bodies (state, since, size) VALUES (0, ?, 0)", .number(now))
        try connection.execute("UPDATE bodies SET size = ? WHERE number = ?", .number(bytes), .number(connection.lastRow))
    }

    @Test("A claim is held until its owner is released, and leaves no file")
    func life() throws {
        let scratch = Scratch(), path = scratch.file.path + "-writer-1"
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
        #expect(WriterClaim.isAbandoned(at: path))
        do {
            let claim = try WriterClaim(at: path)
            #expect(!WriterClaim.isAbandoned(at: path))
            #expect(throws: CacheStoreError.self) { try WriterClaim(at: path) }
            withExtendedLifetime(claim) {}
        }
        #expect(WriterClaim.isAbandoned(at: path))
        #expect(scratch.names == [])
        // A killed process leaves a file without a lock.
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(WriterClaim.isAbandoned(at: path))
        #expect(scratch.names == [])
    }

    @Test("A claim whose file was replaced does not delete the other writer's file")
    func replaced() throws {
        let scratch = Scratch(), path = scratch.file.path + "-writer-1"
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
        var first: WriterClaim? = try WriterClaim(at: path)
        #expect(unlink(path) == 0)
        let second = try WriterClaim(at: path)
        withExtendedLifetime(first) {}
        first = nil
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(!WriterClaim.isAbandoned(at: path))
        withExtendedLifetime(second) {}
    }

    @Test("A new claim has its file, however often other stores look for abandoned claims meanwhile")
    func looked() async throws {
        let scratch = Scratch(), path = scratch.file.path + "-writer-1"
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
        let isOver = Locked(false)
        let looking = Task.detached { while !isOver.withLock({ $0 }) { _ = WriterClaim.isAbandoned(at: path) } }
        // Also if a claim throws, because the other task would otherwise search forever.
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<1000 {
            let claim = try WriterClaim(at: path)
            #expect(FileManager.default.fileExists(atPath: path))
            withExtendedLifetime(claim) {}
        }
        isOver.withLock { $0 = true }
        await looking.value
    }

    @Test("A claim is not created through a symbolic link")
    func link() throws {
        let scratch = Scratch(), path = scratch.file.path + "-writer-1"
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: scratch.file.path)
        #expect(throws: CacheStoreError.self) { try WriterClaim(at: path) }
        #expect(!WriterClaim.isAbandoned(at: path))
        #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
    }

    @Test("A body that is being written has a claim until it is complete or abandoned")
    func files() async throws {
        let scratch = Scratch(), store = store(scratch)
        let writer = try #require(try await store.writer(for: large.response, length: nil))
        #expect(try await writer.write(large.body))
        #expect(claims(scratch).count == 1)
        try await writer.finish()
        #expect(claims(scratch) == [])
        do {
            let dropped = try #require(try await store.writer(for: Sample("dropped").response, length: nil))
            #expect(try await dropped.write(large.body))
            #expect(claims(scratch).count == 1)
        }
        try await store.settle()
        #expect(claims(scratch) == [])
    }

    @Test("Opening the file removes the unfinished body of an ended process before its lease ends")
    func opening() async throws {
        let scratch = Scratch(), time = ManualTime(), first = store(scratch, time)
        try await first.open()
        await first.close()
        try abandon(scratch, time, bytes: 400_000)
        let next = store(scratch, time)
        try await next.open()
        try await next.settle()
        #expect(try await next.looseBytes == 0)
    }

    @Test("The unfinished body of an ended process does not count against the limit of a writer that needs room")
    func need() async throws {
        let scratch = Scratch(), time = ManualTime(), store = store(scratch, time)
        try await store.open()
        try await store.settle()
        try abandon(scratch, time, bytes: 500_000)
        #expect(try await store.looseBytes == 500_000)
        #expect(try await store.put(large))
        #expect(try await store.has(large))
    }

    @Test("The unfinished body of an ended process is removed before any stored response")
    func room() async throws {
        let scratch = Scratch(), time = ManualTime(), store = store(scratch, time)
        let kept = (0..<5).map { Sample("kept\($0)", bytes: 100_000) }
        for sample in kept { try await store.put(sample) }
        try await store.settle()
        try abandon(scratch, time, bytes: 450_000)
        #expect(try await store.put(Sample("small", bytes: 60_000)))
        for sample in kept { #expect(try await store.has(sample)) }
    }

    @Test("The body of a running writer is kept by stores of this process and of others")
    func alive() async throws {
        let scratch = Scratch(), time = ManualTime(), one = store(scratch, time), other = store(scratch, time)
        let writer = try #require(try await one.writer(for: large.response, length: nil))
        #expect(try await writer.write(large.body.prefix(200_000)))
        try await other.open()
        try await other.settle()
        for number in 0..<12 { _ = try await other.put(Sample("n\(number)", bytes: 120_000)) }
        try await other.settle()
        #expect(try await writer.write(large.body.dropFirst(200_000)))
        try await writer.finish()
        #expect(try await other.has(large))
    }

    @Test("Claims are removed with the file that they belong to")
    func removed() async throws {
        let scratch = Scratch(), first = store(scratch)
        try await first.open()
        await first.close()
        try Data().write(to: URL(fileURLWithPath: scratch.file.path + "-writer-9-9"))
        try FileManager.default.removeItem(at: scratch.file)
        try await store(scratch).open()
        #expect(claims(scratch) == [])
    }
}
