public import MartletCache
internal import MartletEssentials

/// The configuration of a ``RedisCacheStore`` or a ``RedisTrafficState``: credentials, names of keys, limits and timeouts.
///
/// ```swift
/// var configuration = RedisConfiguration()
/// configuration.password = ProcessInfo.processInfo.environment["REDIS_PASSWORD"]
/// let store = RedisCacheStore(host: "10.0.0.5", configuration: configuration)
/// let state = RedisTrafficState(host: "10.0.0.5", configuration: configuration)
/// ```
///
/// Both can have the same configuration: they never read or remove each other's keys. A property that is nil has the default of its user.
public struct RedisConfiguration: Sendable {
    /// The user name for a server with access control lists (ACL), or nil for the server's default user. Default: nil.
    public var user: String?
    /// The password of the server, or nil for none. Default: nil. Descriptions and errors never contain it.
    public var password: String?
    /// The number of the server's database that is used. Default: 0.
    public var database = 0
    /// The prefix of the names of all keys. Stores with the same prefix share their responses, and states their limits and circuits.
    /// Default: nil, `martlet:` for a store and `martlet-traffic:` for a state.
    public var prefix: String?
    /// The time for which an entry of a store is kept after it was stored or validated, or for which an unused limit or circuit is
    /// remembered, at least one second. Default: nil, 7 days for a store and 1 day for a state.
    ///
    /// A limit that was forgotten starts without a burst.
    public var timeToLive: Duration?
    /// The maximum length of a stored body in bytes; a response with a longer one is not stored. A state ignores it. Default: 8 MiB
    /// (8,388,608).
    public var maxBodyBytes = RedisConfiguration.defaultBodyBytes
    private static let defaultBodyBytes: Int64 = 8 << 20
    /// The maximum number of connections, at least one. Default: nil, 4 for a store and 2 for a state.
    public var connections: Int?
    /// The time limit for establishing a connection, including the name lookup and authentication. Default: nil, 1 second for a store and
    /// the `commandTimeout` for a state.
    public var connectTimeout: Duration?
    /// The time limit for a command, from the call to the complete reply. Default: nil, 2 seconds for a store and 250 ms for a state.
    public var commandTimeout: Duration?
    /// The time after a failure during which calls fail immediately. Default: nil, 1 second for a store and 250 ms for a state.
    public var pauseAfterFailure: Duration?

    /// Creates a configuration with the default values.
    public init() {}
}

extension RedisConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The settings that differ from the defaults, without the user and the password.
    public var description: String {
        let settings: [(name: String, value: Any?)] = [
            ("database", database == 0 ? nil : database), ("prefix", prefix), ("time to live", timeToLive),
            ("max body bytes", maxBodyBytes == RedisConfiguration.defaultBodyBytes ? nil : maxBodyBytes), ("connections", connections),
            ("connect timeout", connectTimeout), ("command timeout", commandTimeout), ("pause", pauseAfterFailure),
        ]
        let changed = settings.compactMap { setting in setting.value.map { "\(setting.name) \($0)" } }
        return changed.isEmpty ? "default settings" : changed.joined(separator: ", ")
    }
}
