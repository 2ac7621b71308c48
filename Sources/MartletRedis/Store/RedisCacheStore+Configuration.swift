public import MartletCache

extension RedisCacheStore {
    /// The configuration of a store: credentials, names of keys, limits and timeouts. Each property has a default.
    public struct Configuration: Sendable {
        /// The user name for a server with access control lists (ACL), or nil for the server's default user. Default: nil.
        public var user: String?
        /// The password of the server, or nil for none. Default: nil. Descriptions and errors never contain it.
        public var password: String?
        /// The number of the server's database that the store uses. Default: 0.
        public var database = 0
        /// The prefix of the names of all keys that the store writes. Stores with the same prefix share their entries. Default: `martlet:`.
        public var prefix = "martlet:"
        /// The time for which an entry is kept after it was stored or validated, at least one second. Default: 7 days.
        public var timeToLive: Duration = .seconds(7 * 24 * 3600)
        /// The maximum length of a stored body in bytes; a response with a longer one is not stored. Default: 8 MiB (8,388,608).
        public var maxBodyBytes: Int64 = 8 << 20
        /// The maximum number of connections, at least one. Default: 4.
        public var connections = 4
        /// The time limit for establishing a connection, including the name lookup and authentication. Default: 1 second.
        public var connectTimeout: Duration = .seconds(1)
        /// The time limit for a command, from the call to the complete reply. Default: 2 seconds.
        public var commandTimeout: Duration = .seconds(2)
        /// The time after a failure during which calls fail immediately with `.unavailable`. Default: 1 second.
        public var pauseAfterFailure: Duration = .seconds(1)

        /// Creates a configuration with the default values.
        public init() {}
    }
}

extension RedisCacheStore.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The settings without the user and the password.
    public var description: String {
        "database \(database), prefix \(prefix), time to live \(timeToLive), bodies up to \(maxBodyBytes) bytes, \(connections) connections"
    }
}
