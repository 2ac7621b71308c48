import Foundation
import Testing

@testable import MartletHTTP

private struct Broken: Error {}

/// One error of each case.
let oneOfEach: [HTTPError] = [
    .invalidURL("a"), .invalidRequest("a"), .encodingFailed("a"), .networkError(NetworkFailure(.connectionRefused)),
    .invalidSSLCertificate("a"), .timeout, .cancelled, .invalidResponse("a"), .noData("a"),
    .statusCode(HTTPResponse(status: .notFound, body: Data())),
    .decodingFailed(DecodingFailure(type: "User", reason: "a", response: HTTPResponse(status: .ok, body: Data()))),
    .responseTooLarge(SizeLimitFailure(limit: 1)), .redirectFailed("a"), .bodyNotReplayable("a"), .authenticationFailed("a"),
    .circuitOpen("a"), .limitExceeded("a"), .engineUnavailable("a"), .addressRefused("a"), .pagingFailed(PagingFailure(.loop)),
    .interceptorFailed(Explanation("I", context: ErrorContext(stage: .interceptor, underlying: Broken()))),
]

@Suite("HTTPError: equality", .timeLimit(.minutes(5)))
struct HTTPErrorTests {
    @Test("Each case equals only itself")
    func cases() {
        for (left, leftError) in oneOfEach.enumerated() {
            for (right, rightError) in oneOfEach.enumerated() { #expect((leftError == rightError) == (left == right)) }
        }
    }

    @Test("Contexts do not count for equality, except for the response of a status error")
    func contexts() throws {
        let request = HTTPRequest(url: try #require(URL(string: "https://h/")))
        for error in oneOfEach {
            let completed = error.completed(request: request, stage: .exchange, attempts: 3)
            #expect(completed == error)
            #expect(completed.request?.url == request.url)
        }
        #expect(HTTPError.timeout(ErrorContext(detail: "connecting")) == .timeout)
        #expect(HTTPError.cancelled(ErrorContext(attempts: 2)) == .cancelled)
    }

    @Test("The kind of failure counts for equality")
    func payloads() {
        #expect(HTTPError.invalidURL("a") == .invalidURL && HTTPError.invalidResponse("a") == .invalidResponse)
        #expect(HTTPError.noData("a") == .noData && HTTPError.noData != .invalidURL)
        #expect(HTTPError.networkError(NetworkFailure(.connectionLost)) != .networkError(NetworkFailure(.connectionRefused)))
        #expect(HTTPError.networkError(NetworkFailure(.other, "a")) == .networkError(NetworkFailure(.other, "b")))
        let response = HTTPResponse(status: .notFound, headers: ["A": "1"], body: Data("x".utf8))
        #expect(HTTPError.statusCode(response) != .statusCode(HTTPResponse(status: .gone, headers: ["A": "1"], body: Data("x".utf8))))
        #expect(HTTPError.statusCode(response) != .statusCode(HTTPResponse(status: .notFound, headers: ["A": "1"], body: Data("y".utf8))))
        #expect(HTTPError.responseTooLarge(SizeLimitFailure(limit: 1)) != .responseTooLarge(SizeLimitFailure(limit: 2)))
        #expect(HTTPError.pagingFailed(PagingFailure(.loop)) != .pagingFailed(PagingFailure(.tooManyPages)))
        #expect(HTTPError.responseTooLarge(SizeLimitFailure(.body, limit: 1)) != .responseTooLarge(SizeLimitFailure(.head, limit: 1)))
        #expect(
            HTTPError.interceptorFailed(Explanation("A", context: ErrorContext(stage: .interceptor, underlying: Broken())))
                != .interceptorFailed(Explanation("B", context: ErrorContext(stage: .interceptor, underlying: Broken()))))
    }

    @Test("Decoding failures differ by type, path and reason")
    func decodingFailures() {
        func failure(_ type: String, _ path: String, _ reason: String) -> HTTPError {
            .decodingFailed(
                DecodingFailure(type: type, codingPath: path, reason: reason, response: HTTPResponse(status: .ok, body: Data())))
        }
        #expect(failure("A", "b", "c") == failure("A", "b", "c"))
        #expect(failure("A", "b", "c") != failure("X", "b", "c"))
        #expect(failure("A", "b", "c") != failure("A", "x", "c"))
        #expect(failure("A", "b", "c") != failure("A", "b", "x"))
    }
}
