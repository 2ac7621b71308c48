import Foundation
import Testing

@testable import MartletClient

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
