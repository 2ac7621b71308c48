public import MartletCache
internal import MartletEssentials

/// A cache store in a Redis or Valkey server, which several servers of an app share.
///
/// ```swift
/// let store = RedisCacheStore(host: "10.0.0.5")
/// let client = HTTPClient(baseURL: base, interceptors: [CacheInterceptor(store: store, isShared: true)])
/// ```
///
/// A response stored by one process is immediately visible to the others, and each change is atomic. Small bodies are loaded with their
/// entries in one round trip. Larger bodies are stored and read in pieces, so that they need little memory. If the server has evicted a
/// piece of a body, the response is not found, or its body ends with an error.
///
/// Every key has a time to live, and ``removeAll()`` removes only keys of stores with the same prefix. Let the server evict keys when it is
/// full (`maxmemory-policy allkeys-lru`); without eviction, storing fails with `.full`.
///
/// The first call opens the first connection. If the server is not available, a call fails with `.unavailable` or `.timeout`, and calls in
/// the following second (``RedisConfiguration/pauseAfterFailure``) fail immediately. After that, one call probes the server. A cancelled
/// call throws immediately; its command may still be executed.
///
/// The connection is plain TCP or a Unix domain socket without TLS, so the network must be trusted. The store supports a single server, not
/// a cluster: Redis 5 or later, or Valkey.
public final class RedisCacheStore: CacheStore {
    let pool: RedisPool
    let layout: RedisLayout
    private let configuration: RedisConfiguration
    private let random: any RandomSource

    /// The maximum length of a stored head. With the largest number of variants, a reply stays within the parser's limit.
    static let maxHeadBytes = 256 << 10
    /// The time in milliseconds for which current readers can still read a replaced body.
    static let grace: Int64 = 60_000

    /// Creates a store in a server that is reached over TCP. The first call connects.
    ///
    /// - Parameters:
    ///   - host: The host name or IP address. Default: 127.0.0.1.
    ///   - port: The port. Default: 6379.
    ///   - configuration: The credentials, limits and timeouts. Default: a ``RedisConfiguration`` with its defaults.
    ///   - time: The time source for timeouts and pauses. The server measures times to live. Default: the machine's clocks.
    ///   - random: The source of names for bodies. Default: the system's.
    public convenience init(
        host: String = "127.0.0.1", port: Int = 6379, configuration: RedisConfiguration = RedisConfiguration(),
        time: any TimeSource = .system,
        random: any RandomSource = .system
    ) {
        self.init(place: .host(host, port: port), configuration, time, random)
    }

    /// Creates a store in a server that is reached over a Unix domain socket, which is faster on the same machine. The first call connects.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - configuration: The credentials, limits and timeouts. Default: a ``RedisConfiguration`` with its defaults.
    ///   - time: The time source for timeouts and pauses. The server measures times to live. Default: the machine's clocks.
    ///   - random: The source of names for bodies. Default: the system's.
    public convenience init(
        socket path: String, configuration: RedisConfiguration = RedisConfiguration(), time: any TimeSource = .system,
        random: any RandomSource = .system
    ) {
        self.init(place: .socket(path: path), configuration, time, random)
    }

    private init(place: RedisAddress, _ configuration: RedisConfiguration, _ time: any TimeSource, _ random: any RandomSource) {
        self.configuration = configuration
        self.random = random
        layout = RedisLayout(prefix: configuration.prefix ?? "martlet:")
        // Enough for all variants of a key with the longest heads and the largest bodies that are stored with their entries.
        let limits = RESPParser.Limits(bytes: 32 << 20)
        pool = RedisPool(
            RedisSettings(
                place: place,
                greeting: RedisSettings.greeting(
                    user: configuration.user, password: configuration.password, database: configuration.database),
                connections: max(1, configuration.connections ?? 4), connectTimeout: configuration.connectTimeout ?? .seconds(1),
                commandTimeout: configuration.commandTimeout ?? .seconds(2), pause: configuration.pauseAfterFailure ?? .seconds(1),
                limits: limits, time: time))
    }

    /// The time to live in milliseconds.
    private var timeToLive: Int64 {
        // Limited to a century, so that no number overflows.
        let seconds = min(max(configuration.timeToLive ?? .seconds(7 * 24 * 3600), .seconds(1)), .seconds(100 * 365 * 86_400)).components
        return seconds.seconds * 1000 + seconds.attoseconds / 1_000_000_000_000_000
    }

    /// Returns all complete responses for a key with their bodies. Takes one round trip, and for larger bodies one more for each piece that
    /// is read.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        let reply = try await pool.send(
            RedisCommand(
                script: RedisScripts.entries, keys: [layout.uri(key.uri), layout.variants(of: key)],
                arguments: [.text(layout.entries(of: key))]))
        guard case .array(let found) = reply else { throw RedisFailure.strangeAnswer }
        return found.compactMap { StoredParts($0)?.entry(for: key, pool) }
    }

    /// Begins to store a response, and returns a writer for its body, or nil if the response is too large. The first complete piece of a
    /// larger body, or the end of a small one, is the first data that is sent.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        let head = response.encoded
        guard head.count <= RedisCacheStore.maxHeadBytes, (length ?? 0) <= configuration.maxBodyBytes else { return nil }
        return RedisCacheWriter(
            response, head: head, maxBodyBytes: configuration.maxBodyBytes, timeToLive: timeToLive, name: random.uuid(), layout, pool)
    }

    /// Replaces the head of the stored response with the same ID and key, if there is one, and restarts its time to live.
    ///
    /// - Throws: `.full` if the head is longer than 256 KiB.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) {
        let head = response.encoded, key = response.key
        guard head.count <= RedisCacheStore.maxHeadBytes else { throw CacheStoreError(.full, "the response's head exceeds 256 KiB") }
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.update, keys: [layout.uri(key.uri), layout.variants(of: key)],
                arguments: [
                    .text(layout.entries(of: key)), .text(response.id), .data(head), .text(layout.name(of: response.variant)),
                    .number(timeToLive), .number(RedisCacheStore.grace),
                ]))
    }

    /// Removes the stored response with the same ID and key, if there is one.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.remove, keys: [layout.variants(of: response.key)],
                arguments: [.text(layout.entries(of: response.key)), .text(response.id), .number(RedisCacheStore.grace)]))
    }

    /// Removes all responses for a target URI, in every scope, atomically.
    public func removeAll(for uri: String) async throws(CacheStoreError) {
        _ = try await pool.send(
            RedisCommand(
                script: RedisScripts.removeURI, keys: [layout.uri(uri)],
                arguments: [.text(layout.allVariants), .text(layout.allEntries), .number(RedisCacheStore.grace)]))
    }

    /// Removes every key that has this store's prefix and existed when the call began. Other keys are not touched.
    ///
    /// The call reads the server's keys a thousand at a time, so that other commands are served in between. Keys stored meanwhile may or
    /// may not be removed.
    ///
    /// - Throws: `.failed` if the server's iteration over its keys does not end.
    public func removeAll() async throws(CacheStoreError) {
        guard case .integer(let count) = try await pool.send(RedisCommand("DBSIZE")) else { throw RedisFailure.strangeAnswer }
        var cursor = "0"
        // A thousand at a time, with extra rounds for tables that grow meanwhile.
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
        throw CacheStoreError(.failed, "the server's iteration over its keys (SCAN) does not end")
    }
}

extension RedisCacheStore: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// The store with its configuration, without user and password.
    public var description: String { "RedisCacheStore(\(configuration))" }
}
