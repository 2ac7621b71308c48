/// Which names are being looked up, who waits for them, and what was found. A value without I/O.
///
/// A result is used for ``freshTime``. After that, up to ``staleTime``, it is still used while the name is looked up again, and kept if that
/// fails: a connection that stands needs no name server. Failures are not kept.
struct LookupTable<Waiter: AnyObject> {
    /// What is known of a name.
    enum Finding: Equatable {
        case known([String])
        /// It is being looked up, or will be.
        case pending
    }

    static var freshTime: Duration { .seconds(5) }
    /// That of libcurl's own cache.
    static var staleTime: Duration { .seconds(60) }

    private struct Known {
        let addresses: [String]
        let found: ContinuousClock.Instant
    }

    /// A name that is being looked up, or will be. Without waiters it is being refreshed.
    private struct Pending {
        var waiters = WaitingLine<Waiter>()
        /// Where each of them stands.
        var numbers: [ObjectIdentifier: UInt64] = [:]
        /// Where the name stands in the queue; nil while it is being looked up.
        var place: UInt64?

        mutating func append(_ waiter: Waiter) { numbers[ObjectIdentifier(waiter)] = waiters.append(waiter) }

        /// Removes a waiter. Returns false if it was none.
        mutating func remove(_ waiter: Waiter) -> Bool {
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(waiter)) else { return false }
            waiters.remove(number)
            return true
        }

        /// Those that wait, in the order in which they came.
        var all: [Waiter] {
            var rest = waiters, all: [Waiter] = []
            while let waiter = rest.removeFirst() { all.append(waiter) }
            return all
        }
    }

    private let maxRunning: Int
    private let capacity: Int
    private var known: [String: Known] = [:]
    private var pending: [String: Pending] = [:]
    private var queue = WaitingLine<String>()
    private var running = 0

    /// - Parameters:
    ///   - maxRunning: how many lookups run at a time. Further names wait until one ends.
    ///   - capacity: of how many names the addresses are kept.
    init(maxRunning: Int, capacity: Int = 1000) {
        self.maxRunning = maxRunning
        self.capacity = capacity
    }

    /// Asks for the addresses of a name. A waiter whose finding is pending is returned by ``land(_:_:at:)``.
    mutating func ask(_ name: String, for waiter: Waiter, at now: ContinuousClock.Instant) -> Finding {
        if let entry = known[name], now - entry.found < Self.staleTime {
            if now - entry.found >= Self.freshTime, pending[name] == nil { enqueue(name) }
            return .known(entry.addresses)
        }
        if pending[name] == nil { enqueue(name) }
        pending[name]?.append(waiter)
        return .pending
    }

    private mutating func enqueue(_ name: String) { pending[name] = Pending(place: queue.append(name)) }

    /// The next name to look up now; nil when there is none, or when enough are being looked up.
    mutating func startNext() -> String? {
        guard running < maxRunning, let name = queue.removeFirst() else { return nil }
        running += 1
        pending[name]?.place = nil
        return name
    }

    /// A lookup has ended, without addresses if it failed. Returns those that waited for it, and the addresses to use.
    mutating func land(_ name: String, _ addresses: [String], at now: ContinuousClock.Instant) -> (waiters: [Waiter], addresses: [String]) {
        running -= 1
        if !addresses.isEmpty {
            if known[name] == nil, known.count >= capacity { known = known.filter { now - $0.value.found < Self.freshTime } }
            if known.count >= capacity { known.removeAll() }
            known[name] = Known(addresses: addresses, found: now)
        }
        return (pending.removeValue(forKey: name)?.all ?? [], addresses)
    }

    /// A waiter no longer waits. A lookup that runs goes on; one that has not begun is dropped with its last waiter.
    mutating func abandon(_ waiter: Waiter, of name: String) {
        // In place: ten thousand that end together cost no more than one each.
        guard pending[name]?.remove(waiter) == true else { return }
        guard let rest = pending[name], rest.waiters.isEmpty, let place = rest.place else { return }
        queue.remove(place)
        pending[name] = nil
    }
}
