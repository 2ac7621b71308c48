/// The decisions of a circuit breaker for one group of requests. It depends only on its inputs.
struct Circuit: Sendable {
    /// Permission for one request.
    struct Pass: Sendable, Hashable {
        /// The period between two changes of the state in which the request was admitted.
        let period: Int
        let isProbe: Bool
    }

    enum Admission: Sendable, Hashable {
        case admitted(Pass)
        /// The request must not be sent. The next probe is possible at the instant.
        case rejected(until: ContinuousClock.Instant)
    }

    /// What a request showed about the server.
    enum Observation: Sendable, Hashable {
        case success(Duration)
        case failure
        /// Nothing, for example because it was cancelled.
        case none
    }

    private struct Counts: Sendable {
        var calls = 0
        var failures = 0
        var slow = 0
    }

    private enum Phase: Sendable {
        case closed
        case open(until: ContinuousClock.Instant)
        case halfOpen(running: Int, succeeded: Int, until: ContinuousClock.Instant)
    }

    private let rules: CircuitBreaker.Rules
    private var phase = Phase.closed
    private var period = 0
    /// The instant at which the circuit has last opened or closed, or nil.
    private var changed: ContinuousClock.Instant?
    private var window: RollingWindow<Counts>

    init(_ rules: CircuitBreaker.Rules) {
        self.rules = rules
        window = RollingWindow(rules.window, empty: Counts())
    }

    /// The state at an instant, without changing it.
    func state(at instant: ContinuousClock.Instant) -> CircuitBreaker.State {
        switch phase {
        case .closed: .closed
        case .open(let until): instant < until ? .open(nextProbe: until) : .halfOpen
        case .halfOpen: .halfOpen
        }
    }

    /// What is lost if the circuit is forgotten.
    var retention: StateRetention {
        switch phase {
        case .closed: .none
        case .halfOpen(let running, _, _) where running > 0: .inUse
        case .open, .halfOpen: .decision
        }
    }

    /// Decides whether a request may be sent. Each admitted request must be reported with ``finish(_:_:at:)``.
    mutating func admit(at instant: ContinuousClock.Instant) -> Admission {
        switch phase {
        case .closed: return .admitted(Pass(period: period, isProbe: false))
        case .open(let until):
            guard instant >= until else { return .rejected(until: until) }
            // A shorter time would never close the circuit of a server that takes longer than the open duration without being slow.
            enter(.halfOpen(running: 1, succeeded: 0, until: instant + max(rules.openDuration, rules.slowDuration)), at: instant)
            return .admitted(Pass(period: period, isProbe: true))
        case .halfOpen(let running, let succeeded, let until):
            if running + succeeded < rules.probes {
                phase = .halfOpen(running: running + 1, succeeded: succeeded, until: until)
                return .admitted(Pass(period: period, isProbe: true))
            }
            guard instant >= until else { return .rejected(until: min(until, instant + rules.openDuration)) }
            // The probes have not ended in time.
            return .rejected(until: open(at: instant))
        }
    }

    /// Records what an admitted request showed, and returns whether the circuit has opened because of it. A request that was admitted in an
    /// earlier period no longer counts.
    @discardableResult
    mutating func finish(_ pass: Pass, _ observation: Observation, at instant: ContinuousClock.Instant) -> Bool {
        guard pass.period == period else { return false }
        switch phase {
        case .closed: count(observation, at: instant)
        case .open: break
        case .halfOpen(let running, let succeeded, let until):
            switch observation {
            case .none: phase = .halfOpen(running: running - 1, succeeded: succeeded, until: until)
            case .success(let duration) where duration < rules.slowDuration:
                phase = .halfOpen(running: running - 1, succeeded: succeeded + 1, until: until)
                if succeeded + 1 >= rules.probes { enter(.closed, at: instant) }
            case .success, .failure: _ = open(at: instant)
            }
        }
        return if case .open = phase { true } else { false }
    }

    /// Adopts the state of the fleet's circuit, which was asked for at `asked`.
    mutating func adopt(_ shared: SharedCircuit, asked: ContinuousClock.Instant, at instant: ContinuousClock.Instant) {
        switch (shared, phase) {
        case (.closed, .closed), (.unknown, _), (.unavailable, _), (.probe, _): break
        // The fleet may have closed it before this process opened it again.
        case (.closed(let ago), _): if changed.map({ asked - ago >= $0 }) ?? true { enter(.closed, at: asked) }
        case (.open(let wait), .open): phase = .open(until: instant + wait)
        // Probes are running, and more are possible.
        case (.open(.zero), .halfOpen): break
        case (.open(let wait), _): enter(.open(until: instant + wait), at: asked)
        }
    }

    private mutating func count(_ observation: Observation, at instant: ContinuousClock.Instant) {
        if observation == .none { return }
        let rules = rules
        window.change(at: instant) {
            $0.calls += 1
            if case .success(let duration) = observation {
                if duration >= rules.slowDuration { $0.slow += 1 }
            } else {
                $0.failures += 1
            }
        }
        let recent = window.recent(at: instant)
        let calls = recent.reduce(0) { $0 + $1.calls }
        guard calls >= rules.minimumCalls else { return }
        let failures = Double(recent.reduce(0) { $0 + $1.failures }), slow = Double(recent.reduce(0) { $0 + $1.slow })
        if failures >= rules.failureShare * Double(calls) && failures > 0 || slow >= rules.slowShare * Double(calls) && slow > 0 {
            _ = open(at: instant)
        }
    }

    private mutating func open(at instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        enter(.open(until: instant + rules.openDuration), at: instant)
        return instant + rules.openDuration
    }

    private mutating func enter(_ phase: Phase, at instant: ContinuousClock.Instant) {
        self.phase = phase
        if case .halfOpen = phase {} else { changed = instant }
        period += 1
        window.clear()
    }
}
