internal import MartletCache
internal import MartletEssentials
public import MartletResilience
internal import MartletSystem

/// The state of rate limits and circuit breakers in a Redis or Valkey server, which the processes of a fleet share.
///
/// ```swift
/// let state = RedisTrafficState(host: "10.0.0.5")
/// let limiter = RateLimiter(.perSecond(100, burst: 10), shared: .init("prices", in: state))
/// let breaker = CircuitBreaker(shared: .init("prices", in: state))
/// ```
///
/// Each operation is one script, which is atomic and uses the server's clock. Names of limits and groups are stored as digests.
/// `RateLimiter` and `CircuitBreaker` describe what they share, and what they do while the server is down.
///
/// The server must not evict keys (`maxmemory-policy noeviction` or a `volatile` policy with enough memory): an evicted limit starts again
/// without a burst. Its wall clock must not jump. A step forward by a time t gives at most rate · t more permissions, and never more than
/// one burst. After a step back, a limit with an empty bucket starts again.
///
/// The first operation opens the first connection. After a failure, operations in the next ``Configuration/pauseAfterFailure`` fail
/// immediately, and then one probes the server. The connection is plain TCP or a Unix domain socket without TLS, so the network must be
/// trusted. A single server is supported, not a cluster: Redis 5 or later, or Valkey.
public final class RedisTrafficState: SharedTrafficState {
    private let pool: RedisPool
    private let layout: TrafficLayout
    private let configuration: Configuration
    private let failure = Locked<String?>(nil)

    /// Creates a state in a server that is reached over TCP. The first operation connects.
    ///
    /// - Parameters:
    ///   - host: The host name or IP address. Default: 127.0.0.1.
    ///   - port: The port. Default: 6379.
    ///   - configuration: The credentials and timeouts. Default: the defaults of ``Configuration``.
    ///   - time: The clock for timeouts and pauses. Default: the machine's.
    public convenience init(
        host: String = "127.0.0.1", port: Int = 6379, configuration: Configuration = Configuration(), time: any TimeSource = .system
    ) {
        self.init(place: .host(host, port: port), configuration, time)
    }

    /// Creates a state in a server that is reached over a Unix domain socket. The first operation connects.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - configuration: The credentials and timeouts. Default: the defaults of ``Configuration``.
    ///   - time: The clock for timeouts and pauses. Default: the machine's.
    public convenience init(
        socket path: String, configuration: Configuration = Configuration(), time: any TimeSource = .system
    ) {
        self.init(place: .socket(path: path), configuration, time)
    }

    private init(place: RedisAddress, _ configuration: Configuration, _ time: any TimeSource) {
        self.configuration = configuration
        layout = TrafficLayout(prefix: configuration.prefix)
        var limits = RESPParser.Limits()
        limits.bytes = 64 << 10
        pool = RedisPool(
            RedisSettings(
                place: place,
                greeting: RedisSettings.greeting(
                    user: configuration.user, password: configuration.password, database: configuration.database),
                connections: max(1, configuration.connections), connectTimeout: configuration.commandTimeout,
                commandTimeout: configuration.commandTimeout, pause: configuration.pauseAfterFailure, limits: limits, time: time))
    }

    /// The sum of ``Configuration/commandTimeout`` and ``Configuration/pauseAfterFailure``. Default: 500 ms.
    public var maxDelay: Duration { configuration.commandTimeout + configuration.pauseAfterFailure }

    /// The failure of the last operation, or nil if it succeeded. For a health page.
    public var lastFailure: String? { failure.withLock { $0 } }

    /// Takes a permission, if the rate allows it now.
    public func take(_ claim: SharedPermissionClaim, of group: String) async -> SharedPermission {
        let interval = max(1, claim.interval.microseconds), hold = claim.hold.microseconds
        let toFill = Double(interval) * Double(claim.burst) + Double(hold)
        let reply = await send(
            RedisCommand(
                script: TrafficScripts.take, keys: [layout.bucket(group), layout.pause(group)],
                arguments: [
                    .number(interval), .number(Int64(claim.burst)), .number(hold), .number(Int64(claim.spent)),
                    .number(timeToLive(after: toFill)),
                ]))
        guard case .integer(let wait) = reply, wait >= 0 else { return .unavailable }
        return wait == 0 ? .taken : .wait(.microseconds(wait))
    }

    /// Lets no process take a permission of the group for a time.
    public func pause(_ group: String, for duration: Duration) async {
        let milliseconds = duration.microseconds / 1000 + 1
        _ = await send(RedisCommand(script: TrafficScripts.pause, keys: [layout.pause(group)], arguments: [.number(milliseconds)]))
    }

    /// Changes or reads the circuit of a group, and returns its state after that.
    public func advance(_ group: String, by step: SharedCircuitStep, _ rules: CircuitBreaker.Rules) async -> SharedCircuit {
        let (word, probe) = TrafficLayout.words(for: step), open = max(1_000, rules.openDuration.microseconds)
        let reply = await send(
            RedisCommand(
                script: TrafficScripts.circuit, keys: [layout.circuit(group)],
                arguments: [
                    .text(word), .number(open), .number(Int64(max(1, rules.probes))), .number(probe),
                    .number(timeToLive(after: Double(open))),
                ]))
        guard case .array(let values) = reply, values.count == 2, case .integer(let kind) = values[0],
            case .integer(let number) = values[1],
            number >= 0
        else { return .unavailable }
        switch kind {
        case 0: return .unknown
        case 1: return .closed(ago: .microseconds(number))
        case 2: return .open(for: .microseconds(number))
        case 3: return .probe(number)
        default: return .unavailable
        }
    }

    /// Returns the time to live in milliseconds of a key that changes by itself for a number of microseconds, at most a century.
    private func timeToLive(after microseconds: Double) -> Int64 {
        let century: Int64 = 100 * 365 * 86_400_000
        return min(century, Int64(min(microseconds / 1000, Double(century))) + max(1000, configuration.timeToLive.microseconds / 1000))
    }

    /// Sends a command and returns the reply, or nil if it failed.
    private func send(_ command: @autoclosure () -> RedisCommand) async -> RESPValue? {
        do throws(CacheStoreError) {
            let reply = try await pool.send(command())
            failure.withLock { $0 = nil }
            return reply
        } catch {
            if error.kind != .cancelled { failure.withLock { $0 = error.description } }
            return nil
        }
    }
}

extension RedisTrafficState: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// The state with its configuration, without user and password.
    public var description: String { "RedisTrafficState(\(configuration))" }
}

extension Duration {
    /// The duration in microseconds, rounded up, at most a century and at least zero.
    var microseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(100 * 365 * 86_400)).components
        return seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000
    }
}
