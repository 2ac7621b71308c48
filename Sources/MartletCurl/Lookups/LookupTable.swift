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

    private let maxRunning: Int
    private let capacity: Int
    private var known: [String: Known] = [:]
    /// By the name, those that wait for it; a name without any is being refreshed.
    private var waiters: [String: [Waiter]] = [:]
    private var queue: [String] = []
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
            if now - entry.found >= Self.freshTime, waiters[name] == nil { enqueue(name) }
            return .known(entry.addresses)
        }
        if waiters[name] == nil { enqueue(name) }
        waiters[name, default: []].append(waiter)
        return .pending
    }

    private mutating func enqueue(_ name: String) {
        waiters[name] = []
        queue.append(name)
    }

    /// The next name to look up now; nil when there is none, or when enough are being looked up.
    mutating func startNext() -> String? {
        guard running < maxRunning, !queue.isEmpty else { return nil }
        running += 1
        return queue.removeFirst()
    }

    /// A lookup has ended, without addresses if it failed. Returns those that waited for it, and the addresses to use.
    mutating func land(_ name: String, _ addresses: [String], at now: ContinuousClock.Instant) -> (waiters: [Waiter], addresses: [String]) {
        running -= 1
        if !addresses.isEmpty {
            if known[name] == nil, known.count >= capacity { known = known.filter { now - $0.value.found < Self.freshTime } }
            if known.count >= capacity { known.removeAll() }
            known[name] = Known(addresses: addresses, found: now)
        }
        return (waiters.removeValue(forKey: name) ?? [], addresses)
    }

    /// A waiter no longer waits. A lookup that runs goes on; one that has not begun is dropped with its last waiter.
    mutating func abandon(_ waiter: Waiter, of name: String) {
        guard var rest = waiters[name], let index = rest.firstIndex(where: { $0 === waiter }) else { return }
        rest.remove(at: index)
        waiters[name] = rest
        guard rest.isEmpty, let place = queue.firstIndex(of: name) else { return }
        queue.remove(at: place)
        waiters[name] = nil
    }
}
