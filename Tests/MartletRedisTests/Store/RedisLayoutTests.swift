import Foundation
import MartletCache
import MartletResilience
import Testing

@testable import MartletRedis

@Suite("RedisLayout: keys and errors", .timeLimit(.minutes(5)))
struct RedisLayoutTests {
    private let layout = RedisLayout(prefix: "p:")

    @Test("Keys and variants that differ have different names")
    func names() {
        let keys = [("a", ""), ("", "a"), ("ab", "c"), ("a", "bc"), ("A", "")].map { CacheKey(uri: $0, scope: $1) }
        #expect(Set(keys.map(layout.name(of:))).count == keys.count)
        let variants: [CacheVariant] = [
            CacheVariant(), CacheVariant([.init(name: "a", value: nil)]), CacheVariant([.init(name: "a", value: "")]),
            CacheVariant([.init(name: "a", value: "b")]),
        ]
        #expect(Set(variants.map(layout.name(of:))).count == variants.count)
    }

    @Test("Names contain no URI and no scope, begin with the prefix, and match the pattern")
    func prefix() {
        let key = CacheKey(uri: "http://secret.test/", scope: "token")
        let names = [layout.uri(key.uri), layout.variants(of: key), layout.entries(of: key), layout.pieces(of: "w")]
        #expect(names.allSatisfy { $0.hasPrefix("p:") && !$0.contains("secret") && !$0.contains("token") })
        #expect(RedisLayout(prefix: "a*[b]?\\").pattern == "a\\*\\[b\\]\\?\\\\1:[ukeb]:*")
    }

    @Test("With one configuration for both, removing a store's keys keeps those of a state")
    func sameConfiguration() async throws {
        let server = ScriptedServer.answering { command in
            switch command[0] {
            case "SCAN": "*2\r\n$1\r\n0\r\n*0\r\n"
            case "EVAL" where command[1] == TrafficScripts.circuit: "*2\r\n:0\r\n:0\r\n"
            default: ":0\r\n"
            }
        }
        var configuration = RedisConfiguration()
        (configuration.prefix, configuration.commandTimeout, configuration.connectTimeout) = ("a[b", .seconds(30), .seconds(30))
        let state = RedisTrafficState(port: server.port, configuration: configuration)
        _ = await state.take(SharedPermissionClaim(interval: .seconds(1), burst: 1), of: "g")
        _ = await state.advance("g", by: .look, CircuitBreaker.Rules())
        try await RedisCacheStore(port: server.port, configuration: configuration).removeAll()
        let claim = try #require(await server.next()), look = try #require(await server.next())
        #expect(await server.next() == ["DBSIZE"])
        let pattern = try #require(await server.next()?.dropFirst(3).first)
        let layout = RedisLayout(prefix: "a[b"), key = CacheKey(uri: "u", scope: "s")
        let own = [layout.uri(key.uri), layout.variants(of: key), layout.entries(of: key) + "v", layout.pieces(of: "w") + "0"]
        let isRemoved = { (name: String) in fnmatch(pattern, name, 0) == 0 }
        #expect(own.allSatisfy(isRemoved) && ![claim[3], claim[4], look[3]].contains(where: isRemoved))
    }

    @Test("A configuration's description has what differs from the defaults")
    func description() {
        var configuration = RedisConfiguration()
        #expect("\(configuration)" == "default settings")
        (configuration.user, configuration.password, configuration.database) = ("ada", "s3cret", 7)
        (configuration.prefix, configuration.maxBodyBytes) = ("birds:", 100)
        #expect("\(configuration)" == "database 7, prefix birds:, max body bytes 100")
    }

    @Test(
        "A server's error determines the kind of the error, whose text contains only the first word",
        arguments: [
            ("OOM command not allowed when used memory > 'maxmemory'.", .full),
            ("ERR Error running script: @user_script:1: -OOM command not allowed when used memory", .full),
            ("NOAUTH Authentication required.", .unavailable), ("WRONGPASS invalid s3cret", .unavailable), ("NOPERM s3cret", .unavailable),
            ("LOADING Redis is loading", .unavailable), ("READONLY You can't write", .unavailable),
            ("ERR max number of clients reached", .unavailable), ("ERR unknown command 's3cret'", .failed), ("s3cret", .failed),
            ("", .failed),
        ] as [(String, CacheStoreError.Kind)])
    func errors(words: String, kind: CacheStoreError.Kind) {
        let error = RedisFailure.error(words)
        #expect(error.kind == kind)
        #expect(!error.detail.contains("s3cret"))
    }

    @Test("An error reply to the credentials means that the server is unavailable")
    func greetings() {
        #expect(RedisFailure.greeting("ERR invalid password s3cret").kind == .unavailable)
        #expect(!RedisFailure.greeting("ERR invalid password s3cret").detail.contains("s3cret"))
    }

    @Test("Each word of a command is preceded by its length, whatever it contains")
    func commands() {
        var bytes: [UInt8] = []
        RedisCommand("SET", .text("é\r\n"), .number(-5)).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "*3\r\n$3\r\nSET\r\n$4\r\né\r\n\r\n$2\r\n-5\r\n")
    }

    @Test("The checksum is that of gzip (RFC 1952 §8)")
    func checksum() {
        #expect(Array("123456789".utf8).withUnsafeBytes { CRC32.of($0) } == 0xCBF4_3926)
    }

    @Test("No description of a configuration or a store contains the user or the password")
    func secrets() {
        var configuration = RedisConfiguration()
        (configuration.user, configuration.password) = ("ada-l", "s3cret")
        let store = RedisCacheStore(configuration: configuration), state = RedisTrafficState(configuration: configuration)
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(store, to: &dumped)
        dump(state, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), "\(store)", String(reflecting: store), "\(state)", dumped] {
            #expect(!text.contains("s3cret") && !text.contains("ada-l"), "\(text)")
        }
    }
}
