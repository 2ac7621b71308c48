import Synchronization

/// Repeats one work, `inFlight` calls at a time, and measures the time, CPU time and memory that it takes.
struct Measurement: Sendable {
    let client: any Contender
    let work: Work
    let inFlight: Int

    /// How long a measurement goes on.
    enum Amount {
        case seconds(Double)
        /// A number of calls, for counting their instructions.
        case calls(Int)

        init?(_ text: String) {
            if text.hasSuffix("x"), let calls = Int(text.dropLast()) {
                self = .calls(calls)
            } else if let seconds = Double(text) {
                self = .seconds(seconds)
            } else {
                return nil
            }
        }

        /// What opens the connections before: a quarter of the time, or a call for each in flight.
        func first(inFlight: Int) -> Amount {
            switch self {
            case .seconds(let seconds): .seconds(seconds / 4)
            case .calls: .calls(inFlight)
            }
        }
    }

    /// The line of JSON.
    struct Figures: Encodable {
        /// The number of calls, or of events.
        let requests: Int
        let seconds: Double
        let cpu: Double
        let bytes: Int
        /// KiB before the first calls, and at most.
        let idle: Int, peak: Int
        let `protocol`: String
    }

    func run(_ amount: Amount) async throws -> Figures {
        let spoken = try await client.spokenProtocol()
        let idle = try Memory.resident()
        let clock = ContinuousClock()
        _ = try await drive(work == .download || work == .events ? .small : work, amount.first(inFlight: inFlight))
        let began = clock.now, cpu = ProcessorTime.seconds()
        let (requests, bytes) = try await drive(work, amount)
        let took = (clock.now - began) / .seconds(1)
        return Figures(
            requests: requests, seconds: took, cpu: ProcessorTime.seconds() - cpu, bytes: bytes, idle: idle, peak: try Memory.peak(),
            protocol: spoken)
    }

    /// Tells tasks whether to make another call.
    private final class Turns: Sendable {
        private let end: ContinuousClock.Instant?
        private let left: Atomic<Int>

        init(_ amount: Amount) {
            switch amount {
            case .seconds(let seconds):
                end = .now + .seconds(seconds)
                left = Atomic(0)
            case .calls(let calls):
                end = nil
                left = Atomic(calls)
            }
        }

        /// Whether a task makes a call. With a time, each makes one at least.
        func next(isFirst: Bool) -> Bool {
            guard let end else { return left.subtract(1, ordering: .relaxed).newValue >= 0 }
            return isFirst || ContinuousClock.now < end
        }
    }

    /// Makes calls and waits for them. Returns their number, or the number of events, and the bytes of their bodies.
    private func drive(_ work: Work, _ amount: Amount) async throws -> (Int, Int) {
        let turns = Turns(amount)
        return try await withTaskExecutorPreference(client.executor) {
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for _ in 0..<inFlight { group.addTask { try await repeatCalls(work, turns) } }
                return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
        }
    }

    private func repeatCalls(_ work: Work, _ turns: Turns) async throws -> (Int, Int) {
        var calls = 0, count = 0, bytes = 0
        while turns.next(isFirst: calls == 0) {
            let result = try await client.call(work)
            calls += 1
            count += result.count
            bytes += result.bytes
        }
        return (count, bytes)
    }
}
