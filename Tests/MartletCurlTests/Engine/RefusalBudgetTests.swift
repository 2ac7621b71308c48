import Testing

@testable import MartletCurl

@Suite("RefusalBudget", .timeLimit(.minutes(1)))
struct RefusalBudgetTests {
    @Test("A round's budget ends after 64 KiB")
    func bytes() {
        var budget = RefusalBudget()
        let taken = (0..<RefusalBudget.bytesPerRound + 2).count { _ in budget.take() }
        #expect(taken == RefusalBudget.bytesPerRound)
    }

    @Test("Each round has a new budget for all transfers together")
    func rounds() {
        let round = EngineRound()
        while round.refusals.take() {}
        round.begin()
        let isTaken = round.refusals.take()
        #expect(isTaken)
    }
}
