import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

@Suite("SharedBucket", .timeLimit(.minutes(5)))
struct SharedBucketTests {
    private typealias Instant = ContinuousClock.Instant
    private let start = ContinuousClock.now

    private func gate(localShare: Double? = nil, burst: Int = 3) -> TokenGate {
        TokenGate(shared: SharedBucket(.perSecond(10, burst: burst), localShare: localShare, maxDelay: .milliseconds(500)))
    }

    private func claim(_ gate: inout TokenGate, at instant: Instant) throws -> (number: Int, claim: SharedPermissionClaim) {
        let claimed = gate.claim(at: instant)
        return try #require(claimed)
    }

    @Test("A request needs a permission, which is claimed once and can only be used immediately")
    func claims() throws {
        var gate = gate()
        #expect(gate.take(at: start) == .forOthers)
        let claimed = try claim(&gate, at: start)
        #expect(claimed.claim == SharedPermissionClaim(interval: .milliseconds(100), burst: 3))
        #expect(gate.claim(at: start) == nil && gate.retention(at: start) == .inUse)
        gate.shared?.receive(.taken, at: start)
        #expect(gate.take(at: start) == nil && gate.take(at: start) == .forOthers)
        let second = try claim(&gate, at: start)
        gate.shared?.receive(.taken, at: start)
        gate.shared?.drop(claimed.number)
        gate.shared?.drop(second.number)
        #expect(gate.take(at: start) == .forOthers)
    }

    @Test("The store is not asked before the time that it has named, and requests know the time of their turn")
    func waits() {
        var gate = gate()
        _ = gate.claim(at: start)
        gate.shared?.receive(.wait(.milliseconds(70)), at: start)
        #expect(gate.take(at: start) == .until(start + .milliseconds(70)))
        #expect(gate.earliest(after: 2, at: start) == start + .milliseconds(270))
        #expect(gate.claim(at: start + .milliseconds(69)) == nil)
        #expect(gate.claim(at: start + .milliseconds(70)) != nil)
    }

    @Test("A wait of zero or less is a wait and no permission", arguments: [Duration.zero, .seconds(-1)])
    func shortWaits(wait: Duration) {
        var gate = gate()
        _ = gate.claim(at: start)
        gate.shared?.receive(.wait(wait), at: start)
        #expect(gate.take(at: start) == .until(start + .microseconds(100)))
    }

    @Test("No permission is claimed during a pause of the server")
    func pause() {
        var gate = gate()
        gate.finish(pause: .seconds(2), quotas: [], at: start)
        #expect(gate.take(at: start) == .until(start + .seconds(2)))
        #expect(gate.claim(at: start + .seconds(1)) == nil)
        #expect(gate.claim(at: start + .seconds(2)) != nil)
    }

    @Test("Without the store, a process that waits asks again after the delay")
    func waitsForStore() {
        var gate = gate()
        _ = gate.claim(at: start)
        gate.shared?.receive(.unavailable, at: start)
        #expect(gate.take(at: start) == .until(start + .milliseconds(500)))
        #expect(gate.take(at: start + .milliseconds(500)) == .forOthers)
    }

    @Test("Without the store, a process keeps to its share from an empty bucket, asks again after the delay, and reports what it has sent")
    func ownShare() throws {
        var gate = gate(localShare: 0.5, burst: 4)
        let hold = try claim(&gate, at: start).claim.hold
        #expect(hold == .seconds(1))
        gate.shared?.receive(.unavailable, at: start)
        let first = start + .milliseconds(200) + .nanoseconds(1)
        #expect(gate.take(at: start) == .until(first))
        #expect(gate.take(at: first) == nil)
        #expect(gate.take(at: first) == .until(first + .milliseconds(200) + .nanoseconds(1)))
        #expect(gate.take(at: start + .milliseconds(500)) == .forOthers)
        let claim = try claim(&gate, at: start + .milliseconds(500)).claim
        #expect(claim.spent == 1)
        gate.shared?.receive(.wait(.milliseconds(100)), at: start + .milliseconds(500))
        #expect(gate.claim(at: start + .milliseconds(600))?.claim.spent == 0)
    }

    /// One process of a simulated fleet.
    private struct Process {
        var gate: TokenGate
        /// The next reply, and when it arrives.
        var reply: (permission: SharedPermission, at: Instant)?
        var number = 0
        var isCutOff = false
    }

    /// What a fleet has sent, in milliseconds: by the store's permissions when they were given, by the processes' own, and when the
    /// requests were sent.
    private struct Record {
        var given: [Int] = []
        var own: [Int] = []
        var sent: [Int] = []
    }

    private enum Outage { case none, down, cutOff }

