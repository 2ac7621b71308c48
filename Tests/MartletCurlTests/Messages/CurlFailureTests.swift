import CMartletCurl
import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("CurlFailure", .timeLimit(.minutes(5)))
struct CurlFailureTests {
    private func kind(_ code: some FixedWidthInteger, errno: Int32 = 0, text: String = "", afterHead: Bool = false) -> NetworkFailure.Kind?
    {
        guard case .networkError(let failure) = error(code, errno: errno, text: text, afterHead: afterHead) else { return nil }
        return failure.kind
    }

    private func error(_ code: some FixedWidthInteger, errno: Int32 = 0, text: String = "", afterHead: Bool = false) -> HTTPError {
        CurlFailure(code: Int(code), systemError: errno, text: text, headIsComplete: afterHead, headLimit: 1000).error
    }

    @Test("Different failures to connect are different errors")
    func connecting() {
        #expect(kind(CURLE_COULDNT_RESOLVE_HOST) == .failedLookup())
        #expect(kind(CURLE_COULDNT_CONNECT, errno: ECONNREFUSED) == .connectionRefused)
        #expect(kind(CURLE_COULDNT_CONNECT, text: "Connection refused") == .connectionRefused)
        #expect(kind(CURLE_COULDNT_CONNECT, errno: ENETUNREACH) == .missingRoute())
        #expect(kind(CURLE_COULDNT_CONNECT, errno: EHOSTUNREACH) == .missingRoute())
        #expect(kind(CURLE_COULDNT_RESOLVE_PROXY) == .proxyFailed)
        #expect(error(CURLE_COULDNT_CONNECT, errno: ETIMEDOUT) == .timeout)
        #expect(error(CURLE_OPERATION_TIMEDOUT) == .timeout)
        #expect(error(CURLE_OPERATION_TIMEDOUT).stage == .connect)
    }

    @Test("A broken connection is a lost connection, and the stage says whether the head had arrived")
    func breaking() {
        for code in [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM] {
            #expect(kind(code) == .connectionLost && error(code).stage == .exchange)
            #expect(kind(code, afterHead: true) == .connectionLost && error(code, afterHead: true).stage == .body)
        }
        #expect(kind(CURLE_PARTIAL_FILE, afterHead: true) == .connectionLost)
        #expect(error(CURLE_PARTIAL_FILE, afterHead: true).stage == .body)
        // A stream of HTTP/2 that ends before its head.
        #expect(error(CURLE_PARTIAL_FILE).stage == .exchange)
        #expect(kind(CURLE_GOT_NOTHING) == .connectionLost)
        #expect(kind(CURLE_SEND_FAIL_REWIND) == .connectionLost)
    }

