import MartletSystem
import Testing

@Suite("EvictionOrder", .timeLimit(.minutes(1)))
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
