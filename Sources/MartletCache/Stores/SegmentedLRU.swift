/// The responses of an in-memory store in two queues, ordered by last use: responses used since they were stored, and all others. Every
/// operation takes constant time.
struct SegmentedLRU {
    private struct Slot {
        /// Nil in a free slot.
        var entry: CacheEntry?
        var cost: Int
        var wasUsed = false
        var previous: Int?
        var next: Int?
    }

    /// Slots from the most to the least recently used.
    private struct Queue {
        var first: Int?
        var last: Int?
        var bytes = 0
    }

    private let capacity: Int
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var places: [CacheKey: [CacheVariant: Int]] = [:]
    private var scopes: [String: Set<String>] = [:]
    /// The queue of unused responses, and the queue of used ones.
    private var queues = [Queue(), Queue()]

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { slots.count - free.count }
    var bytes: Int { queues[0].bytes + queues[1].bytes }

    /// Returns the approximate size of a response without its body, in bytes.
    static func overhead(of response: StoredResponse) -> Int {
        var bytes = 512 + 2 * (response.key.uri.utf8.count + response.key.scope.utf8.count) + response.variant.text.utf8.count
        response.headers.forEachLineOfBytes { name, value in bytes += name.count + value.count + 48 }
        // Parsed fields need many times the memory of their text.
        bytes += 64 * (response.facts.control.directives.count + response.variant.selectors.count)
        return bytes
    }

    mutating func entries(for key: CacheKey) -> [CacheEntry] {
        guard let places = places[key] else { return [] }
        return places.values.compactMap { number in
            touch(number)
            return slots[number].entry
        }
    }

    mutating func keep(_ entry: CacheEntry) {
        let response = entry.response
        // A response that replaces another was requested again, so it counts as used.
        let replaced = places[response.key]?[response.variant]
        if let replaced { remove(replaced) }
        let cost = SegmentedLRU.overhead(of: response) + Int(clamping: entry.body.length ?? 0)
        guard cost <= capacity else { return }
        let number = free.popLast() ?? slots.count
        let slot = Slot(entry: entry, cost: cost, wasUsed: replaced != nil)
        if number == slots.count { slots.append(slot) } else { slots[number] = slot }
        places[response.key, default: [:]][response.variant] = number
        scopes[response.key.uri, default: []].insert(response.key.scope)
        push(number)
        makeRoom()
    }

    mutating func update(_ response: StoredResponse) {
        guard let number = number(of: response), let old = slots[number].entry, old.response.variant == response.variant else { return }
        let body = old.body
        unlink(number)
        slots[number].entry = CacheEntry(response: response, body: body)
        slots[number].cost = SegmentedLRU.overhead(of: response) + Int(clamping: body.length ?? 0)
        push(number)
        makeRoom()
    }

    mutating func remove(_ response: StoredResponse) { if let number = number(of: response) { remove(number) } }

    mutating func removeAll(for uri: String) {
        for scope in scopes[uri] ?? [] {
            for number in (places[CacheKey(uri: uri, scope: scope)] ?? [:]).values { remove(number) }
        }
    }

    mutating func removeAll() { self = SegmentedLRU(capacity: capacity) }

    private func number(of response: StoredResponse) -> Int? {
        guard let places = places[response.key] else { return nil }
        if let number = places[response.variant], slots[number].entry?.response.id == response.id { return number }
        return places.values.first { slots[$0].entry?.response.id == response.id }
    }

    /// Removes responses until the size is within the capacity: from the used queue if that exceeds three quarters, otherwise from the
    /// unused queue.
    private mutating func makeRoom() {
        while bytes > capacity {
            // The only unused response may be the newest one, which must not be removed immediately.
            let isLast = queues[0].first == queues[0].last
            let oldest = queues[1].bytes > capacity / 4 * 3 || isLast ? queues[1].last ?? queues[0].last : queues[0].last
            guard let oldest else { return }
            remove(oldest)
        }
    }

    private mutating func touch(_ number: Int) {
        if slots[number].wasUsed, slots[number].previous == nil { return }
        unlink(number)
        slots[number].wasUsed = true
        push(number)
    }

    private mutating func remove(_ number: Int) {
        unlink(number)
        guard let response = slots[number].entry?.response else { return }
        slots[number].entry = nil
        free.append(number)
        places[response.key]?[response.variant] = nil
        guard places[response.key]?.isEmpty == true else { return }
        places[response.key] = nil
        scopes[response.key.uri]?.remove(response.key.scope)
        if scopes[response.key.uri]?.isEmpty == true { scopes[response.key.uri] = nil }
    }

    private mutating func push(_ number: Int) {
        let queue = slots[number].wasUsed ? 1 : 0
        let first = queues[queue].first
        slots[number].previous = nil
        slots[number].next = first
        if let first { slots[first].previous = number } else { queues[queue].last = number }
        queues[queue].first = number
        queues[queue].bytes += slots[number].cost
    }

    private mutating func unlink(_ number: Int) {
        let (previous, next) = (slots[number].previous, slots[number].next)
        let queue = slots[number].wasUsed ? 1 : 0
        if let previous { slots[previous].next = next } else { queues[queue].first = next }
        if let next { slots[next].previous = previous } else { queues[queue].last = previous }
        queues[queue].bytes -= slots[number].cost
    }
}