    @Test("A body with malformed framing is an invalid response, not a lost connection")
    func malformed() {
        let malformed = [
            (CURLE_RECV_ERROR, "Illegal or missing hexadecimal sequence in chunked-encoding"),
            (CURLE_RECV_ERROR, "chunk hex-length char not a hex digit: 0x7a"),
            (CURLE_HTTP2_STREAM, "HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)"),
            (CURLE_BAD_FUNCTION_ARGUMENT, "Failed reading the chunked-encoded stream"),
        ]
        for (code, text) in malformed {
            guard case .invalidResponse = error(code, text: text, afterHead: true) else { Issue.record("\(text)"); continue }
        }
        let lost = [
            (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer"),
            (CURLE_RECV_ERROR, "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0"),
            (CURLE_HTTP2_STREAM, "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)"),
        ]
        for (code, text) in lost { #expect(kind(code, text: text, afterHead: true) == .connectionLost, "\(text)") }
    }

    @Test("A rejected TLS handshake is a certificate error; a broken one is a lost connection")
    func tls() {
        for code in [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CONNECT_ERROR] {
            guard case .invalidSSLCertificate = error(code, text: "why") else {
                Issue.record("code \(code)")
                continue
            }
        }
        #expect(kind(CURLE_SSL_CONNECT_ERROR, errno: ECONNRESET) == .connectionLost)
        #expect(kind(CURLE_SSL_CONNECT_ERROR, text: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection") == .connectionLost)
    }

    @Test("Unreadable certificates are a configuration error; missing system certificates name their package")
    func trust() {
        func error(_ trust: TLSSettings.Trust) -> HTTPError { CurlFailure(code: Int(CURLE_SSL_CACERT_BADFILE), trust: trust).error }
        guard case .invalidRequest(let file) = error(.file("/my/ca.pem")), case .invalidRequest = error(.certificates(Data())),
            case .engineUnavailable(let system) = error(.system), case .invalidRequest(let both) = error(.systemAndFile("/my/ca.pem")),
            case .invalidRequest = error(.systemAndCertificates(Data()))
        else { Issue.record("another error"); return }
        #expect(both.text.contains("/my/ca.pem") && file.text.contains("/my/ca.pem") && system.text.contains("ca-certificates"))
    }

    @Test("A refused tunnel with a challenge is its status, whatever libcurl's error")
    func challenge() {
        let challenge = ProxyChallenge(lines: ["Basic realm=x"])
        let error = CurlFailure(code: Int(CURLE_RECV_ERROR), text: "Proxy CONNECT aborted", challenge: challenge).error
        #expect(error.status == .proxyAuthenticationRequired && error.response?.headers[.proxyAuthenticate] == "Basic realm=x")
    }

    @Test("A response that is not HTTP or can't be decompressed is an invalid response")
    func responses() {
        for code in [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING] {
            guard case .invalidResponse = error(code) else {
                Issue.record("code \(code)")
                continue
            }
        }
    }

    @Test(
        "A head over HTTP/2 beyond libcurl's limit is too large",
        arguments: [
            "h2_process_pending_input: nghttp2_session_mem_recv() returned -902:The user callback function failed",
            "process_pending_input: nghttp2_session_mem_recv() returned -905:Too many CONTINUATION frames following a HEADER frame",
            "nghttp2 recv error -905: Too many CONTINUATION frames following a HEADER frame",
        ])
    func http2Head(text: String) {
        let tooLarge = HTTPError.responseTooLarge(SizeLimitFailure(.head, limit: 1000))
        #expect(error(CURLE_RECV_ERROR, text: text) == tooLarge)
        #expect(error(CURLE_RECV_ERROR, text: text).description.contains("128 KB"))
        for code in [CURLE_RECV_ERROR, CURLE_HTTP2] {
            #expect(CurlFailure(code: code.code, text: text, headHasBegun: true, isWithinHead: true, headLimit: 1000).error == tooLarge)
            #expect(kind(code, text: text, afterHead: true) == .connectionLost)
        }
        #expect(CurlFailure(code: CURLE_RECV_ERROR.code, text: "another", headLimit: 1000, hasLargeHead: true).error == tooLarge)
    }

    @Test("The head of another response may have ended the connection of a request whose own head has not begun")
    func http2HeadOfAnother() {
        let text = "nghttp2 recv error -905: Too many CONTINUATION frames following a HEADER frame"
        #expect(kind(CURLE_HTTP2, text: text) == .connectionLost)
        #expect(kind(CURLE_SEND_ERROR, text: text) == .connectionLost)
        // After an interim response, libcurl does not repeat the request.
        let afterInterim = CurlFailure(code: CURLE_RECV_ERROR.code, text: text, headHasBegun: true).error
        #expect(afterInterim == .networkError(NetworkFailure(.connectionLost, text)))
    }

    @Test("libcurl's own limits on a head are reported as limits on the head")
    func headLimits() {
        for error in [
            error(CURLE_OUT_OF_MEMORY), error(CURLE_TOO_LARGE), error(CURLE_RECV_ERROR, text: "Too large response headers: 1 > 0"),
        ] {
            #expect(error == .responseTooLarge(SizeLimitFailure(.head, limit: 1000)))
        }
    }

    @Test("The error has libcurl's code and text as its cause")
    func cause() {
        let error = error(99, errno: 5, text: "strange")
        #expect(error.underlying as? CurlFailure == CurlFailure(code: 99, systemError: 5, text: "strange", headLimit: 1000))
        #expect(kind(99) == .other)
        #expect(error.description.contains("strange"))
    }
}
