/// A store in which the processes of a fleet share the state of rate limits and circuit breakers.
///
/// `RedisTrafficState` (module `MartletRedis`) is a store in a Redis server. A store of your own must change each state atomically, with
/// one clock for all processes. A group is a text of any length that names one limit or circuit.
public protocol SharedTrafficState: Sendable {
    /// The longest time for which an operation takes, or may fail although the store can be reached again: the time limit of an operation,
    /// plus the time for which the store is not asked after a failure.
    var maxDelay: Duration { get }

    /// Takes a permission to send one request, if the rate allows it now.
    ///
    /// A permission whose reply is lost counts as taken.
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
public enum SharedPermission: Sendable, Hashable {
    /// The request may be sent now.
    case taken
    /// The next permission is possible after this time.
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
