import Foundation
import Martlet
import MartletRedis
import Testing

/// A redis-server for one test, on a Unix socket in a temporary folder and on a free port of 127.0.0.1. It ends on deinit.
final class RedisServer: @unchecked Sendable {
    // Safe without a lock: a test uses its server in one task at a time.
    private let folder: ToolFolder
    private let arguments: [String]
    private var process: Process?
    let port: Int

    var socket: String { folder.file("redis.sock").path }

    /// Starts a server without persistence, with additional arguments.
    static func start(_ arguments: String...) async throws -> RedisServer {
        let server = try RedisServer(arguments)
        try await server.start()
        return server
    }

    private init(_ arguments: [String]) throws {
        folder = try ToolFolder()
        port = try RedisServer.freePort()
        self.arguments = arguments
    }

    deinit { kill() }

    func start() async throws {
        let process = Process()
        let program = try #require(ProcessInfo.processInfo.environment["MARTLET_REDIS"], "run these tests by scripts/integration")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments =
            [
                "--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", socket, "--dir", folder.url.path, "--save", "", "--appendonly",
                "no",
            ] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
        for _ in 0..<500 {
            var configuration = RedisConfiguration()
            configuration.pauseAfterFailure = .zero
            do {
                _ = try await RedisCacheStore(socket: socket, configuration: configuration).entries(for: CacheKey(uri: "none"))
                return
            } catch { if error.detail.contains("NOAUTH") { return } }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("redis-server does not respond after 10 s")
    }

    /// Kills the server without warning, like a machine that fails. It can be started again.
    func kill() {
        guard let process else { return }
        // SIGKILL, because the server inherits the blocked signals of the thread that started it.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Suspends the server, which then hangs, or resumes it.
    func hang(_ hangs: Bool) {
        if let process { Foundation.kill(process.processIdentifier, hangs ? SIGSTOP : SIGCONT) }
    }

    /// Runs a command with redis-cli and returns its output.
    func ask(_ words: String...) throws -> String {
        let process = Process(), output = Pipe()
        let program = try #require(ProcessInfo.processInfo.environment["MARTLET_REDIS_CLI"], "run these tests by scripts/integration")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-s", socket] + words
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns a store that uses this server's socket.
    func store(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisCacheStore {
        var configuration = RedisConfiguration()
        configuration.pauseAfterFailure = .zero
        change(&configuration)
        return RedisCacheStore(socket: socket, configuration: configuration)
    }

    /// Returns a shared state of limits and circuits that uses this server's socket.
    func traffic() -> RedisTrafficState {
        var configuration = RedisConfiguration()
        configuration.pauseAfterFailure = .zero
        configuration.commandTimeout = .seconds(10)
        return RedisTrafficState(socket: socket, configuration: configuration)
    }

    private static func freePort() throws -> Int {
        let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// A response with a body that tests store and compare.
struct StoredSample {
    let response: StoredResponse
    let body: Data

    private static let bytes = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })

    init(_ id: String, uri: String = "http://birds.test/", scope: String = "", variant: String? = nil, bytes: Int = 100) {
        response = StoredResponse(
            id: id, key: CacheKey(uri: uri, scope: scope), varying: variant.map { ["accept": $0] } ?? [:], status: .ok,
            headers: ["ETag": "\"\(id)\""], requestTime: Date(timeIntervalSince1970: 1), responseTime: Date(timeIntervalSince1970: 2))
        body = StoredSample.bytes.prefix(bytes)
    }

    @discardableResult
    func put(in store: RedisCacheStore) async throws -> Bool {
        guard let writer = try await store.writer(for: response, length: Int64(body.count)), try await writer.write(body) else {
            return false
        }
        try await writer.finish()
        return true
    }
}

extension RedisCacheStore {
    /// Returns the bodies of the stored responses by their IDs.
    func found(_ key: CacheKey = CacheKey(uri: "http://birds.test/")) async throws -> [String: Data] {
        var found: [String: Data] = [:]
        for entry in try await entries(for: key) { found[entry.response.id] = try await entry.body.collect() }
        return found
    }
}
