/// A queue of timers in the order in which they are due.
///
/// The queue is a binary heap whose entries know their positions, so that removing a timer costs as little as adding one. Most timers are
/// deadlines of a minute that are cancelled within milliseconds.
public struct TimerQueue<Item: AnyObject> {
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var places: [ObjectIdentifier: Int] = [:]

    @usableFromInline struct Entry {
        @usableFromInline let due: ContinuousClock.Instant
        @usableFromInline let item: Item

        @inlinable init(due: ContinuousClock.Instant, item: Item) {
            self.due = due
            self.item = item
        }
    }

    /// The number of items.
    @inlinable public var count: Int { entries.count }

    /// The instant at which the earliest item is due, or nil if there are no items.
    @inlinable public var nextDue: ContinuousClock.Instant? { entries.first?.due }

    /// Creates an empty queue.
    @inlinable public init() {}

    /// Adds an item that is not in the queue.
    @inlinable public mutating func insert(_ item: Item, due: ContinuousClock.Instant) {
        entries.append(Entry(due: due, item: item))
        places[ObjectIdentifier(item)] = entries.count - 1
        siftUp(entries.count - 1)
    }

    /// Removes an item. Returns false if it is not in the queue.
    @discardableResult
    @inlinable public mutating func remove(_ item: Item) -> Bool {
        guard let place = places.removeValue(forKey: ObjectIdentifier(item)) else { return false }
        let last = entries.removeLast()
        guard place < entries.count else { return true }
        put(last, at: place)
        siftUp(place)
        siftDown(place)
        return true
    }

    /// Removes and returns the items that are due at `instant`, the earliest first.
    @inlinable public mutating func removeDue(at instant: ContinuousClock.Instant) -> [Item] {
        var due: [Item] = []
        while let first = entries.first, first.due <= instant {
            remove(first.item)
            due.append(first.item)
        }
        return due
    }

    @inlinable mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[ObjectIdentifier(entry.item)] = place
    }

    @inlinable mutating func swap(_ left: Int, _ right: Int) {
        let entry = entries[left]
        put(entries[right], at: left)
        put(entry, at: right)
    }

    @inlinable mutating func siftUp(_ start: Int) {
        var place = start
        while place > 0, entries[place].due < entries[(place - 1) / 2].due {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    @inlinable mutating func siftDown(_ start: Int) {
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
