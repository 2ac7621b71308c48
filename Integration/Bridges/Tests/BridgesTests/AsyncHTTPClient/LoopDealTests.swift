#if AsyncHTTPClient
import Testing

@testable import MartletBridges

@Suite("LoopDeal", .timeLimit(.minutes(5)))
struct LoopDealTests {
    @Test("Requests go to the first loop until it is full, then to the next, and then to the one with the fewest")
    func order() {
        var deal = LoopDeal(loops: 2, engines: 8, connections: 6)
        #expect((0..<7).map { _ in deal.begin() } == [0, 0, 0, 1, 1, 1, 0])
        deal.end(1)
        #expect(deal.begin() == 1 && deal.running == [4, 3])
    }

    @Test("Sequential requests stay on one loop, whose connection they reuse")
    func sequential() {
        var deal = LoopDeal(loops: 4, engines: 4, connections: 64)
        for _ in 0..<10 {
            #expect(deal.begin() == 0)
            deal.end(0)
        }
    }

    @Test("There are never more loops than asked for, than there are, or than connections are allowed")
    func counts() {
        #expect(LoopDeal(loops: 16, engines: 4, connections: 64).running.count == 4)
        #expect(LoopDeal(loops: 2, engines: 4, connections: 64).running.count == 2)
        #expect(LoopDeal(loops: 16, engines: 4, connections: 3).running.count == 3)
        #expect(LoopDeal(loops: 16, engines: 0, connections: 0).running.count == 1)
        #expect(LoopDeal.part(of: 64, of: 2) == 32 && LoopDeal.part(of: 1, of: 2) == 1)
    }
}
#endif
