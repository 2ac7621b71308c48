import MartletTesting
import Testing

@testable import MartletInterceptors

@Suite("RetryBudget", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    private let start = ContinuousClock.now

    @Test("A fifth of the last ten seconds' requests, and ten besides, unless told otherwise")
    func defaults() {
        let budget = RetryBudget()
        #expect(budget.share == 0.2 && budget.window == .seconds(10) && budget.minimum == 10)
        for _ in 0..<100 { budget.addRequest(at: start) }
        let granted = (0..<100).filter { _ in budget.takeRetry(at: start) }.count
        #expect(granted == 30)
    }

    @Test("Old traffic is forgotten, and with it what may be retried")
    func window() {
        let budget = RetryBudget(share: 0.5, window: .seconds(10), minimum: 0)
        for _ in 0..<10 { budget.addRequest(at: start) }
        #expect(budget.takeRetry(at: start + .seconds(9)))
        #expect(!budget.takeRetry(at: start + .seconds(11)))
        budget.addRequest(at: start + .seconds(12))
        budget.addRequest(at: start + .seconds(12))
        #expect(!budget.takeRetry(at: start + .seconds(12)))  // the one at 9 seconds still counts
        #expect(budget.takeRetry(at: start + .seconds(21)))
    }

    @Test("The minimum comes back with each window")
    func minimum() {
        let budget = RetryBudget(share: 0, window: .seconds(1), minimum: 1)
        #expect(budget.takeRetry(at: start))
        #expect(!budget.takeRetry(at: start + .milliseconds(899)))
        #expect(budget.takeRetry(at: start + .seconds(1)))
        #expect(!budget.takeRetry(at: start - .seconds(50)))  // a clock that goes back gains nothing
    }

    @Test("What makes no sense is no room, and does not trap")
    func nonsense() {
        for share in [-1, Double.nan, .infinity] {
            let budget = RetryBudget(share: share, window: .zero, minimum: -5)
            budget.addRequest(at: start)
            #expect(!budget.takeRetry(at: start))
            #expect(!budget.takeRetry(at: start + .seconds(Int64.max / 2)))
        }
    }

    @Test("Under any sequence, no retry is granted beyond the share and the minimum of what is remembered", arguments: 0..<40)
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
                // At least the last nine tenths count for retries, at most ten tenths for requests.
                let recent = retries.filter { $0 > instant - .seconds(9) }.count
                let traffic = requests.filter { $0 > instant - .seconds(10) }.count
                #expect(Double(recent) <= Double(minimum) + share * Double(traffic))
                continue
            }
            budget.addRequest(at: instant)
            requests.append(instant)
        }
    }

    @Test("Many tasks at once get no more than one would")
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
