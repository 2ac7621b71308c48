import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(5))) struct SharedFailuresTests {
    @Test("A request shares another exchange after a timeout or a limit of the one that began it, until the eighth")
    func counts() {
        var failures = SharedFailures()
        let errors = [HTTPError.timeout, .cancelled, .limitExceeded("x"), .timeout, .timeout, .timeout, .timeout, .timeout, .timeout]
        let permitted = errors.map { failures.permitAnother(after: $0) }
        #expect(permitted == Array(repeating: true, count: 7) + [false, false])
    }

    @Test("Any other failure is that of all requests")
    func others() {
        var failures = SharedFailures()
        let errors = [HTTPError.networkError(NetworkFailure(.connectionLost)), .invalidResponse("x"), .authenticationFailed("x")]
        let permitted = errors.map { failures.permitAnother(after: $0) }
        #expect(permitted == [false, false, false] && failures == SharedFailures())
    }
}
