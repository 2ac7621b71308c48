import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("SavedState", .timeLimit(.minutes(5)))
struct SavedStateTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saved-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("cookies.json") }
    private let time = ManualTime()

    private func inFolder(_ test: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test()
    }

    private func cookie(_ name: String) throws -> Cookie {
        try Cookie(name, "1", domain: "h.example", expires: time.now + 100, created: time.now)
    }

    private var isWritten: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The names of the cookies in the file, without a store.
    private func saved() throws -> [String] {
        try StateFile(url: file).read(SavedCookies.Document.self).document?.cookies.cookies.map(\.name) ?? []
    }

    @Test("Changes are written together, a delay after the first of them")
    func batch() async throws {
        try await inFolder {
            let store = FileCookieStore(file, saveDelay: .seconds(5), time: time)
            for index in 0..<20 { try await store.set(cookie("a\(index)"), at: time.now) }
            time.advance(by: .seconds(4))
            try await store.set(cookie("b"), at: time.now)
            #expect(!isWritten)
            time.advance(by: .seconds(1))
            while !isWritten { await Task.yield() }
            #expect(try saved().count == 21)
            try await store.save()
            try FileManager.default.removeItem(at: file)
            try await store.set(cookie("c"), at: time.now)
            #expect(!isWritten)
            time.advance(by: .seconds(5))
            while !isWritten { await Task.yield() }
            #expect(try saved().count == 22)
        }
    }

    @Test("Saving by hand writes the changes, and nothing without changes")
    func byHand() async throws {
        try await inFolder {
            let store = FileCookieStore(file, time: time)
            try await store.save()
            #expect(!isWritten)
            try await store.set(cookie("a"), at: time.now)
            try await store.save()
            #expect(try saved() == ["a"])
            try FileManager.default.removeItem(at: file)
            try await store.save()
            time.advance(by: .seconds(1))
            #expect(!isWritten)
        }
    }

    @Test("A released store saves its changes at once, and a new one over its file sees them")
    func release() async throws {
        try await inFolder {
            var store: FileCookieStore? = FileCookieStore(file, time: time)
            try await store?.set(cookie("a"), at: time.now)
            store = nil
            let next = FileCookieStore(file, time: time)
            #expect(try await next.cookies(at: time.now).map(\.name) == ["a"])
            while !isWritten { await Task.yield() }
            #expect(try saved() == ["a"])
        }
    }

    @Test("A process that exits has saved everything, unless it exits within an access", arguments: [false, true])
    func exits(isWithinAccess: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = file.path
        await #expect(processExitsWith: .success) { [path = path as String, isWithinAccess = isWithinAccess as Bool] in
            let store = FileCookieStore(URL(fileURLWithPath: path), saveDelay: .seconds(3_600))
            try await store.set(Cookie("a", "1", domain: "h.example", expires: Date() + 3_600))
            // The lock of the store is held, so the changes can't be saved. The exit is not prevented.
            try await store.withJar { _ in if isWithinAccess { exit(0) } }
            exit(0)
        }
        let names = try saved()
        #expect(names == (isWithinAccess ? [] : ["a"]))
    }

    @Test("A killed process loses the changes of the delay alone, and its file is complete")
    func killed() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = file.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = FileCookieStore(URL(fileURLWithPath: path), saveDelay: .seconds(3_600)), expires = Date() + 3_600
            try await store.set(Cookie("a", "1", domain: "h.example", expires: expires))
            try await store.save()
            try await store.set(Cookie("b", "1", domain: "h.example", expires: expires))
            kill(getpid(), SIGKILL)
        }
        let names = try saved()
        #expect(names == ["a"])
    }

    @Test("A failure after the delay is reported; then each change throws until one is saved")
    func failure() async throws {
        try await inFolder {
            let reports = Locked<[StateStoreError]>([])
            let store = FileCookieStore(file, time: time) { error in reports.withLock { $0.append(error) } }
            try await store.set(cookie("a"), at: time.now)
            try FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
            time.advance(by: .seconds(1))
            while reports.withLock({ $0.isEmpty }) { await Task.yield() }
            #expect(reports.withLock { $0 } == [.unavailable("")])
            await #expect(throws: StateStoreError.unavailable("")) { try await store.set(cookie("b"), at: time.now) }
            try FileManager.default.removeItem(at: folder)
            try await store.set(cookie("c"), at: time.now)
            #expect(try saved() == ["a", "b", "c"])
        }
    }

    @Test("The hosts that require https are saved in the same way")
    func hosts() async throws {
        try await inFolder {
            let store = FileStrictTransportStore(file, time: time), now = time.now
            try await store.withHosts { $0.insert("h.example", until: now + 100) }
            #expect(!isWritten)
            time.advance(by: .seconds(1))
            while !isWritten { await Task.yield() }
            try await store.withHosts { $0.insert("i.example", until: now + 100) }
            try await store.save()
            #expect(try await FileStrictTransportStore(file, time: time).withHosts { $0.names } == ["h.example", "i.example"])
        }
    }
}
