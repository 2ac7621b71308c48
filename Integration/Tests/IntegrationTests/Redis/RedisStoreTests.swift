import Foundation
import Martlet
import MartletConformance
import MartletRedis
import Testing

/// Debian's redis-server, one for each test.
@Suite("A store in Redis", .timeLimit(.minutes(3)))
struct RedisStoreTests {
    @Test("It does what every store owes the cache", arguments: CacheStoreConformance.cases)
    func conforms(_ aCase: CacheStoreConformance.Case) async throws {
        let server = try await RedisServer.start()
        try await aCase.check { server.store { $0.maxBodyBytes = 64 << 20 } }
    }

    @Test("Random operations end as those on a dictionary do, by TCP and with other chance", arguments: [2, 3, 4] as [UInt64])
    func models(seed: UInt64) async throws {
        let server = try await RedisServer.start()
        var options = CacheStoreConformance.Options()
        (options.seed, options.operations, options.timeLimit) = (seed, 1000, .seconds(120))
        let cases = CacheStoreConformance.cases.filter { $0.id.hasPrefix("model") }
        try #require(!cases.isEmpty)
        for aCase in cases { try await aCase.check(options: options) { RedisCacheStore(host: "127.0.0.1", port: server.port) } }
    }

    @Test("What one server of a fleet stores, changes and removes, another finds so at once")
    func shared() async throws {
        let server = try await RedisServer.start()
        let one = server.store(), other = RedisCacheStore(host: "localhost", port: server.port)
        let small = StoredSample("small"), large = StoredSample("large", variant: "image/png", bytes: 900_000)
        try await small.put(in: one)
        try await large.put(in: one)
        #expect(try await other.found() == ["small": small.body, "large": large.body])
        try await other.remove(small.response)
        #expect(try await one.found() == ["large": large.body])
        try await StoredSample("newer", variant: "image/png").put(in: other)
        #expect(try await one.found().keys.sorted() == ["newer"])
        try await one.removeAll(for: small.response.key.uri)
        #expect(try await other.found().isEmpty)
    }

    @Test("Stores with another prefix or in another database are apart, and removing everything leaves what others keep there")
    func apart() async throws {
        let server = try await RedisServer.start()
        let ours = server.store { $0.prefix = "a*[b]?\\:" }, theirs = server.store { $0.prefix = "axb:" }
        let elsewhere = server.store { ($0.prefix, $0.database) = ("a*[b]?\\:", 3) }
        for store in [ours, theirs, elsewhere] { try await StoredSample("one", bytes: 300_000).put(in: store) }
        _ = try server.ask("SET", "somebody", "else")
        for index in 0..<2500 { try await StoredSample("s\(index)", uri: "http://birds.test/\(index)").put(in: ours) }
        try await ours.removeAll()
        #expect(try await ours.found().isEmpty)
        #expect(try await ours.found(CacheKey(uri: "http://birds.test/7")).isEmpty)
        #expect(try await theirs.found().count == 1)
        #expect(try await elsewhere.found().count == 1)
        #expect(try server.ask("GET", "somebody") == "else")
        // Two pieces, the entry, its set of variants and what is said of its URI; and what is somebody else's.
        #expect(try server.ask("DBSIZE") == "6")
    }

    @Test("Every key has its time to live, and what has lived so long is not found")
    func timeToLive() async throws {
        let server = try await RedisServer.start()
        let store = server.store { $0.timeToLive = .seconds(5) }
        try await StoredSample("one", bytes: 600_000).put(in: store)
        let dropped = try await store.writer(for: StoredSample("two").response, length: nil)
        _ = try await dropped?.write(Data(count: 600_000))
        let names = try server.ask("KEYS", "*").split(separator: "\n").map(String.init)
        #expect(names.count == 8)
        // -1 would be for ever; on a slow machine some may be over already.
        for name in names { #expect(try server.ask("PTTL", name) != "-1", "\(name)") }
        for _ in 0..<500 where try await !store.found().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await store.found().isEmpty)
    }

