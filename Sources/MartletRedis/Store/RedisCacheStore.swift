public import MartletCache
internal import MartletEssentials

/// A cache that a fleet of servers shares: kept in a Redis or Valkey server.
///
/// ```swift
/// let store = RedisCacheStore(host: "10.0.0.5")
/// let client = HTTPClient(baseURL: base, interceptors: [CacheInterceptor(store: store, mode: .shared)])
/// ```
///
/// What one server stores the others find at once. Each change is one step: nobody finds half of it. Small bodies come with their entries in
/// one round trip; larger ones are kept in pieces and read piece by piece, so that memory stays small however large they are. A body that has
/// lost a piece, because the server had no room, is not found, or ends with an error when it is lost while it is read.
///
/// Every key has a time to live, and ``removeAll()`` touches only keys of its own prefix. Let the server evict when it is full
/// (`maxmemory-policy allkeys-lru`); one that may not answers with `.full` instead.
///
/// The server is asked for nothing until the first call. When it is not there, a call fails with `.unavailable` or `.timeout`, and those of
/// the next second at once, without asking: a cache must not make slow what it is to make fast. One call then tries again. A cancelled call
/// ends at once, and may have been carried out.
///
/// It speaks plain TCP or a Unix socket, without TLS: the network between must be one you trust. It knows one server, not a cluster.
/// Redis since 5 and Valkey are fine.
public final class RedisCacheStore: CacheStore {
    let pool: RedisPool
    let layout: RedisLayout
    private let configuration: Configuration
    private let random: any RandomSource

    /// The longest head that is kept: with the largest number of variants one answer stays within the parser's limit.
    static let maxHeadBytes = 256 << 10
    /// How long readers who have begun may go on with a body that was replaced, in milliseconds.
    static let grace: Int64 = 60_000

    /// A store in a server that is reached by TCP.
    ///
    /// - Parameters:
    ///   - host: a name or an address. Default: 127.0.0.1.
    ///   - port: its port. Default: 6379.
    ///   - configuration: how. Default: as it says.
    ///   - time: what timeouts and pauses go by. Times to live are the server's.
    ///   - random: what names of bodies come from.
    public convenience init(
        host: String = "127.0.0.1", port: Int = 6379, configuration: Configuration = Configuration(), time: any TimeSource = .system,
        random: any RandomSource = .system
    ) {
        self.init(place: .host(host, port: port), configuration, time, random)
    }

    /// A store in a server that is reached by a Unix socket, which is faster on the same machine.
    ///
    /// - Parameters:
    ///   - path: the socket's file.
    ///   - configuration: how. Default: as it says.
    ///   - time: what timeouts and pauses go by. Times to live are the server's.
    ///   - random: what names of bodies come from.
    public convenience init(
        socket path: String, configuration: Configuration = Configuration(), time: any TimeSource = .system,
        random: any RandomSource = .system
    ) {
        self.init(place: .socket(path: path), configuration, time, random)
    }

    private init(place: RedisAddress, _ configuration: Configuration, _ time: any TimeSource, _ random: any RandomSource) {
        self.configuration = configuration
        self.random = random
        layout = RedisLayout(prefix: configuration.prefix)
        var greeting: [RedisCommand] = [], limits = RESPParser.Limits()
        if let password = configuration.password {
            greeting.append(RedisCommand(["AUTH"] + (configuration.user.map { [.text($0)] } ?? []) + [.text(password)]))
        }
        if configuration.database != 0 { greeting.append(RedisCommand("SELECT", .number(Int64(configuration.database)))) }
        // All variants of a key with the longest heads and the largest bodies that come with them, and some more.
        limits.bytes = 32 << 20
        pool = RedisPool(
            RedisSettings(
                place: place, greeting: greeting, connections: max(1, configuration.connections),
                connectTimeout: configuration.connectTimeout, commandTimeout: configuration.commandTimeout,
                pause: configuration.pauseAfterFailure, limits: limits, time: time))
    }

