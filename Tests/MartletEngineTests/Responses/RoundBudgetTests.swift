import Testing

@testable import MartletEngine

@Suite("RoundBudget", .timeLimit(.minutes(5)))
struct RoundBudgetTests {
    @Test("A transfer has a limited share of each round")
    func share() {
        var work = RoundBudget(), share = RoundBudget.Share()
        #expect(work.allowance(of: share) == RoundBudget.perTransfer)
        work.spend(1000, of: &share)
        #expect(work.allowance(of: share) == RoundBudget.perTransfer - 1000)
        work.spend(RoundBudget.perTransfer, of: &share)
        #expect(work.allowance(of: share) < 0)
        work.begin()
        #expect(work.allowance(of: share) == RoundBudget.perTransfer)
        work.spend(1, of: &share)
        #expect(work.allowance(of: share) == RoundBudget.perTransfer - 1)
    }

    @Test("All transfers together are limited to a round's work")
    func all() {
        var work = RoundBudget(), allowed = 0
        for _ in 0..<100 {
            var share = RoundBudget.Share()
            let next = max(0, work.allowance(of: share))
            work.spend(next, of: &share)
            allowed += next
        }
        #expect(allowed == RoundBudget.perRound)
        #expect(work.allowance(of: RoundBudget.Share()) == 0)
        work.begin()
        #expect(work.left == RoundBudget.perRound)
    }
}
