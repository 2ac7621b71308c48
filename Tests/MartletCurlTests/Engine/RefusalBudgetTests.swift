import Testing

@testable import MartletCurl

@Suite("RefusalBudget", .timeLimit(.minutes(1)))
struct RefusalBudgetTests {
    @Test("A round's budget ends after 64 KiB, and the next round has a new one")
    func rounds() {
        var budget = RefusalBudget()
        let taken = (0..<RefusalBudget.bytesPerRound + 2).count { _ in budget.take(in: 1) }
        #expect(taken == RefusalBudget.bytesPerRound)
        let isTakenLater = budget.take(in: 2)
        #expect(isTakenLater)
    }
}
