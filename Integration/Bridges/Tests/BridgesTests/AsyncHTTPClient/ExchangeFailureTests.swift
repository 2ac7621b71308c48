#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletTesting
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import MartletBridges

@Suite("ExchangeFailure", .timeLimit(.minutes(5)))
struct ExchangeFailureTests {
    private struct Unknown: Error {}

    private func error(_ cause: any Error, headIsComplete: Bool = false) -> HTTPError {
        ExchangeFailure(cause: cause, headIsComplete: headIsComplete).error
    }

    @Test("Each error of async-http-client has its case, and is kept as the underlying error")
    func clientErrors() {
        let cases: [(HTTPClientError, HTTPError, ErrorContext.Stage)] = [
            (.cancelled, .cancelled, .exchange), (.alreadyShutdown, .engineUnavailable, .request), (.invalidURL, .invalidURL, .request),
            (.traceRequestWithBody, .invalidRequest, .request), (.deadlineExceeded, .timeout, .exchange),
            (.readTimeout, .timeout, .exchange), (.connectTimeout, .timeout, .connect),
            (.getConnectionFromPoolTimeout, .timeout, .connect), (.tlsHandshakeTimeout, .timeout, .connect),
            (.remoteConnectionClosed, .connectionLost, .exchange), (.invalidProxyResponse, .proxyFailed, .connect),
            (.serverOfferedUnsupportedApplicationProtocol("x"), .networkError(NetworkFailure(.other)), .exchange),
        ]
        for (cause, expected, stage) in cases {
            let error = error(cause)
            #expect(error == expected && error.stage == stage, "\(cause)")
            #expect(error.underlying as? HTTPClientError == cause)
        }
        #expect(error(HTTPClientError.remoteConnectionClosed, headIsComplete: true).stage == .body)
        #expect(error(HTTPClientError.proxyAuthenticationRequired).status == .proxyAuthenticationRequired)
    }

    @Test("Values of fields that async-http-client refuses are neither in the text nor in the underlying error")
    func secrets() {
        let error = error(HTTPClientError.invalidHeaderFieldValues(["s3cret"]))
        #expect(error == .invalidRequest && error.underlying == nil && !"\(error)".contains("s3cret"))
    }

    @Test("Malformed responses are invalid, and truncated ones are lost connections")
    func parsing() {
        #expect(error(HTTPParserError.invalidVersion) == .invalidResponse)
        #expect(error(HTTPParserError.invalidChunkSize, headIsComplete: true).stage == .body)
        #expect(error(HTTPParserError.invalidEOFState) == .connectionLost)
        #expect(error(HTTPParserError.headerOverflow) == .responseTooLarge(SizeLimitFailure(.head, limit: ResponseLimits().headBytes)))
    }

    @Test("The system's errors are classified")
    func system() {
        for (code, kind) in [
            (ECONNREFUSED, .connectionRefused), (ECONNRESET, .connectionLost), (EPIPE, .connectionLost), (EMFILE, .other),
        ] as [(Int32, NetworkFailure.Kind)] {
            #expect(error(IOError(errnoCode: code, reason: "x")) == .networkError(NetworkFailure(kind)), "\(code)")
        }
        #expect(error(IOError(errnoCode: ETIMEDOUT, reason: "x")) == .timeout)
        #expect(error(ChannelError.connectTimeout(.seconds(1))) == .timeout)
        #expect(error(ChannelError.ioOnClosedChannel) == .connectionLost)
        #expect(error(NIOSSLError.unableToValidateCertificate) == .invalidSSLCertificate)
        #expect(error(NIOSSLError.uncleanShutdown) == .connectionLost)
        #expect(error(CancellationError()) == .cancelled)
        #expect(error(HTTPError.noData) == .noData)
        #expect(error(Unknown()) == .networkError(NetworkFailure(.other)))
    }

    /// Whether a request is sent again after each of the causes, one after the other.
    private func repetitions(isSafe: Bool, hasSentHead: Bool, headIsComplete: Bool = false, after causes: [any Error]) -> [Bool] {
        var repetitions = Repetitions(isSafe: isSafe)
        return causes.map { repetitions.allow(after: error($0, headIsComplete: headIsComplete), hasSentHead: hasSentHead) }
    }

    @Test("A request is sent again if its connection was lost before the response, once, and only if it is safe")
    func repeated() {
        for cause in [HTTPClientError.remoteConnectionClosed, ChannelError.ioOnClosedChannel] as [any Error] {
            #expect(repetitions(isSafe: true, hasSentHead: true, after: [cause, cause]) == [true, false])
            #expect(repetitions(isSafe: false, hasSentHead: true, after: [cause]) == [false])
            #expect(repetitions(isSafe: true, hasSentHead: true, headIsComplete: true, after: [cause]) == [false])
        }
        for cause in [HTTPClientError.connectTimeout, HTTPParserError.invalidEOFState, IOError(errnoCode: ECONNREFUSED, reason: "")]
            as [any Error]
        {
            #expect(repetitions(isSafe: true, hasSentHead: false, after: [cause]) == [false])
        }
    }

    @Test("Any request is sent again if its connection had been closed before its head was sent, up to eight times")
    func unsent() {
        for cause in [HTTPClientError.remoteConnectionClosed, ChannelError.ioOnClosedChannel] as [any Error] {
            let causes = Array(repeating: cause, count: 9)
            #expect(repetitions(isSafe: false, hasSentHead: false, after: causes) == Array(repeating: true, count: 8) + [false])
        }
    }
}
#endif
