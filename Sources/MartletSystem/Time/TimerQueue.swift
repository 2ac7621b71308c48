/// Timers in the order in which they are due: a binary heap whose entries know their place, so that cancelling one is as cheap
/// as adding it and leaves nothing behind. (Most timers here are deadlines of a minute that are cancelled within milliseconds.)
package struct TimerQueue<Item: AnyObject> {
    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]

    private struct Entry {
        let due: ContinuousClock.Instant
        let item: Item
    }

    /// How many items there are.
    package var count: Int { entries.count }

    /// When the earliest is due.
    package var nextDue: ContinuousClock.Instant? { entries.first?.due }

    package init() {}

    /// Puts an item in; one item stands in the queue once at a time.
    package mutating func insert(_ item: Item, due: ContinuousClock.Instant) {
        entries.append(Entry(due: due, item: item))
        places[ObjectIdentifier(item)] = entries.count - 1
        siftUp(entries.count - 1)
    }

    /// Takes an item out; false when it is not there.
    @discardableResult
    package mutating func remove(_ item: Item) -> Bool {
        guard let place = places.removeValue(forKey: ObjectIdentifier(item)) else { return false }
        let last = entries.removeLast()
        guard place < entries.count else { return true }
        put(last, at: place)
        siftUp(place)
        siftDown(place)
        return true
    }

    /// Takes out the items that are due at `instant`, earliest first.
    package mutating func removeDue(at instant: ContinuousClock.Instant) -> [Item] {
        var due: [Item] = []
        while let first = entries.first, first.due <= instant {
            remove(first.item)
            due.append(first.item)
        }
        return due
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[ObjectIdentifier(entry.item)] = place
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        let entry = entries[left]
        put(entries[right], at: left)
        put(entry, at: right)
    }

    private mutating func siftUp(_ start: Int) {
        var place = start
        while place > 0, entries[place].due < entries[(place - 1) / 2].due {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child].due < entries[least].due {
                least = child
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }
}
