import MartletSystem

@testable import MartletResilience

/// The state of a fleet in memory, which can fail and lose its data. Its decisions are those of the scripts for Redis.
struct FleetModel: Sendable {
    struct CircuitEntry: Sendable {
        var isHalfOpen = false
        var isClosed = false
        var number: Int64 = 0
        var until: ContinuousClock.Instant
        var claimed = 0
        var succeeded = 0
    }

    private var buckets: [String: ContinuousClock.Instant] = [:]
    private var pauses: [String: ContinuousClock.Instant] = [:]
    private var circuits: [String: CircuitEntry] = [:]
    private var lastNumber: Int64 = 0

    func isOpen(_ group: String, at now: ContinuousClock.Instant) -> Bool {
        circuits[group].map { !$0.isClosed && !$0.isHalfOpen && now < $0.until } ?? false
    }

    mutating func loseData() { (buckets, pauses, circuits) = ([:], [:], [:]) }

    mutating func take(_ claim: SharedPermissionClaim, of group: String, at now: ContinuousClock.Instant) -> SharedPermission {
        let empty = now + claim.interval * claim.burst
        var full = max(buckets[group] ?? empty + claim.hold, now)
        full = max(full, min(full + claim.interval * claim.spent, empty))
        full = min(full, empty + claim.hold)
        let wait = max(empty.duration(to: full + claim.interval), pauses[group].map { now.duration(to: $0) } ?? .zero)
        buckets[group] = wait > .zero ? full : full + claim.interval
        return wait > .zero ? .wait(wait) : .taken
    }

    mutating func pause(_ group: String, for duration: Duration, at now: ContinuousClock.Instant) {
        pauses[group] = max(pauses[group] ?? now, now + duration)
    }

    mutating func advance(
        _ group: String, by step: SharedCircuitStep, _ rules: CircuitBreaker.Rules, at now: ContinuousClock.Instant
    ) -> SharedCircuit {
        var entry = circuits[group]
        defer { circuits[group] = entry }
        switch step {
        case .look: break
        case .open:
            if entry.map({ $0.isClosed || !$0.isHalfOpen && $0.until <= now }) ?? true { entry = makeEntry(now + rules.openDuration) }
        case .claimProbe:
            if entry.map({ !$0.isClosed && !$0.isHalfOpen && $0.until <= now }) ?? true {
                entry = makeEntry(now + rules.openDuration)
                entry?.isHalfOpen = true
            }
            if let half = entry, half.isHalfOpen {
                if half.claimed < rules.probes {
                    entry?.claimed += 1
                    return .probe(half.number)
                }
                if half.until <= now { entry = makeEntry(now + rules.openDuration) }
            }
        case .succeed(let number), .fail(let number), .release(let number):
            guard let half = entry, half.isHalfOpen, half.number == number else { break }
            if case .fail = step {
                entry = makeEntry(now + rules.openDuration)
            } else if case .release = step {
                entry?.claimed -= 1
            } else if half.succeeded + 1 >= rules.probes {
                entry = makeEntry(now)
                entry?.isClosed = true
            } else {
                entry?.succeeded += 1
            }
        }
        guard let entry else { return .unknown }
        if entry.isClosed { return .closed(ago: entry.until.duration(to: now)) }
        if entry.isHalfOpen && entry.claimed < rules.probes { return .open(for: .zero) }
        return .open(for: max(.zero, now.duration(to: entry.until)))
    }

    private mutating func makeEntry(_ until: ContinuousClock.Instant) -> CircuitEntry {
        lastNumber += 1
        return CircuitEntry(number: lastNumber, until: until)
    }
}

/// A store of a fleet in memory, at the time of a clock.
final class FleetStore: SharedTrafficState {
    private struct State {
        var model = FleetModel()
        var isDown = false
        var claims: [SharedPermissionClaim] = []
        var steps: [SharedCircuitStep] = []
        var pauseCount = 0
    }

    let maxDelay = Duration.milliseconds(500)
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ time: any TimeSource) { self.time = time }

    var claims: [SharedPermissionClaim] { state.withLock { $0.claims } }
    var steps: [SharedCircuitStep] { state.withLock { $0.steps } }
    var pauseCount: Int { state.withLock { $0.pauseCount } }
    /// Whether the store has an open circuit of the group.
    func isOpen(_ group: String) -> Bool { state.withLock { $0.model.isOpen(group, at: time.instant) } }
    func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    func take(_ claim: SharedPermissionClaim, of group: String) async -> SharedPermission {
        let now = time.instant
        return state.withLock {
            $0.claims.append(claim)
            return $0.isDown ? .unavailable : $0.model.take(claim, of: group, at: now)
        }
    }

    func pause(_ group: String, for duration: Duration) async {
        let now = time.instant
        state.withLock {
            $0.model.pause(group, for: duration, at: now)
            $0.pauseCount += 1
        }
    }

    func advance(_ group: String, by step: SharedCircuitStep, _ rules: CircuitBreaker.Rules) async -> SharedCircuit {
        let now = time.instant
        return state.withLock {
            $0.steps.append(step)
            return $0.isDown ? .unavailable : $0.model.advance(group, by: step, rules, at: now)
        }
    }
}
