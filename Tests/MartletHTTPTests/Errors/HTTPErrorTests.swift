import Foundation
import Testing

@testable import MartletHTTP

private struct Broken: Error {}

/// One error of each case: those with only an explanation, and the others.
let oneOfEach: [HTTPError] =
    HTTPError.Kind.allCases.compactMap { $0.make?("a") } + [
        .networkError(NetworkFailure(.connectionRefused)), .timeout, .cancelled, .draining,
        .statusCode(HTTPResponse(status: .notFound, body: Data())),
        .decodingFailed(DecodingFailure(type: "User", reason: "a", response: HTTPResponse(status: .ok, body: Data()))),
        .responseTooLarge(SizeLimitFailure(limit: 1)), .pagingFailed(PagingFailure(.loop)), .fileFailed(FileFailure(.diskFull, path: "/a")),
    ]

@Suite("HTTPError: equality", .timeLimit(.minutes(5)))
struct HTTPErrorTests {
    @Test("Each case equals only itself")
    func cases() {
        for (left, leftError) in oneOfEach.enumerated() {
            for (right, rightError) in oneOfEach.enumerated() { #expect((leftError == rightError) == (left == right)) }
        }
    }

    @Test("Each case has a kind of its own, with the case's name, a title and a label for metrics")
    func kinds() {
        #expect(oneOfEach.count == HTTPError.Kind.allCases.count && Set(oneOfEach.map(\.kind)) == Set(HTTPError.Kind.allCases))
        for error in oneOfEach {
            #expect(!error.kind.title.isEmpty && !error.kind.metricLabel.isEmpty)
        }
        #expect(Set(HTTPError.Kind.allCases.map(\.title)).count == HTTPError.Kind.allCases.count)
        #expect(HTTPError.noData.caseName == "noData" && HTTPError.connectionLost.caseName == "connectionLost")
    }

    @Test("An error without a payload equals each error of its case, whatever its explanation and context")
    func bareErrors() {
        let context = ErrorContext(stage: .connect, attempts: 2, underlying: Broken())
        let pairs: [(HTTPError, (Explanation) -> HTTPError)] = [
            (.invalidURL, HTTPError.invalidURL), (.invalidRequest, HTTPError.invalidRequest), (.encodingFailed, HTTPError.encodingFailed),
            (.addressRefused, HTTPError.addressRefused), (.bodyNotReplayable, HTTPError.bodyNotReplayable),
            (.circuitOpen, HTTPError.circuitOpen), (.limitExceeded, HTTPError.limitExceeded),
            (.engineUnavailable, HTTPError.engineUnavailable), (.interceptorFailed, HTTPError.interceptorFailed),
            (.invalidSSLCertificate, HTTPError.invalidSSLCertificate), (.invalidResponse, HTTPError.invalidResponse),
            (.noData, HTTPError.noData), (.integrityFailed, HTTPError.integrityFailed), (.redirectFailed, HTTPError.redirectFailed),
            (.authenticationFailed, HTTPError.authenticationFailed),
        ]
        #expect(Set(pairs.map(\.0.kind)) == Set(HTTPError.Kind.allCases.filter { $0.make != nil }))
        for (bare, make) in pairs {
            #expect(make(Explanation("a", context: context)) == bare)
            for other in oneOfEach where other.kind != bare.kind { #expect(other != bare) }
        }
        #expect(HTTPError.timeout(context) == .timeout && HTTPError.cancelled(context) == .cancelled)
        #expect(HTTPError.draining(context) == .draining)
    }

    @Test("A network error without a payload equals each failure of its kind, and no other")
    func bareNetworkErrors() {
        let bare: [NetworkFailure.Kind: HTTPError] = [
            .offline: .offline, .hostNotFound: .hostNotFound, .connectionRefused: .connectionRefused, .unreachable: .unreachable,
            .connectionLost: .connectionLost, .proxyFailed: .proxyFailed,
        ]
        #expect(Set(bare.keys) == Set(NetworkFailure.Kind.allCases).subtracting([.other]))
        for (kind, error) in bare {
            for other in NetworkFailure.Kind.allCases {
                #expect((HTTPError.networkError(NetworkFailure(other, "why")) == error) == (other == kind))
            }
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
