internal import MartletSystem

/// The states of the groups of a ``TrafficScope``. Beyond 1,000, the states that are worth least are removed, and of those with equal
/// worth the ones that were used longest ago. States that are in use stay.
struct ScopedStates<State: Sendable>: Sendable {
    private var states = BoundedMap<String, State>(limit: 1_000)
    private let make: @Sendable () -> State
    private let worth: @Sendable (State, ContinuousClock.Instant) -> StateWorth

    init(
        worth: @escaping @Sendable (State, ContinuousClock.Instant) -> StateWorth = { _, _ in .none },
        _ make: @escaping @Sendable () -> State
    ) {
        self.make = make
        self.worth = worth
    }

    /// Changes the state of a group, which is created if it is missing.
    mutating func with<Result>(_ name: String, at instant: ContinuousClock.Instant, _ body: (inout State) -> Result) -> Result {
        if let result = states.use(name, body) { return result }
        var state = make()
        let result = body(&state)
        states.insert(state, for: name) { [worth] entry in
            // The new state may be worth least, and is needed.
            let worth = entry.key == name ? StateWorth.inUse : worth(entry.value, instant)
            return worth == .inUse ? .never : .inOrder(worth)
        }
        return result
    }

    /// Changes the state of a group unless it is missing.
    mutating func withKnown<Result>(_ name: String, _ body: (inout State) -> Result) -> Result? { states.use(name, body) }

    /// The states by the names of their groups.
    var all: [String: State] { states.dictionary }
}

/// What is lost if a state is removed.
enum StateWorth: Int, Sendable, Comparable {
    /// Nothing that later requests need.
    case none
    /// A decision about later requests, such as an open circuit or a pause.
    case decision
    /// The state of running or waiting requests.
    case inUse

    static func < (left: StateWorth, right: StateWorth) -> Bool { left.rawValue < right.rawValue }
}
