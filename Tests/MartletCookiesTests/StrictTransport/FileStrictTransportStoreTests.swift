import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("FileStrictTransportStore", .timeLimit(.minutes(5)))
struct FileStrictTransportStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hosts-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("nested/hosts.json") }
    private let time = ManualTime()

    /// Runs a test and removes its folder.
    private func inFolder(_ test: () async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test()
    }

    private func store(_ hosts: StrictTransportHosts = StrictTransportHosts()) -> FileStrictTransportStore {
        FileStrictTransportStore(file, adding: hosts, saveDelay: .zero, time: time)
    }

    private func names(_ store: FileStrictTransportStore) async throws -> [String] { try await store.withHosts { $0.names } }

    private func upgraded(_ text: String, _ store: FileStrictTransportStore) async throws -> String? {
        let now = time.now
        return try await store.withHosts { $0.upgraded(URL(string: text)!, at: now)?.absoluteString }
    }

    @Test("Hosts survive the store with their properties in a file that only its owner can read; expired ones do not")
    func persistence() async throws {
        try await inFolder {
            let first = store(), now = time.now
            #expect(try await names(first) == [])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try await first.withHosts { hosts in
                hosts.insert("h.example", includesSubdomains: true, until: now + 100)
                hosts.insert("own.example", until: now + 100)
                hosts.insert("short.example", until: now + 10)
            }
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            #expect(try await names(store()) == ["h.example", "own.example", "short.example"])
            #expect(try await upgraded("http://a.h.example/", store()) == "https://a.h.example/")
            #expect(try await upgraded("http://a.own.example/", store()) == nil)
            time.advance(by: .seconds(10))
            #expect(try await names(store()) == ["h.example", "own.example"])
            try await first.withHosts { $0.remove("h.example") }
            #expect(try await names(store()) == ["own.example"])
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("short.example"))
            try await first.withHosts { $0.removeAll() }
            #expect(try await names(store()) == [])
            time.advance(by: .seconds(90))
        }
    }

    @Test("The hosts of the app are added to those of the file, within its limit")
    func adding() async throws {
        try await inFolder {
            let now = time.now
            try await store().withHosts { $0.insert("a.example", until: now + 10) }
            var own = StrictTransportHosts(maxHosts: 2)
            own.insert("b.example", until: now + 20)
            #expect(try await names(store(own)) == ["a.example", "b.example"])
            own.insert("c.example", until: now + 30)
            #expect(try await names(store(own)) == ["b.example", "c.example"])
        }
    }

    @Test("A response that changes the expiry by less than a sixteenth of the lifetime does not write the file")
    func writes() async throws {
        try await inFolder {
            let store = store(), url = URL(string: "https://h.example/")!
            func receive(_ field: String) async throws {
                let now = time.now
                try await store.withHosts { $0.receive(["Strict-Transport-Security": field], from: url, at: now) }
            }
            try await receive("max-age=1600")
            try FileManager.default.removeItem(at: file)
            time.advance(by: .seconds(10))
            try await receive("max-age=1600")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            time.advance(by: .seconds(100))
            try await receive("max-age=1600")
            #expect(FileManager.default.fileExists(atPath: file.path))
            try FileManager.default.removeItem(at: file)
            try await receive("max-age=1600; includeSubDomains")
            #expect(FileManager.default.fileExists(atPath: file.path))
            #expect(try await upgraded("http://a.h.example/", self.store()) != nil)
        }
    }

    @Test(
        "A damaged file is renamed and reported, and the store begins without hosts",
        arguments: ["", "[]", #"{"version":2,"hosts":[]}"#, #"{"version":1,"hosts":[{"name":"h.example"}]}"#])
    func damage(text: String) async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            let reports = Locked<[StateStoreError]>([])
            let store = FileStrictTransportStore(file, saveDelay: .zero, time: time) { error in reports.withLock { $0.append(error) } }
            let now = time.now
            try await store.withHosts { $0.insert("h.example", until: now + 10) }
            #expect(reports.withLock { $0 } == [.corrupt("")])
            #expect(try String(contentsOf: URL(fileURLWithPath: file.path + ".corrupt"), encoding: .utf8) == text)
            #expect(try await names(self.store()) == ["h.example"])
        }
    }

    @Test("An invalid name in the file is ignored")
    func invalidName() async throws {
        try await inFolder {
            let hosts = ["127.0.0.1", "a..b", "h.example"].map { name in
                StrictTransportHosts.Document.Host(name: name, includesSubdomains: false, expires: time.now.timeIntervalSince1970 + 9)
            }
            try StateFile(url: file).write(StrictTransportHosts.Document(hosts: hosts))
            #expect(try await names(store()) == ["h.example"])
        }
    }

    @Test("An unreadable file fails requests with http and not those with https; a failure to save is reported")
    func failures() async throws {
        try await inFolder {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            let transport = MockTransport { _ in .status(.noContent, headers: ["Strict-Transport-Security": "max-age=60"]) }
            let reports = Locked<[StateStoreError]>([])
            let interceptor = StrictTransportInterceptor(store: store()) { error in reports.withLock { $0.append(error) } }
            let client = HTTPClient(transport: transport, interceptors: [interceptor], time: time)
            let error = await #expect(throws: HTTPError.interceptorFailed("StrictTransportInterceptor")) {
                try await client.send(Request<EmptyResponse>.get(url: URL(string: "http://h.example/")!))
            }
            #expect(error?.context.underlying as? StateStoreError == .unavailable(""))
            #expect(transport.requests.isEmpty)
            try await client.send(Request<EmptyResponse>.get(url: URL(string: "https://h.example/")!))
            #expect(reports.withLock { $0 } == [.unavailable("")])
        }
    }
}
