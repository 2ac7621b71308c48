internal import MartletCache
internal import MartletEssentials
public import MartletResilience
internal import MartletSystem

/// The state of rate limits and circuit breakers in a Redis or Valkey server, which the processes of a fleet share.
///
/// ```swift
/// let state = RedisTrafficState(host: "10.0.0.5")
/// let limiter = RateLimiter(.perSecond(100, burst: 10), sharedAs: "prices", in: state)
/// let breaker = CircuitBreaker(sharedAs: "prices", in: state)
/// ```
///
/// Each operation is one script, which is atomic and uses the server's clock. Names of limits and groups are stored as digests.
/// `RateLimiter` and `CircuitBreaker` describe what they share, and what they do while the server is down.
///
/// The server must not evict keys (`maxmemory-policy noeviction` or a `volatile` policy with enough memory): an evicted limit starts again
/// without a burst. Its wall clock must not jump. A step forward by a time t gives at most rate · t more permissions, and never more than
/// one burst. After a step back, a limit with an empty bucket starts again.
///
/// The first operation opens the first connection. After a failure, operations in the next ``RedisConfiguration/pauseAfterFailure`` fail
/// immediately, and then one probes the server. The connection is plain TCP or a Unix domain socket without TLS, so the network must be
/// trusted. A single server is supported, not a cluster: Redis 5 or later, or Valkey.
public final class RedisTrafficState: SharedTrafficState {
    private let pool: RedisPool
    private let layout: TrafficLayout
    private let configuration: RedisConfiguration
    private let failure = Locked<String?>(nil)

    /// Creates a state in a server that is reached over TCP. The first operation connects.
    ///
    /// - Parameters:
    ///   - host: The host name or IP address. Default: 127.0.0.1.
    ///   - port: The port. Default: 6379.
    ///   - configuration: The credentials and timeouts. Default: a ``RedisConfiguration`` with its defaults.
    ///   - time: The clock for timeouts and pauses. Default: the machine's.
    public convenience init(
        host: String = "127.0.0.1", port: Int = 6379, configuration: RedisConfiguration = RedisConfiguration(),
        time: any TimeSource = .system
    ) {
        self.init(place: .host(host, port: port), configuration, time)
    }

    /// Creates a state in a server that is reached over a Unix domain socket. The first operation connects.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - configuration: The credentials and timeouts. Default: a ``RedisConfiguration`` with its defaults.
    ///   - time: The clock for timeouts and pauses. Default: the machine's.
    public convenience init(
        socket path: String, configuration: RedisConfiguration = RedisConfiguration(), time: any TimeSource = .system
    ) {
        self.init(place: .socket(path: path), configuration, time)
    }

    private init(place: RedisAddress, _ configuration: RedisConfiguration, _ time: any TimeSource) {
        self.configuration = configuration
        layout = TrafficLayout(prefix: configuration.prefix ?? "martlet-traffic:")
        let timeout = configuration.commandTimeout ?? .milliseconds(250), pause = configuration.pauseAfterFailure ?? .milliseconds(250)
        maxDelay = timeout + pause
        pool = RedisPool(
            RedisSettings(
                place: place,
                greeting: RedisSettings.greeting(
                    user: configuration.user, password: configuration.password, database: configuration.database),
                connections: max(1, configuration.connections ?? 2), connectTimeout: configuration.connectTimeout ?? timeout,
                commandTimeout: timeout, pause: pause,
                limits: RESPParser.Limits(bytes: 64 << 10), time: time))
    }

    /// The sum of ``RedisConfiguration/commandTimeout`` and ``RedisConfiguration/pauseAfterFailure``. Default: 500 ms.
    public let maxDelay: Duration

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
            case .integer(let number) = values[1], number >= 0
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
        return min(
            century,
            Int64(min(microseconds / 1000, Double(century))) + max(1000, (configuration.timeToLive ?? .seconds(86_400)).microseconds / 1000)
        )
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

/// The names of the keys of a ``RedisTrafficState``, and the words of its scripts.
///
/// - `1:r:GROUP`: the bucket of a rate.
/// - `1:p:GROUP`: exists while the server has asked for a pause.
/// - `1:c:GROUP`: a hash for a circuit.
///
/// Groups are digests, so that names are short and reveal no addresses.
private struct TrafficLayout: Sendable {
    let prefix: String

    func bucket(_ group: String) -> String { "\(prefix)1:r:\(RedisLayout.digest(of: group))" }

