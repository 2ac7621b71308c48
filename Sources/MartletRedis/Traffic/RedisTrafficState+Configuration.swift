public import MartletResilience

extension RedisTrafficState {
    /// The configuration of a shared state: credentials, names of keys and timeouts. Each property has a default.
    public struct Configuration: Sendable {
        /// The user name for a server with access control lists (ACL), or nil for the server's default user. Default: nil.
        public var user: String?
        /// The password of the server, or nil for none. Default: nil. Descriptions never contain it.
        public var password: String?
        /// The number of the server's database that is used. Default: 0.
        public var database = 0
        /// The prefix of the names of all keys. Processes with the same prefix share their state. Default: `martlet-traffic:`.
        ///
        /// It must differ from that of a ``RedisCacheStore`` in the same database, whose ``RedisCacheStore/removeAll()`` removes all its
        /// keys.
        public var prefix = "martlet-traffic:"
        /// The time for which an unused limit or circuit is remembered, at least one second. Default: 1 day. A limit that was forgotten
        /// starts without a burst.
        public var timeToLive: Duration = .seconds(86_400)
        /// The maximum number of connections, at least one. Default: 2.
        public var connections = 2
        /// The time limit for an operation, from the call to the complete reply, and for establishing a connection. Default: 250 ms.
        public var commandTimeout: Duration = .milliseconds(250)
        /// The time after a failure during which operations fail immediately. Default: 250 ms.
        public var pauseAfterFailure: Duration = .milliseconds(250)

        /// Creates a configuration with the default values.
        public init() {}
    }
}

extension RedisTrafficState.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The settings without the user and the password.
    public var description: String {
        "database \(database), prefix \(prefix), time to live \(timeToLive), \(connections) connections, timeout \(commandTimeout)"
    }
}
