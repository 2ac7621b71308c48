import Foundation
import Martlet
import MartletRedis
import MartletTesting
import Testing

/// Tests with a redis-server that is down, hanging or full, or that refuses the credentials.
@Suite("A store in Redis: failures", .timeLimit(.minutes(3)))
struct RedisFailureTests {
    private func failure(_ body: () async throws -> Void) async -> CacheStoreError? {
        do {
            try await body()
            return nil
        } catch { return error as? CacheStoreError }
    }

    @Test("A killed server causes errors, and the store works again after a restart")
    func killed() async throws {
        let server = try await RedisServer.start()
        let store = server.store(), sample = StoredSample("one", bytes: 300_000)
        try await sample.put(in: store)
        let writer = try #require(try await store.writer(for: StoredSample("two").response, length: nil))
        _ = try await writer.write(Data(count: 600_000))
        let body = try #require(try await store.entries(for: sample.response.key).first).body
        server.kill()
        #expect(await failure { _ = try await store.found() }?.kind == .unavailable)
        #expect(await failure { _ = try await writer.write(Data(count: 600_000)) }?.kind == .unavailable)
        #expect(await failure { try await writer.finish() }?.kind == .unavailable)
        await #expect(throws: HTTPError.self) { try await body.collect() }
        try await server.start()
        #expect(try await store.found().isEmpty)
        try await sample.put(in: store)
        #expect(try await store.found() == ["one": sample.body])
    }

    @Test("A restart of the server between two calls makes no call fail")
    func restarted() async throws {
        let server = try await RedisServer.start()
        let store = server.store { $0.connections = 8 }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { _ = try? await store.found() } }
        }
        server.kill()
        try await server.start()
        for _ in 0..<20 { #expect(try await store.found().isEmpty) }
    }

    @Test("A hanging server causes a timeout, and then the store pauses")
    func hung() async throws {
        let server = try await RedisServer.start()
        let store = server.store { ($0.commandTimeout, $0.pauseAfterFailure) = (.milliseconds(200), .seconds(600)) }
        try await StoredSample("one").put(in: store)
        server.hang(true)
        #expect(await failure { _ = try await store.found() }?.kind == .timeout)
        for _ in 0..<1000 { #expect(await failure { _ = try await store.found() }?.kind == .unavailable) }
        server.hang(false)
    }

    @Test("The store authenticates with a password or a user, and no error or description shows the password")
    func passwords() async throws {
        let server = try await RedisServer.start("--requirepass", "open sesame", "--user", "ada", "on", ">s3cret", "~*", "&*", "+@all")
        let sample = StoredSample("one")
        try await sample.put(in: server.store { $0.password = "open sesame" })
        #expect(try await server.store { ($0.user, $0.password) = ("ada", "s3cret") }.found() == ["one": sample.body])
        let wrong = server.store { ($0.user, $0.password) = ("ada", "wr0ng-word") }
        let refused = try #require(await failure { _ = try await wrong.found() })
        #expect(refused.kind == .unavailable)
        #expect(refused.detail.contains("WRONGPASS"))
        #expect(!"\(refused) \(wrong) \(String(reflecting: wrong))".contains("wr0ng"))
        let none = try #require(await failure { _ = try await server.store().found() })
        #expect(none.kind == .unavailable)
        #expect(none.detail.contains("NOAUTH"))
    }

    @Test("An unexpected password and an unknown database are errors")
    func refusedGreetings() async throws {
        let server = try await RedisServer.start()
        #expect(await failure { _ = try await server.store { $0.password = "x" }.found() }?.kind == .unavailable)
        #expect(await failure { _ = try await server.store { $0.database = 99 }.found() }?.kind == .unavailable)
    }

    @Test("A full server causes the error full, keeps stored responses, and accepts more after removals")
    func full() async throws {
        let server = try await RedisServer.start("--maxmemory", "3mb", "--maxmemory-policy", "noeviction")
        let store = server.store(), first = StoredSample("first", bytes: 1000)
        try await first.put(in: store)
        var error: CacheStoreError?
        for index in 0..<40 where error == nil {
            error = await failure { try await StoredSample("s\(index)", uri: "http://birds.test/\(index)", bytes: 300_000).put(in: store) }
        }
        #expect(error?.kind == .full)
        error = nil
        for index in 0..<5000 where error == nil {
            error = await failure { try await StoredSample("t\(index)", uri: "http://birds.test/t\(index)", bytes: 5000).put(in: store) }
        }
        #expect(error?.kind == .full)
        #expect(try await store.found() == ["first": first.body])
        try await store.removeAll()
        try await first.put(in: store)
        #expect(try await store.found() == ["first": first.body])
    }

    @Test("A server that evicts keys never returns an incomplete body")
    func evicting() async throws {
        let server = try await RedisServer.start("--maxmemory", "6mb", "--maxmemory-policy", "allkeys-random")
        let store = server.store()
        var found = 0
        for index in 0..<60 {
            let sample = StoredSample("s\(index)", uri: "http://birds.test/\(index % 20)", bytes: 1000 + index * 8000)
            _ = await failure { try await sample.put(in: store) }
            for earlier in 0..<20 where earlier % 4 == index % 4 {
                for entry in try await store.entries(for: CacheKey(uri: "http://birds.test/\(earlier)")) {
                    guard let body = try? await entry.body.collect() else { continue }
                    found += 1
                    let bytes = 1000 + (Int(entry.response.id.dropFirst()) ?? 0) * 8000
                    #expect(body == StoredSample("", bytes: bytes).body)
                }
            }
        }
        #expect(found > 0)
    }

    @Test("Cancelled callers return immediately even if the server hangs, and the store stays usable")
    func cancelled() async throws {
        let server = try await RedisServer.start()
        let store = server.store { ($0.commandTimeout, $0.connections) = (.seconds(60), 1) }
        _ = try await store.found()
        server.hang(true)
        let calls = (0..<20).map { _ in Task { await failure { _ = try await store.found() } } }
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value?.kind == .cancelled) }
        server.hang(false)
        try await StoredSample("one").put(in: store)
        #expect(try await store.found().count == 1)
    }

    @Test("An unreachable port or socket is the error unavailable")
    func nobody() async throws {
        let server = try await RedisServer.start()
        server.kill()
        let byPort = await failure { _ = try await RedisCacheStore(port: server.port).found() }
        #expect(byPort?.kind == .unavailable)
        #expect(byPort?.detail.contains("refused") == true)
        #expect(await failure { _ = try await RedisCacheStore(socket: "/nowhere/redis.sock").found() }?.kind == .unavailable)
        let long = String(repeating: "x", count: 500)
        #expect(await failure { _ = try await RedisCacheStore(socket: long).found() }?.kind == .unavailable)
    }
}
