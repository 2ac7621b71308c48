public import MartletCache

extension RedisCacheStore {
    /// What a store may be told. Each has a default.
    public struct Configuration: Sendable {
        /// Who we are, for a server with users (ACL). Default: nil, the server's default user.
        public var user: String?
        /// The password. Default: nil, none. It is never in a description or an error.
        public var password: String?
        /// Which of the server's databases. Default: 0.
        public var database = 0
        /// What the names of all keys begin with: stores with the same prefix share their entries. Default: `martlet:`.
        public var prefix = "martlet:"
        /// How long an entry is kept after it was stored or validated; at least one second. Default: 7 days.
        public var timeToLive: Duration = .seconds(7 * 24 * 3600)
        /// The largest body that is kept, in bytes. Default: 8 MiB (8,388,608).
        public var maxBodyBytes: Int64 = 8 << 20
        /// How many connections there may be at a time; at least one. Default: 4.
        public var connections = 4
        /// How long a connection may take to come about, with looking up the host and telling the password. Default: 1 second.
        public var connectTimeout: Duration = .seconds(1)
        /// How long a command may take, from the call to the whole answer. Default: 2 seconds.
        public var commandTimeout: Duration = .seconds(2)
        /// How long a server that failed is not asked again: calls are `.unavailable` at once. Default: 1 second.
        public var pauseAfterFailure: Duration = .seconds(1)

        /// The defaults.
        public init() {}
    }
}

extension RedisCacheStore.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// What is set, without user and password.
    public var description: String {
        "database \(database), prefix \(prefix), entries live \(timeToLive), bodies up to \(maxBodyBytes) bytes, \(connections) connections"
    }
}