    /// Milliseconds to live.
    private var timeToLive: Int64 {
        // A century is enough, and no number overflows.
        let seconds = min(max(configuration.timeToLive, .seconds(1)), .seconds(100 * 365 * 86_400)).components
        return seconds.seconds * 1000 + seconds.attoseconds / 1_000_000_000_000_000
    }

    /// All responses that are stored whole for a key: one round trip, and for larger bodies one more for each piece that is read.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        let reply = try await pool.send(
            RedisCommand(
                script: RedisScripts.entries, keys: [layout.uri(key.uri), layout.variants(of: key)],
                arguments: [.text(layout.entries(of: key))]))
        guard case .array(let found) = reply else { throw RedisFailure.strangeAnswer }
        return found.compactMap { StoredParts($0)?.entry(for: key, pool) }
    }

    /// Begins to store a response; the server is told when the first piece of a larger body, or the whole of a small one, is there.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        let head = response.encoded
        guard head.count <= RedisCacheStore.maxHeadBytes, (length ?? 0) <= configuration.maxBodyBytes else { return nil }
        return RedisCacheWriter(
            response, head: head, maxBodyBytes: configuration.maxBodyBytes, timeToLive: timeToLive, name: random.uuid(), layout, pool)
    }

    /// Replaces the head of the stored response that has the same id and key, and begins its time to live anew.
    ///
    /// Throws `.full` for a head that is longer than 256 KiB.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) {
        let head = response.encoded, key = response.key
        guard head.count <= RedisCacheStore.maxHeadBytes else { throw CacheStoreError(.full, "the head is longer than may be kept") }
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.update, keys: [layout.uri(key.uri), layout.variants(of: key)],
                arguments: [
                    .text(layout.entries(of: key)), .text(response.id), .data(head), .text(layout.name(of: response.variant)),
                    .number(timeToLive), .number(RedisCacheStore.grace),
                ]))
    }

    /// Removes the response that has this one's id and key, if it is there.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.remove, keys: [layout.variants(of: response.key)],
                arguments: [.text(layout.entries(of: response.key)), .text(response.id), .number(RedisCacheStore.grace)]))
    }

    /// Removes all responses for a target URI, in whatever scope, in one step.
    public func removeAll(for uri: String) async throws(CacheStoreError) {
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.removeURI, keys: [layout.uri(uri)],
                arguments: [.text(layout.allVariants), .text(layout.allEntries), .number(RedisCacheStore.grace)]))
    }

    /// Removes every key that has this store's prefix and was there when it began, and no other.
    ///
    /// It looks at the server's keys a thousand at a time, so that others are served in between. What others store meanwhile may be removed
    /// or not. Throws `.failed` when the server does not come to an end of its keys.
    public func removeAll() async throws(CacheStoreError) {
        guard case .integer(let count) = try await pool.send(RedisCommand("DBSIZE")) else { throw RedisFailure.strangeAnswer }
        var cursor = "0"
        // A thousand at a time, and patience for tables that grow meanwhile.
        for _ in 0..<(max(0, min(count, 1 << 40)) / 250 + 1000) {
            let scan = RedisCommand("SCAN", .text(cursor), "MATCH", .text(layout.pattern), "COUNT", "1000")
            guard case .array(let reply) = try await pool.send(scan), reply.count == 2, case .bytes(let next) = reply[0],
                case .array(let found) = reply[1]
            else { throw RedisFailure.strangeAnswer }
            let names = found.compactMap { name in if case .bytes(let name) = name { RedisCommand.Word.data(Data(name)) } else { nil } }
            if !names.isEmpty { _ = try await pool.send(RedisCommand(["UNLINK"] + names)) }
            cursor = String(decoding: next, as: UTF8.self)
            if cursor == "0" { return }
        }
        throw CacheStoreError(.failed, "the server does not come to an end of its keys")
    }
}

extension RedisCacheStore: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// That it is one, and how it is set; no password.
    public var description: String { "RedisCacheStore(\(configuration))" }
}
