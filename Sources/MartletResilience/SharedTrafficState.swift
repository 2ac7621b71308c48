/// A store in which the processes of a fleet share the state of rate limits and circuit breakers.
///
/// ```swift
/// let state = RedisTrafficState(host: "10.0.0.5")  // in the module MartletRedis
/// let limiter = RateLimiter(.perSecond(100, burst: 10), sharedAs: "prices", in: state)
/// let breaker = CircuitBreaker(sharedAs: "prices", in: state)
/// ```
///
/// A rate limiter or circuit breaker shares its groups with those of the same name in other processes, which must have the same rate or
/// rules.
///
/// ### Rates
/// The fleet as a whole keeps to the rate: in any time T, it is given at most `burst` + `requests` · T / `period` permissions. A request is
/// sent when the permission arrives, at most ``maxDelay`` later.
///
/// A limit that is new to the store, or that the store has lost, starts without a burst: the first request waits for one interval. So a
/// store that restarts gives no second burst.
///
/// In each process, requests wait in the order of their arrival, and only the first one asks the store, when its turn may have come. Other
/// processes have their turns in between, in no fixed order. A process sends at most one request in each round trip to the store. The wait
/// for the store counts as a wait: requests can wait for ``maxDelay`` even if `maxWait` is shorter.
///
/// A `Retry-After` pauses the fleet. Quotas of the server (`RateLimit`) apply only to the process that has received them.
///
/// While the store does not reply, requests wait for it, and the fleet stays within its limit in any case. With a `localShare`, such as 1/3
/// in each of three processes, a process sends this share of the rate instead, and starts without a burst: at most b + share · rate · T in
/// any time T, where b is the burst times the share, rounded down, and at least 1. While the store is down, and after it has restarted
/// without its data, the fleet stays within its limit if the sum of the shares is at most 1 and the sum of all b at most the burst. If only
/// some processes are cut off, or a store returns with its data, their own permissions are additional: at most the share of the rate for as
/// long as they were cut off. They are deducted when the store replies again, at most one burst for each process.
///
/// ### Circuits
/// Each process counts the outcomes of its own requests. If one opens its circuit, the others open theirs at their next request after the
/// breaker's `refreshInterval`. Probes are claimed in the store, so that the whole fleet sends at most ``CircuitBreaker/Rules/probes`` at a
/// time. When all have succeeded, the circuit closes for all.
///
/// While a circuit is closed or open, no request waits for the store: its state is read in the background. Only a request that could be a
/// probe waits for its claim. A process that does not reach the store acts alone.
///
/// ### Stores of your own
/// `RedisTrafficState` (module `MartletRedis`) is a store in a Redis server. A store of your own must change each state atomically, with
/// one clock for all processes. A group is a text of any length that names one limit or circuit.
public protocol SharedTrafficState: Sendable {
    /// The longest time for which an operation takes, or may fail although the store can be reached again: the time limit of an operation,
    /// plus the time for which the store is not asked after a failure.
    var maxDelay: Duration { get }

    /// Takes a permission to send one request, if the rate allows it now. A permission whose reply is lost counts as taken.
    ///
    /// - Returns: Whether the permission was taken, or when the next one is possible.
    func take(_ claim: SharedPermissionClaim, of group: String) async -> SharedPermission

    /// Lets no process take a permission of the group for a time. A shorter pause does not end a longer one.
    func pause(_ group: String, for duration: Duration) async

    /// Changes or reads the circuit of a group, and returns its state after that.
    func advance(_ group: String, by step: SharedCircuitStep, _ rules: CircuitBreaker.Rules) async -> SharedCircuit
}

/// A request for one permission of a rate that a fleet shares.
public struct SharedPermissionClaim: Sendable, Hashable {
    /// The time between two permissions.
    public let interval: Duration
    /// The number of permissions that may follow each other without a wait after a pause, at least 1.
    public let burst: Int
    /// The time for which a store that has no state of the group gives no permission, because other processes may still use their own.
    ///
    /// After it the bucket is empty: the first permission follows one ``interval`` later.
    public let hold: Duration
    /// The number of permissions that the process has given itself since its last reply from the store, at most ``burst``.
    public let spent: Int

    /// Creates a claim.
    public init(interval: Duration, burst: Int, hold: Duration = .zero, spent: Int = 0) {
        self.interval = interval
        self.burst = max(1, burst)
        self.hold = hold
        self.spent = min(max(0, spent), self.burst)
    }
}

/// The reply of a ``SharedTrafficState`` to a claim for a permission.
@nonexhaustive public enum SharedPermission: Sendable, Hashable {
    /// The permission was taken, and the request may be sent now.
    case taken
    /// No permission was taken. The next one is possible after this time; less than 100 µs count as 100 µs.
    case wait(Duration)
    /// The store did not reply.
    case unavailable
}

/// A change of a circuit that a fleet shares.
public enum SharedCircuitStep: Sendable, Hashable {
    /// Reads the state.
    case look
    /// Opens the circuit unless it is open or half open.
    case open
    /// Claims a probe. Without a state in the store, the circuit counts as open, and its probes as due.
    case claimProbe
    /// Records that a probe has succeeded. The number is that of ``SharedCircuit/probe(_:)``.
    case succeed(Int64)
    /// Records that a probe has failed, and opens the circuit.
    case fail(Int64)
    /// Returns a probe that has shown nothing.
    case release(Int64)
}

/// The state of a circuit that a fleet shares.
public enum SharedCircuit: Sendable, Hashable {
    /// The store has no state.
    case unknown
    /// Probes have closed the circuit, this long ago.
    case closed(ago: Duration)
    /// No probe may be sent before this time has passed. With zero, a probe can be claimed.
    case open(for: Duration)
    /// The process may send a probe, and must report its result with this number.
    case probe(Int64)
    /// The store did not reply.
    case unavailable
}

/// The name of a group in a store of a fleet.
enum SharedGroup {
    /// Returns the same text only for the same name and group.
    static func text(_ name: String, _ group: String) -> String { "\(name.utf8.count):\(name) \(group)" }
}
