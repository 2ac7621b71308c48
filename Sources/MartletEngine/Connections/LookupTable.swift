internal import MartletSystem

/// The running name lookups, their waiters and the results. A value without I/O.
///
/// A result is used for ``freshTime``. From then until ``staleTime`` it is used while the name is looked up again, and kept if that lookup
/// fails, because an open connection needs no name server. Failures are not stored.
package struct LookupTable<Waiter: AnyObject> {
    /// The state of a name.
    package enum Finding: Equatable {
        case known([String])
        /// The lookup is queued or running.
        case pending
    }

    package static var freshTime: Duration { .seconds(5) }
    /// The lifetime of an entry in libcurl's own cache.
    package static var staleTime: Duration { .seconds(60) }

    private struct Known {
        let addresses: [String]
        let found: ContinuousClock.Instant
    }

    /// A name that is being looked up, or will be. Without waiters it is being refreshed.
    private struct Pending {
        var waiters = LinkedQueue<Waiter>()
        /// The position of each waiter in `waiters`.
        var numbers: [ObjectIdentifier: UInt64] = [:]
        /// The position of the name in the queue; nil while the lookup is running.
        var place: UInt64?

        mutating func append(_ waiter: Waiter) { numbers[ObjectIdentifier(waiter)] = waiters.append(waiter) }

        /// Removes a waiter. Returns false if it was not waiting.
        mutating func remove(_ waiter: Waiter) -> Bool {
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(waiter)) else { return false }
            waiters.remove(number)
            return true
        }

        /// The waiting transfers, in the order of their arrival.
        var all: [Waiter] {
            var rest = waiters, all: [Waiter] = []
            while let waiter = rest.removeFirst() { all.append(waiter) }
            return all
        }
    }

    private let maxRunning: Int
    private var known: BoundedMap<String, Known>
    private var pending: [String: Pending] = [:]
    private var queue = LinkedQueue<String>()
    private var running = 0

    /// - Parameters:
    ///   - maxRunning: The maximum number of concurrent lookups. Further names are queued.
    ///   - capacity: The maximum number of names whose addresses are stored.
    package init(maxRunning: Int, capacity: Int = 1000) {
        self.maxRunning = maxRunning
        known = BoundedMap(limit: capacity)
    }

    /// Requests the addresses of a name. If the finding is pending, ``complete(_:_:at:)`` returns the waiter later.
    package mutating func ask(_ name: String, for waiter: Waiter, at now: ContinuousClock.Instant) -> Finding {
        if let entry = known[name], now - entry.found < Self.staleTime {
            if now - entry.found >= Self.freshTime, pending[name] == nil { enqueue(name) }
            return .known(entry.addresses)
        }
        if pending[name] == nil { enqueue(name) }
        pending[name]?.append(waiter)
        return .pending
    }

    private mutating func enqueue(_ name: String) { pending[name] = Pending(place: queue.append(name)) }

    /// Returns the next name to look up, or nil if none is queued or the maximum number of lookups is running.
    package mutating func startNext() -> String? {
        guard running < maxRunning, let name = queue.removeFirst() else { return nil }
        running += 1
        pending[name]?.place = nil
        return name
    }

    /// Records the end of a lookup. `addresses` is empty if it failed. Returns the waiters and the addresses to use.
    package mutating func complete(
        _ name: String, _ addresses: [String], at now: ContinuousClock.Instant
    ) -> (waiters: [Waiter], addresses: [String]) {
        running -= 1
        if !addresses.isEmpty {
            known.insert(Known(addresses: addresses, found: now), for: name) { entry in
                now - entry.value.found < Self.staleTime ? .inOrder(entry.value.found) : .atOnce
            }
        }
        return (pending.removeValue(forKey: name)?.all ?? [], addresses)
    }

    /// Removes a waiter. A running lookup continues. A queued lookup is dropped with its last waiter.
    package mutating func abandon(_ waiter: Waiter, of name: String) {
        // Copying the waiters here would make the end of ten thousand waiters take quadratic time.
        guard pending[name]?.remove(waiter) == true else { return }
        guard let rest = pending[name], rest.waiters.isEmpty, let place = rest.place else { return }
        queue.remove(place)
        pending[name] = nil
    }
}
