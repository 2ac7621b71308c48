internal import MartletSystem

/// Keeps the circuits of a process in step with those of its fleet.
final class SharedCircuits: Sendable {
    /// The last reading of the store's state of one group.
    private struct View: Sendable {
        /// The instant from which a request causes the state to be read.
        var due: ContinuousClock.Instant?
        var isReading = false
        /// Whether the process has opened its circuit, and the store may not know it.
        var owesOpening = false
    }

    private let state: any SharedTrafficState
    private let name: String
    private let refreshInterval: Duration
    private let rules: CircuitBreaker.Rules
    private let circuits: Locked<ScopedStates<Circuit>>
    private let time: InheritedTime
    private let views = Locked(ScopedStates<View>(retention: { view, _ in view.isReading || view.owesOpening ? .inUse : .none }) { View() })

    init(
        _ state: any SharedTrafficState, _ name: String, _ refreshInterval: Duration, _ rules: CircuitBreaker.Rules,
        _ circuits: Locked<ScopedStates<Circuit>>, _ time: InheritedTime
    ) {
        self.state = state
        self.name = name
        self.refreshInterval = max(.milliseconds(10), refreshInterval)
        self.rules = rules
        self.circuits = circuits
        self.time = time
    }

    /// Returns whether a request may be sent, from what the process's own circuit says, and the number of its probe in the store.
    func admission(_ own: Circuit.Admission, _ group: String) async -> (admission: Circuit.Admission, probe: Int64?) {
        guard case .admitted(let pass) = own, pass.isProbe else {
            readIfDue(group)
            return (own, nil)
        }
        switch await advance(group, by: .claimProbe) {
        case .probe(let number): return (own, number)
        case .open(let wait): return (.rejected(until: time.instant + wait), nil)
        case .closed:
            // Another process has closed the circuit, so that this request need not be a probe.
            let now = time.instant
            return (circuits.withLock { $0.with(group, at: now) { $0.state(at: now) == .closed ? $0.admit(at: now) : own } }, nil)
        case .unknown, .unavailable: return (own, nil)
        }
    }

    /// Reports the result of a request to the fleet.
    ///
    /// - Parameters:
    ///   - hasOpened: Whether the process's circuit has opened because of it.
    ///   - probe: The number of its probe in the store, or nil.
    func report(_ group: String, _ observation: Circuit.Observation, hasOpened: Bool, probe: Int64?) {
        if let probe {
            let step: SharedCircuitStep =
                switch observation {
                case .none: .release(probe)
                case .success(let duration) where duration < rules.slowDuration: .succeed(probe)
                case .success, .failure: .fail(probe)
                }
            Task.detached { _ = await self.advance(group, by: step) }
        } else if hasOpened {
            let now = time.instant
            views.withLock { $0.with(group, at: now) { ($0.owesOpening, $0.due) = (true, nil) } }
            readIfDue(group)
        }
    }

    /// Reads the store's state in the background, unless that was done recently.
    private func readIfDue(_ group: String) {
        let now = time.instant
        let isDue = views.withLock { views in
            views.with(group, at: now) { view in
                guard !view.isReading, view.due.map({ $0 <= now }) ?? true else { return false }
                view.isReading = true
                return true
            }
        }
        if isDue { Task.detached { await self.read(group) } }
    }

    private func read(_ group: String) async {
        let now = time.instant
        let isOpen = circuits.withLock { $0.withKnown(group) { $0.retention > .none } } ?? false
        let owes = views.withLock { views in
            views.with(group, at: now) { view in
                // A circuit that has closed again owes nothing.
                view.owesOpening = view.owesOpening && isOpen
                return view.owesOpening
            }
        }
        let reply = await advance(group, by: owes ? .open : .look)
        let replied = time.instant
        views.withLock { views in
            views.with(group, at: replied) { view in
                // A circuit that has opened during the call is reported by the next request.
                view.due = view.owesOpening && !owes ? nil : replied + refreshInterval
                if owes, reply != .unavailable { view.owesOpening = false }
                view.isReading = false
            }
        }
    }

    /// Changes the state in the store, and adopts it.
    private func advance(_ group: String, by step: SharedCircuitStep) async -> SharedCircuit {
        let asked = time.instant
        let reply = await state.advance(SharedGroup.text(name, group), by: step, rules)
        let now = time.instant
        circuits.withLock { _ = $0.withKnown(group) { $0.adopt(reply, asked: asked, at: now) } }
        return reply
    }
}
