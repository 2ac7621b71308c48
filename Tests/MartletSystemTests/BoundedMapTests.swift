import MartletSystem
import Testing

@Suite("BoundedMap", .timeLimit(.minutes(5)))
struct BoundedMapTests {
    private func map(_ keys: some Sequence<Int>, limit: Int) -> BoundedMap<Int, Int> {
        var map = BoundedMap<Int, Int>(limit: limit)
        for key in keys { map.insert(0, for: key) }
        return map
    }

    @Test("Beyond a small limit, the entry that was used longest ago is removed; reading is no use")
    func leastRecentlyUsed() {
        var map = map(1...3, limit: 3)
        #expect(map[2] == 0 && map.use(1) { $0 } == 0 && map.use(9) { $0 } == nil)
        #expect(map.insert(0, for: 4).map(\.key) == [2])
        map.insert(1, for: 3)
        #expect(map.insert(0, for: 5).map(\.key) == [1])
        #expect(map.dictionary == [3: 1, 4: 0, 5: 0])
    }

    @Test("The number of entries never exceeds the limit, and a full map keeps seven eighths", arguments: [0, 1, 7, 14, 15, 16, 1_000])
    func limits(limit: Int) {
        var map = BoundedMap<Int, Int>(limit: limit), isWithin = true, isFull = true
        for key in 0..<3_000 {
            map.insert(key, for: key)
            isWithin = isWithin && map.count <= limit
            isFull = isFull && map.count >= min(key, limit - limit / 8)
        }
        #expect(isWithin && isFull)
        #expect(limit == 0 || map[2_999] == 2_999)
    }

    @Test("Each insertion into a full map looks at eight entries on average, whatever the limit", arguments: [100, 1_000, 10_000])
    func looks(limit: Int) {
        var map = BoundedMap<Int, Int>(limit: limit), looks = 0
        let insertions = 20 * limit
        for key in 0..<insertions {
            map.insert(key, for: key) { entry -> Eviction<Int> in
                looks += 1
                return .inOrder(entry.value)
            }
        }
        #expect(looks <= 9 * insertions)
    }

    @Test("Entries that must stay do not make each insertion look at all of them")
    func manyStay() {
        var map = BoundedMap<Int, Int>(limit: 100), looks = 0
        for key in 0..<10_000 {
            map.insert(key, for: key) { _ -> Eviction<Int> in
                looks += 1
                return .never
            }
        }
        #expect(map.count == 10_000 && looks <= 10 * 10_000)
        for key in 10_000..<12_000 { map.insert(key, for: key) }
        #expect(map.count <= 100)
    }

    @Test("Entries without use are removed first, and all together; of the others, those of the lowest order")
    func orders() {
        var map = map(0..<16, limit: 16)
        let removed = map.insert(0, for: 16) { entry -> Eviction<Int> in
            switch entry.key {
            case 1, 3, 5: .atOnce
            case 0: .never
            default: .inOrder(-entry.key)
            }
        }
        #expect(Set(removed.map(\.key)) == [1, 3, 5])
        let next = (17..<20).flatMap { map.insert(0, for: $0) { $0.key == 0 ? .never : .inOrder(-$0.key) } }
        #expect(next.map(\.key) == [19, 18])
    }

    @Test("The new entry is removed if it is the first in order")
    func newEntry() {
        var map = map(1...2, limit: 2)
        #expect(map.insert(0, for: 0) { .inOrder($0.key) }.map(\.key) == [0])
    }

    @Test("The largest group loses entries, in their order, until it is as small as the next one")
    func groups() {
        var map = BoundedMap<Int, Int>(limit: 10)
        func insert(_ key: Int) -> [Int] { map.insert(key, for: key, fromLargest: { $0.key / 100 }) { .inOrder($0.value) }.map(\.key) }
        for key in [500, 501, 600, 700] { #expect(insert(key) == []) }
        var removed: [Int] = []
        for key in (0..<30).reversed() { removed += insert(key) }
        // Six entries of the first group remain: those with the highest order.
        #expect(Set(map.dictionary.keys) == Set([500, 501, 600, 700] + (24..<30)))
        #expect(removed.count == 24)
    }

    @Test("A flood of one group looks at a limited number of entries for each insertion, and leaves the others alone")
    func groupFlood() {
        var map = BoundedMap<Int, Int>(limit: 1_000), looks = 0
        for key in -500..<0 { map.insert(key, for: key) }
        for key in 0..<20_000 {
            map.insert(key, for: key) { entry in
                looks += 1
                return entry.key < 0 ? entry.key : 0
            } evicting: {
                .inOrder($0.value)
            }
        }
        #expect(looks <= 9 * 20_000)
        #expect((-500..<0).allSatisfy { map[$0] != nil })
    }

    @Test("Beyond the maximum cost, entries are removed until it is kept")
    func costs() {
        var map = BoundedMap<Int, Int>(limit: 100, maxCost: 10)
        for key in 1...4 { map.insert(0, for: key, cost: key) }
        #expect(map.cost == 10)
        #expect(map.insert(0, for: 2, cost: 3).map(\.key) == [1])
        #expect(map.insert(0, for: 5, cost: 7).map(\.key) == [3, 4])
        #expect(map.cost == 10)
        map.removeValue(for: 5)
        #expect(map.cost == 3)
        #expect(map.removeAll { $0.key == 2 } == 1)
        #expect(map.cost == 0 && map.isEmpty)
    }

    @Test("Changing all values does not count as a use")
    func updateAll() {
        var map = map(1...3, limit: 3)
        _ = map.use(1) { $0 = 5 }
        map.updateAll { $0 += 1 }
        #expect(map.dictionary == [1: 6, 2: 1, 3: 1])
        #expect(map.insert(0, for: 4).map(\.key) == [2])
        map.removeAll()
        #expect(map.isEmpty && map.limit == 3)
    }
}

@Suite("EvictionOrder", .timeLimit(.minutes(5)))
struct EvictionTests {
    private func order(_ items: [Int], useless: Set<Int> = [], staying: Set<Int> = []) -> EvictionOrder<Int> {
        EvictionOrder(items) { item -> Eviction<Int> in
            useless.contains(item) ? .atOnce : staying.contains(item) ? .never : .inOrder(item / 10)
        } ties: {
            $0 > $1
        }
    }

    @Test("Entries without use come first, then the others in their order, and entries that stay are left out")
    func items() {
        let order = order([31, 12, 11, 25, 9, 40], useless: [40], staying: [9])
        #expect(order.items == [40, 12, 11, 25, 31] && order.uselessCount == 1)
    }

    @Test("At least an eighth of a collection and one entry are removed, and more if the limit or useless entries require it")
    func excess() {
        let order = order(Array(0..<100), useless: [98, 99])
        #expect(order.excess(of: 100, limit: 100).count == 12)
        #expect(order.excess(of: 100, limit: 70).count == 30)
        #expect(order.excess(of: 7, limit: 7).count == 2)
        #expect(self.order([1, 2]).excess(of: 2, limit: 2) == [2])
        #expect(self.order([1, 2]).excess(of: 2, limit: 0) == [2, 1])
        #expect(self.order([1], staying: [1]).excess(of: 1, limit: 0).isEmpty)
    }
}
