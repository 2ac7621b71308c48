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
    var count: Int { entries.count }

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
        entries[place] = last
        last.item.place = place
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

    // Entries are moved rather than copied: a copy would count references at each step.

    private mutating func siftUp(_ start: Int) {
        entries.withUnsafeMutableBufferPointer { heap in
            guard let heap = heap.baseAddress, start > 0, heap[start].due < heap[(start - 1) / 2].due else { return }
            let entry = (heap + start).move()
            var place = start
            while place > 0, entry.due < heap[(place - 1) / 2].due {
                TimerQueue.move((place - 1) / 2, to: place, in: heap)
                place = (place - 1) / 2
            }
            TimerQueue.put(entry, at: place, in: heap)
        }
    }

    private mutating func siftDown(_ start: Int) {
        entries.withUnsafeMutableBufferPointer { heap in
            let count = heap.count
            guard let heap = heap.baseAddress, start < count else { return }
            let entry = (heap + start).move()
            var place = start
            while true {
                let left = 2 * place + 1, right = left + 1
                guard left < count else { break }
                let child = right < count && heap[right].due < heap[left].due ? right : left
                guard heap[child].due < entry.due else { break }
                TimerQueue.move(child, to: place, in: heap)
                place = child
            }
            TimerQueue.put(entry, at: place, in: heap)
        }
    }

    /// Moves an entry to a place that has none.
    private static func move(_ start: Int, to place: Int, in heap: UnsafeMutablePointer<Entry>) {
        (heap + place).moveInitialize(from: heap + start, count: 1)
        heap[place].item.place = place
    }

    /// Stores an entry at a place that has none.
    private static func put(_ entry: consuming Entry, at place: Int, in heap: UnsafeMutablePointer<Entry>) {
        (heap + place).initialize(to: entry)
        heap[place].item.place = place
    }
}
