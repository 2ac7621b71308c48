/// An object that can wait in a ``TimerQueue``, in one at a time.
package protocol QueuedTimer: AnyObject {
    /// The position in the heap of the queue, or -1 outside a queue, as at first. Only the queue changes it.
    var place: Int { get set }
}

/// A queue of timers in the order in which they are due.
///
/// The queue is a binary heap whose items know their positions, so that removing a timer costs as little as adding one. Most timers are
/// deadlines of a minute that are cancelled within milliseconds. The items are not generic: the queue is used from other modules, in
/// which a generic one would look up the metadata of its types at each step.
package struct TimerQueue {
    private var entries: [Entry] = []

    private struct Entry {
        let due: ContinuousClock.Instant
        let item: any QueuedTimer
    }

    /// Creates an empty queue.
    package init() {}

    /// The number of items.
    package var count: Int { entries.count }

    /// The instant at which the earliest item is due; nil for an empty queue.
    package var nextDue: ContinuousClock.Instant? { entries.first?.due }

    /// Adds an item that is in no queue.
    package mutating func insert(_ item: any QueuedTimer, due: ContinuousClock.Instant) {
        precondition(item.place < 0, "a timer can be in one queue only")
        entries.append(Entry(due: due, item: item))
        item.place = entries.count - 1
        siftUp(entries.count - 1)
    }

    /// Removes an item. Returns false if it is not in the queue.
    @discardableResult
    package mutating func remove(_ item: any QueuedTimer) -> Bool {
        let place = item.place
        guard entries.indices.contains(place), entries[place].item === item else { return false }
        item.place = -1
        let last = entries.removeLast()
        guard place < entries.count else { return true }
        put(last, at: place)
        siftUp(place)
        siftDown(place)
        return true
    }

    /// Removes and returns the items that are due at `instant`, the earliest first.
    package mutating func removeDue(at instant: ContinuousClock.Instant) -> [any QueuedTimer] {
        var due: [any QueuedTimer] = []
        while let first = entries.first, first.due <= instant {
            remove(first.item)
            due.append(first.item)
        }
        return due
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        entry.item.place = place
    }

    private mutating func siftUp(_ start: Int) {
        let entry = entries[start]
        var place = start
        while place > 0, entry.due < entries[(place - 1) / 2].due {
            put(entries[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        if place != start { put(entry, at: place) }
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        var place = start
        while true {
            let left = 2 * place + 1, right = left + 1
            guard left < entries.count else { break }
            let child = right < entries.count && entries[right].due < entries[left].due ? right : left
            guard entries[child].due < entry.due else { break }
            put(entries[child], at: place)
            place = child
        }
        if place != start { put(entry, at: place) }
    }
}
