/// The states of the groups of a ``TrafficScope``. Beyond ``limit``, the states that are worth least are removed, and of those with equal
/// worth the ones that were used longest ago. States that are in use stay.
struct ScopedStates<State: Sendable>: Sendable {
    /// The maximum number of groups that are remembered, without those in use.
    static var limit: Int { 1_000 }

    private struct Entry: Sendable {
        var state: State
        var lastUse: Int
    }

    private var entries: [String: Entry] = [:]
    private var uses = 0
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
        if entries[name] == nil {
            makeRoom(at: instant)
            entries[name] = Entry(state: make(), lastUse: 0)
        }
        return change(name, body)
    }

    /// Changes the state of a group unless it is missing.
    mutating func withKnown<Result>(_ name: String, _ body: (inout State) -> Result) -> Result? {
        entries[name] == nil ? nil : change(name, body)
    }

    /// The states by the names of their groups.
    var all: [String: State] { entries.mapValues(\.state) }

    private mutating func change<Result>(_ name: String, _ body: (inout State) -> Result) -> Result {
        uses += 1
        entries[name]?.lastUse = uses
        return body(&entries[name, default: Entry(state: make(), lastUse: uses)].state)
    }

    private mutating func makeRoom(at instant: ContinuousClock.Instant) {
        // Two at a time, so that the number falls again after many were in use.
        for _ in 0..<2 where entries.count >= Self.limit {
            var least: (name: String, worth: StateWorth, lastUse: Int)?
            for (name, entry) in entries {
                let worth = worth(entry.state, instant)
                guard worth != .inUse, least.map({ (worth, entry.lastUse) < ($0.worth, $0.lastUse) }) ?? true else { continue }
                least = (name, worth, entry.lastUse)
            }
            guard let least else { return }
            entries[least.name] = nil
        }
    }
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
