import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("SQLiteCacheStore: files that cannot be opened", .timeLimit(.minutes(5)))
struct OpeningTests {
    private func folder(_ scratch: Scratch) throws {
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
    }

    private func failure(_ store: SQLiteCacheStore) async -> CacheStoreError? {
        do { try await store.open() } catch { return error }
        return nil
    }

    @Test("A symbolic link in place of the database or of a file beside it is rejected", arguments: ["", "-wal", "-shm", "-lock"])
    func links(ending: String) async throws {
        let scratch = Scratch(), target = scratch.folder.appendingPathComponent("target")
        try folder(scratch)
        if !ending.isEmpty {
            let first = scratch.store()
            try await first.open()
            await first.close()
        }
        try Data("mine".utf8).write(to: target)
        let path = scratch.file.path + ending
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
        let error = await failure(scratch.store())
        #expect(error?.kind == .unavailable)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }

    @Test("Another user's file, a folder and a pipe are rejected")
    func owners() {
        var status = stat()
        status.st_mode = S_IFREG | 0o600
        status.st_uid = 1000
        #expect(StoreFile.refusal(of: status, user: 1000) == nil)
        #expect(StoreFile.refusal(of: status, user: 1001) == "belongs to another user")
        #expect(StoreFile.refusal(of: status, user: 0) == "belongs to another user")
        for kind in [S_IFDIR, S_IFIFO, S_IFLNK, S_IFSOCK] {
            status.st_mode = kind | 0o600
            #expect(StoreFile.refusal(of: status, user: 1000) != nil)
        }
    }

    @Test("A new file is not created beside remains of a removed one that cannot be deleted", arguments: ["-wal", "-shm"])
    func leftovers(ending: String) throws {
        let scratch = Scratch()
        try folder(scratch)
        let left = URL(fileURLWithPath: scratch.file.path + ending)
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
        let file = try StoreFile(scratch.file)
        for _ in 0..<2 { #expect(throws: CacheStoreError.self) { try file.create() } }
        #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
        try FileManager.default.removeItem(at: left)
        try file.create()
        #expect(FileManager.default.fileExists(atPath: scratch.file.path))
    }

    @Test("A failure to open is reported once, again when it changes, and again after the file could be opened")
    func reports() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try FileManager.default.createDirectory(at: scratch.file, withIntermediateDirectories: true)
        for _ in 0..<5 { await #expect(throws: CacheStoreError.self) { try await store.entries(for: sample.key) } }
        #expect(scratch.events.count == 1)
        guard case .openingFailed(.unavailable, let detail)? = scratch.events.first else {
            Issue.record("\(scratch.events)")
            return
        }
        #expect(detail.contains("is not a file"))
        try FileManager.default.removeItem(at: scratch.file)
        try FileManager.default.createSymbolicLink(atPath: scratch.file.path, withDestinationPath: "/nowhere")
        for _ in 0..<5 { await #expect(throws: CacheStoreError.self) { try await store.put(sample) } }
        #expect(scratch.events.count == 2)
        try FileManager.default.removeItem(at: scratch.file)
        #expect(try await store.put(sample))
        #expect(scratch.events.count == 2)
    }

    @Test("A cache's report receives an opening failure once, and the notice about a file that was set aside")
    func interceptor() async throws {
        let scratch = Scratch(), events = Recorder<CacheInterceptor.Event>()
        try FileManager.default.createDirectory(at: scratch.file, withIntermediateDirectories: true)
        let cache = CacheInterceptor(store: scratch.store(), isShared: true) { events.append($0) }
        let client = HTTPClient(
            baseURL: URL(string: "https://birds.test"),
            transport: MockTransport { _ in .text("x", headers: ["Cache-Control": "max-age=60"]) },
            interceptors: [cache])
        for _ in 0..<5 { _ = try await client.send(Request<Data>.get("x")) }
        #expect(events.values.count == 1)
        guard case .storeFailed(let error)? = events.values.first else {
            Issue.record("\(events.values)")
            return
        }
        #expect(error.kind == .unavailable && error.isOfOpening)
        try FileManager.default.removeItem(at: scratch.file)
        try Data("not a database, but long enough to be read as one".utf8).write(to: scratch.file)
        _ = try await client.send(Request<Data>.get("x"))
        #expect(events.values.count == 2)
        guard case .storeNotice(let notice)? = events.values.last else {
            Issue.record("\(events.values)")
            return
        }
        #expect(notice.contains("corrupt"))
    }

    @Test("A store reports to the caches that use it, and not to a deinitialised one")
    func listeners() {
        let scratch = Scratch(), events = Recorder<CacheInterceptor.Event>()
        let store = scratch.store()
        for _ in 0..<100 { _ = CacheInterceptor(store: store, isShared: true) { events.append($0) } }
        #expect(store.core.listeners.withLock { $0.all.count } == 0)
        let cache = CacheInterceptor(store: store, isShared: true) { events.append($0) }
        withExtendedLifetime(cache) {
            #expect(store.core.listeners.withLock { $0.all.count } == 1)
        }
    }
}
