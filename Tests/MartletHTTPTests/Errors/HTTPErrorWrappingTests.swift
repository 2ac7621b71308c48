import Foundation
import Testing

@testable import MartletHTTP

@Suite("HTTPError: wrapping", .timeLimit(.minutes(5)))
struct HTTPErrorWrappingTests {
    private struct Broken: Error {}
    private struct LoadingError: Error {
        let _domain: String
        let _code: Int
    }

    private func urlError(_ code: Int) -> LoadingError { LoadingError(_domain: "NSURLErrorDomain", _code: code) }

    @Test("An HTTPError is unchanged")
    func own() {
        #expect(HTTPError(wrapping: HTTPError.timeout(ErrorContext(detail: "d")), stage: .body).context.detail == "d")
        #expect(HTTPError(wrapping: HTTPError.timeout, stage: .body).stage == nil)
    }

    @Test("A CancellationError is .cancelled")
    func cancellation() {
        let error = HTTPError(wrapping: CancellationError(), stage: .exchange)
        #expect(error == .cancelled)
        #expect(error.underlying is CancellationError)
        #expect(error.stage == .exchange)
    }

    @Test("Any other error becomes a network error with the cause")
    func other() {
        let error = HTTPError(wrapping: Broken(), stage: .exchange)
        #expect(error == .networkError(NetworkFailure(.other)))
        #expect(error.underlying is Broken)
    }

    @Test(
        "An error of the URL loading system is classified by its code",
        arguments: [
            (-999, HTTPError.cancelled), (-1001, .timeout), (-1003, .networkError(NetworkFailure(.failedLookup()))),
            (-1006, .networkError(NetworkFailure(.failedLookup()))), (-1004, .networkError(NetworkFailure(.connectionRefused))),
            (-1005, .networkError(NetworkFailure(.connectionLost))), (-1009, .networkError(NetworkFailure(.offline))),
            (-1018, .networkError(NetworkFailure(.offline))), (-1020, .networkError(NetworkFailure(.offline))),
            (-1, .networkError(NetworkFailure(.other))),
            (-1000, .invalidURL("URL loading error -1000")), (-1002, .invalidURL("URL loading error -1002")),
            (-1007, .redirectFailed("URL loading error -1007")), (-1011, .invalidResponse("URL loading error -1011")),
            (-1015, .invalidResponse("URL loading error -1015")), (-1200, .invalidSSLCertificate("URL loading error -1200")),
            (-1206, .invalidSSLCertificate("URL loading error -1206")), (-1022, .invalidSSLCertificate("URL loading error -1022")),
            (-1199, .networkError(NetworkFailure(.other))), (-1207, .networkError(NetworkFailure(.other))),
        ])
    func urlErrors(code: Int, expected: HTTPError) {
        let error = HTTPError(wrapping: urlError(code), stage: .exchange)
        #expect(error == expected)
        #expect(error.stage == .exchange)
        #expect((error.underlying as? LoadingError)?._code == code)
    }

    @Test("The same code of another domain is not classified")
    func otherDomains() {
        #expect(HTTPError(urlError: LoadingError(_domain: "NSPOSIXErrorDomain", _code: -1001), context: ErrorContext()) == nil)
        #expect(HTTPError(urlError: Broken(), context: ErrorContext()) == nil)
    }
}
