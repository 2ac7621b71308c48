#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
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
            (.cancelled, .connectionLost, .exchange), (.alreadyShutdown, .engineUnavailable, .request), (.invalidURL, .invalidURL, .request),
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
    private func repetitions(
        isIdempotent: Bool = false, isReplayable: Bool = true, mayBeStale: Bool = true, _ reach: Repetitions.Reach,
        headIsComplete: Bool = false, after causes: [any Error]
    ) -> [Bool] {
        var repetitions = Repetitions(isIdempotent: isIdempotent, isReplayable: isReplayable, mayBeStale: mayBeStale)
        return causes.map { repetitions.allow(after: error($0, headIsComplete: headIsComplete), reach) }
    }

    @Test("A request is sent again if its connection was lost before the response, once, and only if it may be processed twice")
    func repeated() {
        for cause in [HTTPClientError.remoteConnectionClosed, ChannelError.ioOnClosedChannel] as [any Error] {
            #expect(repetitions(isIdempotent: true, .sent, after: [cause, cause]) == [true, false])
            #expect(repetitions(isIdempotent: true, isReplayable: false, .sent, after: [cause]) == [false])
            #expect(repetitions(isIdempotent: true, mayBeStale: false, .sent, after: [cause]) == [false])
            #expect(repetitions(.sent, after: [cause]) == [false])
            #expect(repetitions(isIdempotent: true, .sent, headIsComplete: true, after: [cause]) == [false])
        }
        for cause in [HTTPClientError.connectTimeout, HTTPParserError.invalidEOFState, IOError(errnoCode: ECONNREFUSED, reason: "")]
            as [any Error]
        {
            #expect(repetitions(isIdempotent: true, .unsent, after: [cause]) == [false])
        }
    }

    @Test("Any request is sent again if its connection had been closed before its head was sent, up to sixteen times")
    func unsent() {
        for cause in [HTTPClientError.remoteConnectionClosed, HTTPClientError.cancelled, ChannelError.ioOnClosedChannel] as [any Error] {
            let causes = Array(repeating: cause, count: 17)
            #expect(repetitions(isReplayable: false, .unsent, after: causes) == Array(repeating: true, count: 16) + [false])
        }
        // The first request of a transport finds no connection that was kept, but perhaps one that is being retired.
        #expect(repetitions(mayBeStale: false, .unsent, after: [HTTPClientError.remoteConnectionClosed]) == [false])
        #expect(repetitions(mayBeStale: false, .unsent, after: [HTTPClientError.cancelled]) == [true])
    }

    @Test("Any request that can be sent again is, up to sixteen times, if its server has not processed it (RFC 9113 §8.7)")
    func unprocessed() {
        let cause = NIOHTTP2Errors.streamClosed(streamID: 41, errorCode: .cancel)
        let causes = Array(repeating: cause, count: 17)
        #expect(repetitions(mayBeStale: false, .unprocessed, after: causes) == Array(repeating: true, count: 16) + [false])
        #expect(repetitions(isReplayable: false, .unprocessed, after: [cause]) == [false])
        #expect(repetitions(.sent, after: [cause]) == [false])
    }

    @Test("A server has not processed streams that it refused, or that are above the last one of a connection that it retires")
    func streams() {
        func isUnprocessed(_ error: any Error, last: HTTP2StreamID?) -> Bool { UnprocessedRequest(error, lastStream: last) != nil }
        let cancelled = NIOHTTP2Errors.streamClosed(streamID: 41, errorCode: .cancel)
        #expect(isUnprocessed(cancelled, last: 39) && !isUnprocessed(cancelled, last: 41) && !isUnprocessed(cancelled, last: nil))
        #expect(isUnprocessed(NIOHTTP2Errors.streamClosed(streamID: 41, errorCode: .refusedStream), last: nil))
        #expect(isUnprocessed(NIOHTTP2Errors.createdStreamAfterGoaway(), last: 39))
        #expect(!isUnprocessed(HTTPClientError.remoteConnectionClosed, last: 39))
        // The frames of the connection say so, of which the lowest number holds.
        let connection = EmbeddedChannel(handler: UnprocessedRequest.RetiredConnection())
        for last in [41, 39, 45] as [HTTP2StreamID] {
            let frame = HTTP2Frame(streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil))
            #expect(throws: Never.self) { try connection.writeInbound(frame) }
        }
        #expect(try! connection.pipeline.syncOperations.handler(type: UnprocessedRequest.RetiredConnection.self).lastStream == 39)
    }
}
#endif
