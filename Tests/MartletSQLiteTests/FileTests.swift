import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: the file", .timeLimit(.minutes(5)))
struct FileTests {
    private func connection(_ scratch: Scratch) throws -> SQLiteConnection {
        try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
    }

    private func failure(_ store: SQLiteCacheStore) async -> CacheStoreError? {
        do { try await store.open() } catch { return error }
        return nil
    }

    @Test("The first use creates the file and its folder, readable only by the owner")
    func making() async throws {
        let scratch = Scratch(), store = scratch.store()
        #expect(scratch.names == [])
        try await store.put(Sample("one"))
        #expect(scratch.names == ["cache.sqlite", "cache.sqlite-lock", "cache.sqlite-shm", "cache.sqlite-wal"])
        for name in scratch.names {
            let path = scratch.folder.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test("A later store finds the stored responses and their uses")
    func keeping() async throws {
        let scratch = Scratch(), samples = [Sample("small"), Sample("large", bytes: 500_000)]
        let first = scratch.store()
        for sample in samples { try await first.put(sample) }
        await first.close()
        let next = scratch.store()
        for sample in samples { #expect(try await next.has(sample)) }
        #expect(scratch.events == [])
    }

    @Test("An invalid path is an error with a reason, at each use")
    func badPaths() async throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(at: scratch.file, withIntermediateDirectories: true)
        #expect(await failure(scratch.store())?.kind == .unavailable)
        #expect(await failure(scratch.store())?.detail.contains("is not a file") == true)
        let web = SQLiteCacheStore(at: try #require(URL(string: "https://birds.test/cache")))
        #expect(await failure(web)?.detail.contains("not a file URL") == true)
        let blocked = scratch.folder.appendingPathComponent("blocked")
        try Data("x".utf8).write(to: blocked)
        let below = SQLiteCacheStore(at: blocked.appendingPathComponent("cache.sqlite"))
        let error = await failure(below)
        #expect(error?.kind == .unavailable)
        #expect(error?.detail.contains("blocked") == true)
        let entries = await #expect(throws: CacheStoreError.self) { try await below.entries(for: Sample("one").key) }
        #expect(entries?.kind == .unavailable)
    }

    @Test("Without SQLite the error names the package to install")
    func missingLibrary() {
        let error = #expect(throws: CacheStoreError.self) { try SQLiteLibrary(names: ["libnobody-has-this.so.9"]) }
        #expect(error?.kind == .unavailable)
        #expect(error?.detail.contains("libsqlite3-0") == true)
        let other = #expect(throws: CacheStoreError.self) { try SQLiteLibrary(names: [FileTests.otherLibrary]) }
        #expect(other?.detail.contains("has no sqlite3_") == true)
    }

    #if canImport(Darwin)
    private static let otherLibrary = "/usr/lib/libz.dylib"
    #else
    private static let otherLibrary = "libm.so.6"
    #endif

    @Test(
        "A file that can't be used is renamed unchanged, replaced by a new file, and reported",
        arguments: StoreFile.Reason.allCases)
    func settingAside(reason: StoreFile.Reason) async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        await store.close()
        switch reason {
        case .corrupt: try Data("this is not a database, but long enough to be read as one".utf8).write(to: scratch.file)
        case .newer: try connection(scratch).execute("PRAGMA user_version = 2")
        case .older: try connection(scratch).execute("PRAGMA user_version = 0")
        case .foreign: try connection(scratch).execute("PRAGMA application_id = 7")
        }
        let before = try Data(contentsOf: scratch.file)
        let next = scratch.store()
        #expect(try await !next.has(sample))
        #expect(try await next.put(sample))
        #expect(try await next.has(sample))
        #expect(scratch.events.count == 1)
        let moved: (url: URL, detail: String)? =
            switch (reason, scratch.events.first) {
            case (.corrupt, .corruptFile(let url, let detail)), (.newer, .newerFile(let url, let detail)),
                (.older, .olderFile(let url, let detail)), (.foreign, .foreignFile(let url, let detail)):
                (url, detail)
            default: nil
            }
        let (url, detail) = try #require(moved, "\(scratch.events)")
        #expect(try Data(contentsOf: url) == before)
        #expect(!detail.isEmpty)
        #expect(scratch.events[0].description.contains(url.lastPathComponent))
    }

    @Test("Another program's database is never removed, and of the other files set aside the last two are kept")
    func bounded() async throws {
        let scratch = Scratch()
        for _ in 0..<5 {
            let store = scratch.store()
            try await store.put(Sample("one"))
            await store.close()
            try connection(scratch).execute("PRAGMA application_id = 7")
            let next = scratch.store()
            try await next.open()
            await next.close()
        }
        try Data("garbage".utf8).write(to: scratch.file)
        try await scratch.store().open()
        #expect(scratch.names.filter { $0.hasPrefix("cache.sqlite.foreign-") && !$0.contains("-wal") && !$0.contains("-shm") }.count == 5)
        #expect(scratch.names.filter { $0.hasPrefix("cache.sqlite.corrupt-") }.count == 1)
        for round in 0..<5 {
            try Data("garbage \(round), and more of it than the file has as a header".utf8).write(to: scratch.file)
            let store = scratch.store()
            try await store.open()
            await store.close()
        }
        #expect(scratch.names.filter { $0.hasPrefix("cache.sqlite.corrupt-") }.count == 2)
    }

    @Test("A file that is removed or replaced by another is noticed within a second, without mixing the two")
    func replaced() async throws {
        let scratch = Scratch(), time = ManualTime(), store = scratch.store(time: time)
        let old = Sample("old", bytes: 900_000), new = Sample("new", bytes: 900_000)
        try await store.put(old)
        var iterator = try #require(try await store.body(of: old)).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        try FileManager.default.removeItem(at: scratch.file)
        try await store.put(new)
        #expect(try await store.has(new))
        #expect(try await !store.has(old))
        // The numbers of its chunks now belong to another body.
        await #expect(throws: HTTPError.self) { while try await iterator.next() != nil {} }
        try FileManager.default.removeItem(at: scratch.file)
        time.advance(by: .seconds(1))
        #expect(try await !store.has(new))
        #expect(scratch.events == [])
    }

    @Test("A closed store throws an error that says so, and its file can be replaced")
    func closing() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        await store.close()
        #expect(scratch.names == ["cache.sqlite", "cache.sqlite-lock"])
        let error = await #expect(throws: CacheStoreError.self) { try await store.entries(for: sample.key) }
        #expect(error?.kind == .unavailable)
        await store.close()
        #expect(try await scratch.store().has(sample))
    }

    @Test("Releasing a store closes its file after the running operations, and writes the uses")
    func lettingGo() async throws {
        let scratch = Scratch()
        var store: SQLiteCacheStore? = scratch.store()
        let sample = Sample("one", bytes: 700_000)
        try await store?.put(sample)
        let body = try #require(try await store?.body(of: sample))
        let lane = try #require(store?.core.writing)
        store = nil
        #expect(try await body.collect() == sample.body)
        #expect(scratch.names.contains("cache.sqlite-wal"))
        _ = consume body
        while scratch.names.contains("cache.sqlite-wal") { try await lane.run(cancelled: .cancelled) { () throws(CacheStoreError) in } }
        #expect(try await scratch.store().has(sample))
    }
}