    @Test("Removing by a URI takes also what the server's index does not name any more")
    func lostIndex() async throws {
        let server = try await RedisServer.start()
        let store = server.store(), sample = StoredSample("one")
        try await sample.put(in: store)
        let index = try server.ask("KEYS", "*1:u:*")
        for name in try server.ask("HKEYS", index).split(separator: "\n") where name != "g" {
            #expect(try server.ask("HDEL", index, String(name)) == "1")
        }
        #expect(try await store.found().count == 1)
        try await store.removeAll(for: sample.response.key.uri)
        #expect(try await store.found().isEmpty)
        // And what is stored after it is of another generation.
        try await StoredSample("two", variant: "b").put(in: store)
        #expect(try await store.found().keys.sorted() == ["two"])
    }

    @Test("What was replaced or removed leaves nothing but the pieces of its body, for a minute")
    func leftovers() async throws {
        let server = try await RedisServer.start()
        let store = server.store(), sample = StoredSample("one", bytes: 600_000)
        let endings: [() async throws -> Void] = [
            { try await StoredSample("two").put(in: store) }, { try await store.remove(sample.response) },
            { try await store.removeAll(for: sample.response.key.uri) },
        ]
        for end in endings {
            try await sample.put(in: store)
            let pieces = try server.ask("KEYS", "*1:b:*").split(separator: "\n").map(String.init)
            #expect(pieces.count == 3)
            for name in pieces { #expect(try (Int(server.ask("PTTL", name)) ?? 0) > 60_000) }
            try await end()
            for name in pieces { #expect(try (0...60_000).contains(Int(server.ask("PTTL", name)) ?? -1)) }
            try await store.removeAll()
        }
    }

    @Test("A key keeps sixty-four variants, and its newest among them")
    func variants() async throws {
        let server = try await RedisServer.start()
        let store = server.store()
        for index in 0..<80 {
            try await StoredSample("s\(index)", variant: "v\(index)").put(in: store)
            #expect(try await store.found()["s\(index)"] != nil)
        }
        #expect(try await store.found().count == 64)
    }

    @Test("A body that has lost a piece is not found; one that loses it while it is read ends with an error, and so does a changed one")
    func pieces() async throws {
        let server = try await RedisServer.start()
        let store = server.store(), sample = StoredSample("one", bytes: 900_000)
        try await sample.put(in: store)
        let names = try server.ask("KEYS", "*1:b:*").split(separator: "\n").map(String.init).sorted()
        try #require(names.count == 4)
        let body = try #require(try await store.entries(for: sample.response.key).first).body
        _ = try server.ask("SETRANGE", names[2], "1000", "changed")
        await #expect(throws: HTTPError.self) { try await body.collect() }
        try await sample.put(in: store)
        for length in ["899999", "900001"] {
            _ = try server.ask("HSET", server.ask("KEYS", "*1:e:*"), "n", length)
            let wrong = try #require(try await store.entries(for: sample.response.key).first).body
            await #expect(throws: HTTPError.self) { try await wrong.collect() }
        }
        try await sample.put(in: store)
        let again = try #require(try await store.entries(for: sample.response.key).first).body
        for name in try server.ask("KEYS", "*1:b:*:3").split(separator: "\n") { _ = try server.ask("DEL", String(name)) }
        await #expect(throws: HTTPError.self) { try await again.collect() }
        #expect(try await store.found().isEmpty)
    }

    @Test("A writer that is let go of takes its pieces with it")
    func dropped() async throws {
        let server = try await RedisServer.start()
        let store = server.store()
        do {
            let writer = try await store.writer(for: StoredSample("one").response, length: nil)
            _ = try await writer?.write(Data(count: 600_000))
            #expect(try server.ask("DBSIZE") == "2")
        }
        for _ in 0..<200 where try server.ask("DBSIZE") != "0" { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try server.ask("DBSIZE") == "0")
    }
}
