import Foundation
import Martlet
import MartletConformance
import MartletRedis
import Testing

/// Runs Debian's redis-server, one per test.
@Suite("A store in Redis", .timeLimit(.minutes(3)))
struct RedisStoreTests {
    @Test("The store passes the conformance cases for cache stores", arguments: CacheStoreConformance.cases)
    func conforms(_ aCase: CacheStoreConformance.Case) async throws {
        let server = try await RedisServer.start()
        try await aCase.check { server.store { $0.maxBodyBytes = 64 << 20 } }
    }

    @Test("Random operations over TCP have the same results as on a dictionary, with several seeds", arguments: [2, 3, 4] as [UInt64])
    func models(seed: UInt64) async throws {
        let server = try await RedisServer.start()
        var options = CacheStoreConformance.Options()
        (options.seed, options.operations, options.timeLimit) = (seed, 1000, .seconds(120))
        let cases = CacheStoreConformance.cases.filter { $0.id.hasPrefix("model") }
        try #require(!cases.isEmpty)
        for aCase in cases { try await aCase.check(options: options) { RedisCacheStore(host: "127.0.0.1", port: server.port) } }
    }

    @Test("A store immediately sees what another store on the same server stored, replaced or removed")
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

    @Test("Stores with different prefixes or databases are separate, and removeAll keeps the keys of others")
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
        // Two body chunks, the entry, its set of variants, the record of its URI, and the key that is not the store's.
        #expect(try server.ask("DBSIZE") == "6")
    }

    @Test("Every key has a time to live, and an expired response is not found")
    func timeToLive() async throws {
        let server = try await RedisServer.start()
        let store = server.store { $0.timeToLive = .seconds(5) }
        try await StoredSample("one", bytes: 600_000).put(in: store)
        let dropped = try await store.writer(for: StoredSample("two").response, length: nil)
        _ = try await dropped?.write(Data(count: 600_000))
        let names = try server.ask("KEYS", "*").split(separator: "\n").map(String.init)
        #expect(names.count == 8)
        // -1 would mean no expiry. On a slow machine some keys may have expired already.
        for name in names { #expect(try server.ask("PTTL", name) != "-1", "\(name)") }
        for _ in 0..<500 where try await !store.found().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await store.found().isEmpty)
    }

    @Test("Removing by URI also removes responses that are missing in the server's index")
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
        // A response stored afterwards belongs to a new generation and is found.
        try await StoredSample("two", variant: "b").put(in: store)
        #expect(try await store.found().keys.sorted() == ["two"])
    }

    @Test("The chunks of a replaced or removed body expire within a minute")
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

    @Test("A key keeps 64 variants, including the newest")
    func variants() async throws {
        let server = try await RedisServer.start()
        let store = server.store()
        for index in 0..<80 {
            try await StoredSample("s\(index)", variant: "v\(index)").put(in: store)
            #expect(try await store.found()["s\(index)"] != nil)
        }
        #expect(try await store.found().count == 64)
    }

    @Test("A body with a missing chunk is not found, and losing or changing a chunk while reading is an error")
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

    @Test("Releasing an unfinished writer deletes its chunks")
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
