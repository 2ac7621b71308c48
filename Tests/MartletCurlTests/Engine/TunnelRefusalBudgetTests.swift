import Testing

@testable import MartletCurl

@Suite("TunnelRefusalBudget", .timeLimit(.minutes(1)))
struct TunnelRefusalBudgetTests {
    @Test("A round's budget ends after 64 KiB")
    func bytes() {
        var budget = TunnelRefusalBudget()
        let taken = (0..<TunnelRefusalBudget.bytesPerRound + 2).count { _ in budget.take() }
        #expect(taken == TunnelRefusalBudget.bytesPerRound)
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
