/// The states of the groups of a ``TrafficScope``, at most ``limit``. Beyond it, the idle state that was used longest ago is removed.
struct ScopedStates<State: Sendable>: Sendable {
    /// The maximum number of groups that are remembered.
    static var limit: Int { 1_000 }

    private struct Entry: Sendable {
        var state: State
        var lastUse: Int
    }

    private var entries: [String: Entry] = [:]
    private var uses = 0
    private let make: @Sendable () -> State
    /// Whether a state may be removed, because no call uses it.
    private let isIdle: @Sendable (State) -> Bool

    init(isIdle: @escaping @Sendable (State) -> Bool = { _ in true }, _ make: @escaping @Sendable () -> State) {
        self.make = make
        self.isIdle = isIdle
    }

    /// Changes the state of a group, which is created if it is missing.
    mutating func with<Result>(_ name: String, _ body: (inout State) -> Result) -> Result {
        uses += 1
        if entries[name] == nil { makeRoom() }
        entries[name]?.lastUse = uses
        return body(&entries[name, default: Entry(state: make(), lastUse: uses)].state)
    }

    /// Changes the state of a group unless it is missing.
    mutating func withKnown<Result>(_ name: String, _ body: (inout State) -> Result) -> Result? {
        entries[name] == nil ? nil : with(name, body)
    }

    /// The states by the names of their groups.
    var all: [String: State] { entries.mapValues(\.state) }

    private mutating func makeRoom() {
        guard entries.count >= Self.limit else { return }
        guard let oldest = entries.filter({ isIdle($0.value.state) }).min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
    }
}
