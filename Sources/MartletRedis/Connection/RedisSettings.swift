internal import MartletCache

/// The address of a server.
enum RedisAddress: Sendable, Hashable {
    case host(String, port: Int)
    case socket(path: String)
}

/// The settings of the connections.
struct RedisSettings: Sendable {
    let place: RedisAddress
    let greeting: [RedisCommand]
    let connections: Int
    let connectTimeout: Duration
    let commandTimeout: Duration
    /// The time after a failure during which the server is not asked.
    let pause: Duration
    let limits: RESPParser.Limits
    let time: any TimeSource
    /// The maximum number of running and waiting calls.
    let waiting = 10_000
}