    func pause(_ group: String) -> String { "\(prefix)1:p:\(RedisLayout.digest(of: group))" }

    func circuit(_ group: String) -> String { "\(prefix)1:c:\(RedisLayout.digest(of: group))" }

    /// Returns a step as a word of the script, and the number of its probe.
    static func words(for step: SharedCircuitStep) -> (word: String, probe: Int64) {
        switch step {
        case .look: ("look", 0)
        case .open: ("open", 0)
        case .claimProbe: ("claim", 0)
        case .succeed(let probe): ("succeed", probe)
        case .fail(let probe): ("fail", probe)
        case .release(let probe): ("release", probe)
        }
    }
}

/// The atomic operations of ``RedisTrafficState``. All use the server's clock, in microseconds. The scripts use only the Lua functions of
/// Redis 5.
enum TrafficScripts {
    private static let now = """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]

        """

    /// Takes a permission by a generic cell rate algorithm. KEYS: the bucket, its pause. ARGV: interval in microseconds, burst, hold in
    /// microseconds, own permissions of the process, time to live in milliseconds. Returns 0, or the time to wait in microseconds.
    ///
    /// The bucket is stored as the instant at which it is full. It can't be later than after the longest wait, for the case that the clock
    /// was set back.
    static let take =
        now + """
            local interval, hold = tonumber(ARGV[1]), tonumber(ARGV[3])
            local empty = now + ARGV[2] * interval
            local full = tonumber(redis.call('GET', KEYS[1]) or '') or empty + hold
            full = math.max(full, now)
            full = math.max(full, math.min(full + ARGV[4] * interval, empty))
            full = math.min(full, empty + hold)
            local wait = math.max(full + interval - empty, redis.call('PTTL', KEYS[2]) * 1000)
            if wait <= 0 then
              full = full + interval
              wait = 0
            end
            redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', ARGV[5])
            return wait
            """

    /// Begins or extends a pause. KEYS: the pause. ARGV: its length in milliseconds.
    static let pause = """
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
        return 1
        """

    /// Changes a circuit and returns its state: 0 for unknown, 1 for closed, 2 for open, 3 for a claimed probe; and the time in
    /// microseconds since it was closed or until the next probe, or the number of the probe. KEYS: the circuit. ARGV: step, open duration
    /// in microseconds, probes, number of the probe, time to live in milliseconds.
    ///
    /// The hash has the state `s` (closed, open, half open), its number `e`, the instant `u` at which it was closed or ends, and the
    /// numbers of claimed (`n`) and successful (`k`) probes.
    static let circuit =
        now + """
            local step, open, probes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
            local stored = redis.call('HMGET', KEYS[1], 's', 'e', 'u', 'n', 'k')
            local s, e, u = stored[1], tonumber(stored[2] or '') or 0, tonumber(stored[3] or '') or 0
            local n, k = tonumber(stored[4] or '') or 0, tonumber(stored[5] or '') or 0
            local function enter(state, instant)
              s, e, u, n, k = state, math.max(now, e + 1), instant, 0, 0
            end
            if s and s ~= 'closed' then u = math.min(u, now + open) end
            local probe = false
            if step == 'open' then
              if not s or s == 'closed' or s == 'open' and u <= now then enter('open', now + open) end
            elseif step == 'claim' then
              if not s or s == 'open' and u <= now then enter('half', now + open) end
              if s == 'half' then
                if n < probes then
                  n = n + 1
                  probe = true
                elseif u <= now then
                  enter('open', now + open)
                end
              end
            elseif step ~= 'look' and s == 'half' and e == tonumber(ARGV[4]) then
              if step == 'succeed' then
                k = k + 1
                if k >= probes then enter('closed', now) end
              elseif step == 'fail' then
                enter('open', now + open)
              else
                n = math.max(k, n - 1)
              end
            end
            if not s then return {0, 0} end
            if step ~= 'look' then
              redis.call('HMSET', KEYS[1], 's', s, 'e', string.format('%.0f', e), 'u', string.format('%.0f', u), 'n', n, 'k', k)
            end
            redis.call('PEXPIRE', KEYS[1], ARGV[5])
            if probe then return {3, e} end
            if s == 'closed' then return {1, math.max(0, now - u)} end
            if s == 'half' and n < probes then return {2, 0} end
            return {2, math.max(0, u - now)}
            """
}
