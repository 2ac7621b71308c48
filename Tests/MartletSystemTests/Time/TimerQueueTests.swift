import Testing

@testable import MartletSystem

@Suite("TimerQueue", .timeLimit(.minutes(5)))
struct TimerQueueTests {
    private final class Item: QueuedTimer {
        let number: Int
        var place = -1
        init(_ number: Int) { self.number = number }
    }

    private let start = ContinuousClock.now

    private func numbers(_ items: [any QueuedTimer]) -> [Int] { items.compactMap { ($0 as? Item)?.number } }

    @Test("An empty queue has no due items and nothing to remove")
    func empty() {
        var queue = TimerQueue()
        #expect(queue.nextDue == nil)
        let due = queue.removeDue(at: start), wasThere = queue.remove(Item(0))
        #expect(due.isEmpty)
        #expect(!wasThere)
    }

    @Test("Due items are returned earliest first, and the others stay")
    func order() {
        var queue = TimerQueue()
        for seconds in [5, 1, 4, 2, 3] { queue.insert(Item(seconds), due: start + .seconds(seconds)) }
        #expect(queue.nextDue == start + .seconds(1))
        let due = queue.removeDue(at: start + .seconds(3)), again = queue.removeDue(at: start + .seconds(3))
        #expect(numbers(due) == [1, 2, 3])
        #expect(again.isEmpty)
        #expect(queue.nextDue == start + .seconds(4))
    }

    @Test("An item is due at its exact instant, and not a nanosecond before")
    func boundary() {
        var queue = TimerQueue()
        queue.insert(Item(1), due: start)
        let before = queue.removeDue(at: start - .nanoseconds(1)), due = queue.removeDue(at: start)
        #expect(before.isEmpty)
        #expect(numbers(due) == [1])
    }

    @Test("All items of the same instant are returned")
    func ties() {
        var queue = TimerQueue()
        for number in 0..<20 { queue.insert(Item(number), due: start) }
        let due = queue.removeDue(at: start)
        #expect(Set(numbers(due)) == Set(0..<20))
    }

    @Test("Removing returns whether the item was present, and releases it")
    func removing() {
        var queue = TimerQueue()
        weak var weakItem: Item?
        do {
            let item = Item(1)
            weakItem = item
            queue.insert(item, due: start)
            let wasThere = [queue.remove(item), queue.remove(item)]
            #expect(wasThere == [true, false])
        }
        #expect(weakItem == nil)
        #expect(queue.nextDue == nil)
        #expect(queue.count == 0)
    }

    @Test("A timer of another queue is not removed")
    func otherQueue() {
        var queue = TimerQueue(), other = TimerQueue()
        let item = Item(1)
        queue.insert(item, due: start)
        other.insert(Item(2), due: start)
        let wasThere = other.remove(item)
        #expect(!wasThere)
        #expect([queue.count, other.count] == [1, 1])
    }

    @Test("The queue behaves like a sorted array in five thousand random steps for each seed", arguments: [1, 7, 42, 1994] as [UInt64])
    func model(seed: UInt64) throws {
        var random = Random(state: seed)
        var queue = TimerQueue()
        var model: [(due: ContinuousClock.Instant, item: Item)] = []
        for step in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let entry = (due: start + .milliseconds(Int.random(in: 0..<500, using: &random)), item: Item(step))
                queue.insert(entry.item, due: entry.due)
                model.append(entry)
            case 5..<9:
                guard let place = model.indices.randomElement(using: &random) else { continue }
                let item = model.remove(at: place).item
                let wasThere = queue.remove(item)
                try #require(wasThere)
            default:
                let instant = start + .milliseconds(Int.random(in: 0..<200, using: &random))
                let due = queue.removeDue(at: instant)
                let expected = model.filter { $0.due <= instant }.sorted { $0.due < $1.due }
                let dueTimes = Dictionary(uniqueKeysWithValues: expected.map { ($0.item.number, $0.due) })
                model.removeAll { $0.due <= instant }
                // Items of the same instant may come in any order, so only the instants and the set of items are compared.
                try #require(numbers(due).map { dueTimes[$0] } == expected.map(\.due))
                try #require(Set(numbers(due)) == Set(expected.map(\.item.number)))
            }
            try #require(queue.nextDue == model.map(\.due).min())
            try #require(queue.count == model.count)
        }
        let rest = queue.removeDue(at: start + .seconds(1))
        #expect(rest.count == model.count)
    }
}

private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }
}
