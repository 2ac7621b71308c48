import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("FileCookieStore", .timeLimit(.minutes(5)))
struct FileCookieStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("nested/cookies.json") }
    private let time = ManualTime()

    /// Runs a test and removes its folder.
    private func inFolder(_ test: () async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test()
    }

    private func mode(of url: URL) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    private func cookie(_ name: String, lasting seconds: Double? = 100) throws -> Cookie {
        try Cookie(name, "s3cret", domain: "h.example", expires: seconds.map { time.now + $0 }, created: time.now)
    }

    private func names(_ store: FileCookieStore) async throws -> [String] { try await store.cookies(at: time.now).map(\.name) }

    @Test("Persistent cookies survive the store in a file that only its owner can read; session cookies and expired ones do not")
    func persistence() async throws {
        try await inFolder {
            let store = FileCookieStore(file, saveDelay: .zero, time: time)
            #expect(try await names(store) == [])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try await store.set([cookie("a"), cookie("short", lasting: 10), cookie("session", lasting: nil)], at: time.now)
            #expect(try mode(of: file) == 0o600)
            #expect(try mode(of: file.deletingLastPathComponent()) == 0o700)
            #expect(try await names(store) == ["a", "short", "session"])
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a", "short"])
            time.advance(by: .seconds(10))
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["cookies.json"])
        }
    }

    @Test("Session cookies are kept if the store is told to")
    func sessionCookies() async throws {
        try await inFolder {
            try await FileCookieStore(file, keepsSessionCookies: true, saveDelay: .zero, time: time).set(
                cookie("session", lasting: nil), at: time.now)
            #expect(try await names(FileCookieStore(file, keepsSessionCookies: true, saveDelay: .zero, time: time)) == ["session"])
        }
    }

    @Test("A cookie keeps all its properties")
    func properties() async throws {
        try await inFolder {
            let cookie = try Cookie(
                "a", "ü\"\\", domain: "h.example", path: "/x", includesSubdomains: true, expires: time.now + 5, isHTTPOnly: true,
                sameSite: .lax,
                created: time.now)
            try await FileCookieStore(file, saveDelay: .zero, time: time).set(cookie, at: time.now)
            #expect(try await FileCookieStore(file, saveDelay: .zero, time: time).cookies(at: time.now) == [cookie])
        }
    }

    @Test(
        "A damaged file is renamed and reported without its content, and the store begins without cookies",
        arguments: ["", "{", "[]", #"{"version":2,"cookies":[]}"#, #"{"version":1,"cookies":[{"name":"s3cret"}]}"#])
    func damage(text: String) async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            let reports = Locked<[StateStoreError]>([])
            let store = FileCookieStore(file, saveDelay: .zero, time: time) { error in reports.withLock { $0.append(error) } }
            try await store.set(cookie("a"), at: time.now)
            let reported = reports.withLock { $0 }
            #expect(reported == [.corrupt("")])
            #expect(!"\(reported)".contains("s3cret"))
            #expect(try String(contentsOf: URL(fileURLWithPath: file.path + ".corrupt"), encoding: .utf8) == text)
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a"])
        }
    }

    @Test("A stored cookie that breaks a rule is left out, such as one of a domain that has become a public suffix; the others stay")
    func newRule() async throws {
        try await inFolder {
            let names = ["a", "b", "c"]
            let cookies = try names.map {
                try Cookie($0, "1", domain: $0 == "b" ? "shop.example" : "h.example", includesSubdomains: true, expires: time.now + 100)
            }
            try await FileCookieStore(file, saveDelay: .zero, time: time).set(cookies, at: time.now)
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "shop.example", with: "co.uk").utf8).write(to: file)
            let reports = Locked(0)
            let store = FileCookieStore(file, saveDelay: .zero, time: time) { _ in reports.withLock { $0 += 1 } }
            #expect(try await self.names(store) == ["a", "c"])
            #expect(reports.withLock { $0 } == 0)
        }
    }

    @Test("A jar that is replaced as a whole is saved, and so are the changes after it")
    func replacedJar() async throws {
        try await inFolder {
            let store = FileCookieStore(file, saveDelay: .zero, time: time)
            for name in ["a", "b", "c"] { try await store.set(cookie(name), at: time.now) }
            let snapshot = try await store.withJar { $0 }
            try await store.withJar { $0 = CookieJar() }
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == [])
            try await store.set(cookie("d"), at: time.now)
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["d"])
            try await store.withJar { $0 = snapshot }
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a", "b", "c"])
        }
    }

    @Test("A symbolic link is neither read nor replaced")
    func link() async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let target = folder.appendingPathComponent("target")
            try Data(#"{"version":1,"cookies":[]}"#.utf8).write(to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            let error = try await #require(throws: StateStoreError.self) { try await FileCookieStore(file).cookies() }
            #expect(error == .unavailable("") && "\(error)".contains("symbolic link"))
            #expect(throws: StateStoreError.self) { try StateFile(url: file).write(SavedCookies.Document(cookies: StoredCookies([]))) }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target.path)
        }
    }

    @Test("A file of another user, a folder and a URL of the web are refused")
    func refusals() async throws {
        var status = stat()
        status.st_mode = S_IFREG | 0o600
        status.st_uid = 4_242
        #expect(StateFile.refusal(of: status, user: 4_241) == "belongs to another user")
        #expect(StateFile.refusal(of: status, user: 4_242) == nil)
        status.st_mode = S_IFDIR
        #expect(StateFile.refusal(of: status, user: 4_242) == "is not a file")
        for url in [FileManager.default.temporaryDirectory, URL(string: "https://h.example/cookies.json")!] {
            await #expect(throws: StateStoreError.self) { try await FileCookieStore(url).cookies() }
        }
    }

    @Test("A file that others can read is made private when it is read")
    func permissions() async throws {
        try await inFolder {
            try await FileCookieStore(file, saveDelay: .zero, time: time).set(cookie("a"), at: time.now)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a"])
            #expect(try mode(of: file) == 0o600)
        }
    }

    @Test("A failure to save is thrown, the cookie stays in memory, and the next change saves both")
    func failedSave() async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let blocker = file.deletingLastPathComponent()
            let store = FileCookieStore(file, saveDelay: .zero, time: time)
            #expect(try await names(store) == [])
            try Data().write(to: blocker)
            await #expect(throws: StateStoreError.self) { try await store.set(cookie("a"), at: time.now) }
            #expect(try await names(store) == ["a"])
            try FileManager.default.removeItem(at: blocker)
            try await store.set(cookie("b"), at: time.now)
            #expect(try await names(FileCookieStore(file, saveDelay: .zero, time: time)) == ["a", "b"])
        }
    }

    @Test("Concurrent changes are all in the file when their calls return")
    func concurrency() async throws {
        try await inFolder {
            let store = FileCookieStore(file, saveDelay: .zero, time: time)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask { try await store.set(cookie("c\(index)"), at: time.now) }
                }
                try await group.waitForAll()
            }
            #expect(try await FileCookieStore(file, saveDelay: .zero, time: time).cookies(at: time.now).count == 50)
        }
    }

    @Test("After a failure to load, the next call tries again")
    func failedLoad() async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            let store = FileCookieStore(file, saveDelay: .zero, time: time)
            await #expect(throws: StateStoreError.self) { try await store.cookies(at: time.now) }
            try FileManager.default.removeItem(at: file)
            #expect(try await names(store) == [])
        }
    }
}
