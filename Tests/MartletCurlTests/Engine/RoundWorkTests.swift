import Testing

@testable import MartletCurl

@Suite("RoundWork", .timeLimit(.minutes(5)))
struct RoundWorkTests {
    @Test("A transfer has a limited share of each round")
    func share() {
        var work = RoundWork(), share = RoundWork.Share()
        #expect(work.allowance(of: share) == RoundWork.perTransfer)
        work.spend(1000, of: &share)
        #expect(work.allowance(of: share) == RoundWork.perTransfer - 1000)
        work.spend(RoundWork.perTransfer, of: &share)
        #expect(work.allowance(of: share) < 0)
        work.begin()
        #expect(work.allowance(of: share) == RoundWork.perTransfer)
        work.spend(1, of: &share)
        #expect(work.allowance(of: share) == RoundWork.perTransfer - 1)
    }

    @Test("All transfers together are limited to a round's work")
    func all() {
        var work = RoundWork(), allowed = 0
        for _ in 0..<100 {
            var share = RoundWork.Share()
            let next = max(0, work.allowance(of: share))
            work.spend(next, of: &share)
            allowed += next
        }
        #expect(allowed == RoundWork.perRound)
        #expect(work.allowance(of: RoundWork.Share()) == 0)
        work.begin()
        #expect(work.left == RoundWork.perRound)
    }
}
