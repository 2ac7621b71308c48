import MartletTesting
import Testing

@testable import MartletResilience

@Suite("RetryBudget", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    private let start = ContinuousClock.now

    @Test("By default the budget permits a fifth of the last ten seconds' requests plus ten retries")
    func defaults() {
        let budget = RetryBudget()
        #expect(budget.share == 0.2 && budget.window == .seconds(10) && budget.minimum == 10)
        for _ in 0..<100 { budget.addRequest(at: start) }
        let granted = (0..<100).filter { _ in budget.takeRetry(at: start) }.count
        #expect(granted == 30)
    }

    @Test("Old traffic is forgotten together with the retries that it permits")
    func window() {
        let budget = RetryBudget(share: 0.5, window: .seconds(10), minimum: 0)
        for _ in 0..<10 { budget.addRequest(at: start) }
        #expect(budget.takeRetry(at: start + .seconds(9)))
        #expect(!budget.takeRetry(at: start + .seconds(11)))
        budget.addRequest(at: start + .seconds(12))
        budget.addRequest(at: start + .seconds(12))
        #expect(!budget.takeRetry(at: start + .seconds(12)))  // the retry at 9 seconds still counts
        #expect(budget.takeRetry(at: start + .seconds(21)))
    }

    @Test("The minimum is available again in each window")
    func minimum() {
        let budget = RetryBudget(share: 0, window: .seconds(1), minimum: 1)
        #expect(budget.takeRetry(at: start))
        #expect(!budget.takeRetry(at: start + .milliseconds(899)))
        #expect(budget.takeRetry(at: start + .seconds(1)))
        #expect(!budget.takeRetry(at: start - .seconds(50)))  // a clock that goes back permits no additional retries
    }

    @Test("Invalid values count as zero and do not trap")
    func nonsense() {
        for share in [-1, Double.nan, .infinity] {
            let budget = RetryBudget(share: share, window: .zero, minimum: -5)
            budget.addRequest(at: start)
            #expect(!budget.takeRetry(at: start))
            #expect(!budget.takeRetry(at: start + .seconds(Int64.max / 2)))
        }
    }

    @Test("In any sequence, no retry exceeds the share plus the minimum of the remembered traffic", arguments: 0..<40)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let share = Double.random(in: 0...1, using: &generator), minimum = Int.random(in: 0...5, using: &generator)
        let budget = RetryBudget(share: share, window: .seconds(10), minimum: minimum)
        var instant = start
        var requests: [ContinuousClock.Instant] = [], retries: [ContinuousClock.Instant] = []
        for _ in 0..<500 {
            instant += .milliseconds(Int.random(in: 0...Int.random(in: 1...3_000, using: &generator), using: &generator))
            guard Int.random(in: 0..<3, using: &generator) == 0 else {
                guard budget.takeRetry(at: instant) else { continue }
                retries.append(instant)
                // Retries count for at least nine tenths of the window, and requests for at most ten tenths.
                let recent = retries.filter { $0 > instant - .seconds(9) }.count
                let traffic = requests.filter { $0 > instant - .seconds(10) }.count
                #expect(Double(recent) <= Double(minimum) + share * Double(traffic))
                continue
            }
            budget.addRequest(at: instant)
            requests.append(instant)
        }
    }

    @Test("Concurrent tasks together get no more retries than one task would")
    func concurrent() async {
        let budget = RetryBudget(share: 0.2, minimum: 0), start = start
        for _ in 0..<1_000 { budget.addRequest(at: start) }
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { (0..<100).filter { _ in budget.takeRetry(at: start) }.count } }
            return await group.reduce(0, +)
        }
        #expect(granted == 200)
    }
}
