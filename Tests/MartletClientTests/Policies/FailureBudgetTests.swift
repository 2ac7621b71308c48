import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(5))) struct FailureBudgetTests {
    private func budget(_ maxFailures: Int) -> FailureBudget {
        FailureBudget(
            maxFailures: maxFailures, maxWait: .seconds(60), backoff: .exponential(base: .seconds(1), jitter: .none),
            random: SeededRandom(seed: 1))
    }

    @Test("Consecutive failures without a new byte exhaust the budget with growing waits, and any new byte resets it")
    func counts() {
        var budget = budget(3)
        #expect(
            [budget.wait(asked: .zero), budget.wait(asked: .zero), budget.wait(asked: .zero)] == [
                .seconds(1), .seconds(2), nil,
            ])
        budget.reach(10)
        #expect(budget.wait(asked: .zero) == .seconds(1))
        budget.reach(10)
        budget.reach(9)
        #expect(budget.wait(asked: .zero) == .seconds(2) && budget.resumptions == 4)
    }

    @Test("The server's wait is used exactly, unless it exceeds the maximum")
    func asked() {
        var budget = budget(5)
        #expect(budget.wait(asked: .seconds(60)) == .seconds(60) && budget.wait(asked: .seconds(61)) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct TransientFailureTests {
    private func wait(_ error: HTTPError) -> Duration? { TransientFailure.wait(after: error, now: Date(timeIntervalSince1970: 0)) }

    private func status(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> HTTPError {
        .statusCode(HTTPResponse(status: status, headers: headers, body: Data()))
    }

    @Test("Lost connections, timeouts, truncated bodies and busy servers are transient, and other failures are permanent")
    func table() {
        #expect(wait(.networkError(NetworkFailure(.connectionLost))) == .zero && wait(.timeout) == .zero)
        #expect(wait(.invalidResponse(Explanation("short", context: ErrorContext(stage: .body)))) == .zero)
        #expect(wait(.invalidResponse(Explanation("no HTTP", context: ErrorContext(stage: .exchange)))) == nil)
        #expect(wait(status(503, [.retryAfter: "7"])) == .seconds(7) && wait(status(500)) == .zero)
        #expect(wait(status(404)) == nil && wait(.cancelled) == nil && wait(.fileFailed(FileFailure(.diskFull, path: "x"))) == nil)
    }
}
