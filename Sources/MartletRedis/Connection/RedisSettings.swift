internal import MartletCache

/// Where a server is.
enum RedisAddress: Sendable, Hashable {
    case host(String, port: Int)
    case socket(path: String)
}

/// What the connections need to know.
struct RedisSettings: Sendable {
    let place: RedisAddress
    let greeting: [RedisCommand]
    let connections: Int
    let connectTimeout: Duration
    let commandTimeout: Duration
    /// How long a server that failed is not asked.
    let pause: Duration
    let limits: RESPParser.Limits
    let time: any TimeSource
    /// How many calls may be under way or wait.
    let waiting = 10_000
}
