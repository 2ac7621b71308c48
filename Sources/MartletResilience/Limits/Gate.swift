/// A limit that admits requests one by one: the pure part of a rate or concurrency limit.
protocol Gate: Sendable {
    /// Admits one more request at an instant, and returns nil. Otherwise returns when the next one may be admitted.
    mutating func take(at instant: ContinuousClock.Instant) -> GateWait?

    /// Returns the earliest instant at which a request may be admitted if `count` others are admitted before it, as far as known.
    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant?

    /// Returns what is lost if the gate is forgotten at an instant.
    func retention(at instant: ContinuousClock.Instant) -> StateRetention
}

/// When a gate may admit the next request.
enum GateWait: Sendable, Hashable {
    /// Not before this instant.
    case until(ContinuousClock.Instant)
    /// When another request ends.
    case forOthers
}

/// A gate with the requests that wait for it, in the order of their arrival. It depends only on its inputs.
struct GateQueue<Limit: Gate>: Sendable {
    enum Arrival: Sendable, Hashable {
        case admitted
        /// The request waits with this number.
        case waiting(Int)
        /// The request must not wait. The instant is the earliest at which it could be admitted, if that is known.
        case rejected(Rejection, earliest: ContinuousClock.Instant?)
    }

    enum Rejection: Sendable, Hashable {
        case queueIsFull
        case waitIsTooLong
    }

    var gate: Limit
    private let maxWaiting: Int
    private var waiting: [Int] = []
    /// The waiting requests before this index have left.
    private var first = 0
    private var lastNumber = 0

    init(_ gate: Limit, maxWaiting: Int) {
        self.gate = gate
        self.maxWaiting = max(0, maxWaiting)
    }

    /// The number of waiting requests.
    var count: Int { waiting.count - first }

    /// Returns what is lost if the queue is forgotten at an instant.
    func retention(at instant: ContinuousClock.Instant) -> StateRetention { count > 0 ? .inUse : gate.retention(at: instant) }

    /// Admits a new request, lets it wait, or rejects it.
    ///
    /// - Parameter latest: The latest instant at which it may be admitted, or nil.
    mutating func arrive(at instant: ContinuousClock.Instant, latest: ContinuousClock.Instant?) -> Arrival {
        if count == 0, gate.take(at: instant) == nil { return .admitted }
        let earliest = gate.earliest(after: count, at: instant)
        if count >= maxWaiting { return .rejected(.queueIsFull, earliest: earliest) }
        if let latest, max(earliest ?? instant, instant) >= latest { return .rejected(.waitIsTooLong, earliest: earliest) }
        lastNumber += 1
        waiting.append(lastNumber)
        return .waiting(lastNumber)
    }

    /// Removes a waiting request. Returns false if it was admitted before.
    mutating func leave(_ number: Int) -> Bool {
        guard let place = waiting[first...].firstIndex(of: number) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Admits the waiting requests whose turn has come, and returns them with the next instant at which to call again, or nil.
    mutating func admit(at instant: ContinuousClock.Instant) -> (numbers: [Int], next: ContinuousClock.Instant?) {
        var admitted: [Int] = []
        while first < waiting.count {
            switch gate.take(at: instant) {
            case nil:
                admitted.append(waiting[first])
                first += 1
            case .until(let next):
                compact()
                return (admitted, next)
            case .forOthers:
                compact()
                return (admitted, nil)
            }
        }
        compact()
        return (admitted, nil)
    }

    /// Removes the admitted requests now and then, so that admitting one costs little.
    private mutating func compact() {
        guard first == waiting.count || first > 64 && first * 2 > waiting.count else { return }
        waiting.removeFirst(first)
        first = 0
    }
}
