internal import MartletSystem

/// Which requests share the state of a circuit breaker, a limit or a record of latencies.
///
/// A request belongs to exactly one group, whose name is a key of ``CircuitBreaker/states``, for example.
public struct TrafficScope: Sendable {
    private let group: @Sendable (HTTPRequest) -> String

    /// Requests of one origin, such as `https://api.example`.
    public static var origin: TrafficScope { TrafficScope { originText($0) } }

    /// Requests with one method, origin and path template, such as `GET https://api.example/users/{}`. Requests with a full URL, which have
    /// no template, share one group for each method and origin.
    public static var route: TrafficScope {
        TrafficScope { "\($0.method.rawValue) \(originText($0))/\($0.context.pathTemplate)" }
    }

    /// Requests for which the closure returns the same name, such as the ID of a tenant. It must not block.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) -> String) -> TrafficScope { TrafficScope(group: name) }

    private init(group: @escaping @Sendable (HTTPRequest) -> String) { self.group = group }

    /// Returns the name of the request's group.
    public func name(for request: HTTPRequest) -> String { group(request) }

    private static func originText(_ request: HTTPRequest) -> String { request.origin?.description ?? "" }
}

/// The states of the groups of a ``TrafficScope``. Beyond 1,000, the states with the lowest ``StateRetention`` are removed, and of those
/// with the same one the states that were used longest ago. States that are in use stay.
struct ScopedStates<State: Sendable>: Sendable {
    private var states = BoundedMap<String, State>(limit: 1_000)
    private let make: @Sendable () -> State
    private let retention: @Sendable (State, ContinuousClock.Instant) -> StateRetention

    init(
        retention: @escaping @Sendable (State, ContinuousClock.Instant) -> StateRetention = { _, _ in .none },
        _ make: @escaping @Sendable () -> State
    ) {
        self.make = make
        self.retention = retention
    }

    /// Changes the state of a group, which is created if it is missing.
    mutating func with<Result>(_ name: String, at instant: ContinuousClock.Instant, _ body: (inout State) -> Result) -> Result {
        if let result = states.use(name, body) { return result }
        var state = make()
        let result = body(&state)
        states.insert(state, for: name) { [retention] entry in
            // The new state may have the lowest retention, and is needed.
            let retention = entry.key == name ? StateRetention.inUse : retention(entry.value, instant)
            return retention == .inUse ? .never : .inOrder(retention)
        }
        return result
    }

    /// Changes the state of a group unless it is missing.
    mutating func withKnown<Result>(_ name: String, _ body: (inout State) -> Result) -> Result? { states.use(name, body) }

    /// The states by the names of their groups.
    var all: [String: State] { states.dictionary }
}

/// What is lost if a state is removed.
enum StateRetention: Int, Sendable, Comparable {
    /// Nothing that later requests need.
    case none
    /// A decision about later requests, such as an open circuit or a pause.
    case decision
    /// The state of running or waiting requests.
    case inUse

    static func < (left: StateRetention, right: StateRetention) -> Bool { left.rawValue < right.rawValue }
}
