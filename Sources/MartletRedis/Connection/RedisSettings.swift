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

    /// Returns the commands with which a connection begins: the credentials and the choice of the database.
    static func greeting(user: String?, password: String?, database: Int) -> [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password { commands.append(RedisCommand(["AUTH"] + (user.map { [.text($0)] } ?? []) + [.text(password)])) }
        if database != 0 { commands.append(RedisCommand("SELECT", .number(Int64(database)))) }
        return commands
    }
}