    /// Runs a fleet for 20 seconds in steps of a millisecond. Its processes have waiting requests or, at times, none, unless nothing fails.
    private func run(
        _ rate: RateLimiter.Rate, processes count: Int, localShare: Double? = nil, _ outage: Outage, seed: UInt64
    ) -> Record {
        var generator = SeededGenerator(seed: seed), model = FleetModel(), record = Record(), isDown = false
        let bucket = SharedBucket(rate, localShare: localShare, maxDelay: .milliseconds(500))
        var processes = [Process](repeating: Process(gate: TokenGate(shared: bucket)), count: count)
        var busy = [Bool](repeating: true, count: count)
        for step in 0..<20_000 {
            let now = start + .milliseconds(step)
            if outage == .down, Int.random(in: 0..<2_000, using: &generator) == 0 {
                isDown.toggle()
                if isDown { model.loseData() }
            }
            if outage == .cutOff, Int.random(in: 0..<1_000, using: &generator) == 0 {
                processes[Int.random(in: 0..<count, using: &generator)].isCutOff.toggle()
            }
            for index in processes.indices.shuffled(using: &generator) {
                if outage != .none, Int.random(in: 0..<1_000, using: &generator) == 0 { busy[index].toggle() }
                if let reply = processes[index].reply, reply.at <= now {
                    processes[index].reply = nil
                    processes[index].gate.shared?.receive(reply.permission, at: now)
                    if reply.permission == .taken, busy[index], processes[index].gate.take(at: now) == nil { record.sent.append(step) }
                    let number = processes[index].number
                    processes[index].gate.shared?.drop(number)
                }
                while busy[index], processes[index].gate.take(at: now) == nil {
                    record.own.append(step)
                    record.sent.append(step)
                }
                guard busy[index], let claimed = processes[index].gate.claim(at: now) else { continue }
                processes[index].number = claimed.number
                var reply = SharedPermission.unavailable
                if !isDown, !processes[index].isCutOff {
                    reply = model.take(claimed.claim, of: "", at: now)
                    if reply == .taken { record.given.append(step) }
                    // A lost reply, with which a process that has a share would be cut off.
                    let canLoseReply = outage == .cutOff || outage == .down && localShare == nil
                    if canLoseReply, Int.random(in: 0..<200, using: &generator) == 0 { reply = .unavailable }
                }
                let delay = reply == .unavailable ? Int.random(in: 0...490, using: &generator) : Int.random(in: 0...30, using: &generator)
                processes[index].reply = (reply, at: now + .milliseconds(delay))
            }
        }
        return record
    }

    /// Returns by how much the largest window exceeds the rate alone: the burst that would be needed.
    private func neededBurst(_ steps: [Int], _ rate: RateLimiter.Rate) -> Double {
        let perStep = Double(rate.requests) / (rate.period / .milliseconds(1))
        var most = 0.0, excess = 0.0
        for (index, step) in steps.enumerated() {
            excess = max(0, index == 0 ? 0 : excess - Double(step - steps[index - 1]) * perStep) + 1
            most = max(most, excess)
        }
        return most - 1e-6
    }

    private func seededRate(_ seed: UInt64, leastBurst: Int) -> RateLimiter.Rate {
        var generator = SeededGenerator(seed: seed &+ 1_000)
        return .perSecond(.random(in: 2...60, using: &generator), burst: .random(in: leastBurst...8, using: &generator))
    }

    @Test("A fleet that waits for its store never exceeds the rate, through outages, lost data and lost replies", arguments: 0..<20)
    func propertyWaiting(seed: UInt64) {
        let rate = seededRate(seed, leastBurst: 1)
        let record = run(rate, processes: 3, seed % 2 == 0 ? .down : .cutOff, seed: seed)
        #expect(record.own.isEmpty && record.sent.count > 5)
        #expect(neededBurst(record.given, rate) <= Double(rate.burst))
        // A request is sent up to 30 ms after its permission was given.
        #expect(neededBurst(record.sent.sorted(), rate) <= Double(rate.burst) + Double(rate.requests) * 0.03)
    }

    @Test(
        "A fleet of processes that keep to their shares never exceeds the rate while its store is down and loses its data",
        arguments: 0..<20)
    func propertyShares(seed: UInt64) {
        let rate = seededRate(seed, leastBurst: 3)
        let record = run(rate, processes: 3, localShare: 1.0 / 3, .down, seed: seed)
        #expect(seed > 0 || record.own.count > 20)
        #expect(neededBurst((record.given + record.own).sorted(), rate) <= Double(rate.burst))
    }

    @Test("Processes that are cut off add at most their shares", arguments: 0..<20)
    func propertyCutOff(seed: UInt64) {
        let rate = seededRate(seed, leastBurst: 3)
        let record = run(rate, processes: 3, localShare: 1.0 / 3, .cutOff, seed: seed)
        #expect(neededBurst(record.given, rate) <= Double(rate.burst))
        #expect(neededBurst(record.own.sorted(), rate) <= Double(rate.burst))
    }

    @Test("Without outages a busy fleet uses its whole rate", arguments: 0..<5)
    func utilisation(seed: UInt64) {
        let rate = RateLimiter.Rate.perSecond(20, burst: 3)
        // In 20 seconds.
        #expect(run(rate, processes: 3, .none, seed: seed).given.count > 390)
    }
}
