import MartletTesting
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(5))) struct FailureBudgetTests {
    private func persistence(_ maxFailures: Int) -> FailureBudget {
        FailureBudget(
            maxFailures: maxFailures, maxWait: .seconds(60), backoff: .exponential(base: .seconds(1), jitter: .none),
            random: SeededRandom(seed: 1))
    }

    @Test("Failures in a row without a new byte end it, and their waits grow; any new byte begins anew")
    func counts() {
        var persistence = persistence(3)
        #expect(
            [persistence.wait(asked: .zero), persistence.wait(asked: .zero), persistence.wait(asked: .zero)] == [
                .seconds(1), .seconds(2), nil,
            ])
        persistence.reach(10)
        #expect(persistence.wait(asked: .zero) == .seconds(1))
        persistence.reach(10)
        persistence.reach(9)
        #expect(persistence.wait(asked: .zero) == .seconds(2) && persistence.resumptions == 4)
    }

    @Test("What the server asks for is waited for exactly, unless it is too much")
    func asked() {
        var persistence = persistence(5)
        #expect(persistence.wait(asked: .seconds(60)) == .seconds(60) && persistence.wait(asked: .seconds(61)) == nil)
    }
}
