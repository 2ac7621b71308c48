internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// The failure of a transfer as libcurl reports it.
struct CurlFailure: Error, Hashable, CustomStringConvertible {
    /// A CURLcode.
    var code: Int
    /// The system's `errno`, or 0.
    var systemError: Int32 = 0
    /// libcurl's error text.
    var text = ""
    /// Whether a line of the response has arrived.
    var headHasBegun = false
    /// Whether the last line that has arrived is within a head.
    var isWithinHead = false
    /// Whether the head of the response was complete.
    var headIsComplete = false
    /// The request's limit on the head in bytes. libcurl has its own limit too.
    var headLimit = ResponseLimits().headBytes
    /// Whether libcurl's debug text says that a head on the HTTP/2 connection was too large. It may be that of another request.
    var hasLargeHead = false
    /// Whether the transfer used a proxy.
    var isThroughProxy = false
    /// The challenge in the proxy's response to `CONNECT`, if it requests credentials (407).
    var challenge: ProxyChallenge?
    /// The certificates that the transfer was to trust.
    var trust = TLSSettings.Trust.system

    var description: String {
        "libcurl error \(code)" + (systemError == 0 ? "" : ", errno \(systemError)") + (text.isEmpty ? "" : ": \(text)")
    }

    /// The failure as an `HTTPError`.
    var error: HTTPError {
        if let challenge { return challenge.error }
        return switch code {
        case CURLE_URL_MALFORMAT.code: .invalidURL(explanation(.request))
        case CURLE_COULDNT_RESOLVE_PROXY.code, CURLE_PROXY.code: network(.proxyFailed, .connect)
        case CURLE_COULDNT_RESOLVE_HOST.code: network(.failedLookup(), .connect)
        case CURLE_COULDNT_CONNECT.code: couldNotConnect
        case CURLE_OPERATION_TIMEDOUT.code: .timeout(context(.connect, detail: text.isEmpty ? "the connect timeout expired" : text))
        case CURLE_SSL_CONNECT_ERROR.code:
            connectionBroke ? network(.connectionLost, .connect) : .invalidSSLCertificate(explanation(.connect))
        case CURLE_SSL_CACERT_BADFILE.code: unreadableTrust
        case let code where CurlFailure.certificateCodes.contains(code): .invalidSSLCertificate(explanation(.connect))
        case CURLE_UNSUPPORTED_PROTOCOL.code, CURLE_WEIRD_SERVER_REPLY.code: .invalidResponse(explanation(.exchange))
        // 7.84 to 8.0 have no better code for it.
        case CURLE_BAD_FUNCTION_ARGUMENT.code where headHasBegun && !headIsComplete:
            .invalidResponse(Explanation(ResponseHead.Fault.foldedStart.rawValue, context: context(.exchange)))
        // Malformed chunk sizes and trailers.
        case CURLE_BAD_FUNCTION_ARGUMENT.code where headIsComplete: .invalidResponse(explanation(.body))
        case CURLE_BAD_FUNCTION_ARGUMENT.code where isThroughProxy && !headHasBegun: network(.proxyFailed, .connect)
        case CURLE_PARTIAL_FILE.code: network(.connectionLost, headIsComplete ? .body : .exchange)
        case CURLE_BAD_CONTENT_ENCODING.code: .invalidResponse(explanation(.body))
        case CURLE_OUT_OF_MEMORY.code, CURLE_TOO_LARGE.code: tooLargeForLibcurl
        case CURLE_GOT_NOTHING.code, CURLE_SEND_FAIL_REWIND.code: network(.connectionLost, .exchange)
        case _ where isThroughProxy && !headIsComplete && text.contains("CONNECT"): network(.proxyFailed, .connect)
        case CURLE_SEND_ERROR.code, CURLE_RECV_ERROR.code, CURLE_HTTP2.code, CURLE_HTTP2_STREAM.code, CURLE_HTTP3.code: broken
        case CURLE_UPLOAD_FAILED.code: .invalidRequest(explanation(.exchange))
        default: network(.other, headIsComplete ? .body : .exchange)
        }
    }

    private static let certificateCodes: Set<Int> = Set(
        [
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
        ].map { $0.code })

    /// The error for unreadable certificates to trust. The fault is in the configuration: the server has not sent its certificate yet.
    private var unreadableTrust: HTTPError {
        let context = context(.connect)
        switch trust {
        case .file(let path), .systemAndFile(let path):
            return .invalidRequest(.unreadableCertificates("the file \(Redaction.line(path))", context: context))
        case .certificates, .systemAndCertificates: return .invalidRequest(.unreadableCertificates("the bytes", context: context))
        default:
            let words = "the system's certificates can't be read: install the package ca-certificates"
            return .engineUnavailable(Explanation(words, context: context))
        }
    }

    private var couldNotConnect: HTTPError {
        switch systemError {
        case _ where isThroughProxy: network(.proxyFailed, .connect)
        case ECONNREFUSED: network(.connectionRefused, .connect)
        case ETIMEDOUT: .timeout(context(.connect, detail: text))
        case ECONNRESET: network(.connectionLost, .connect)
        default: network(text.contains("refused") ? .connectionRefused : .missingRoute(), .connect)
        }
    }

    /// Whether a handshake failed because the connection broke, and not because one side rejected the other.
    private var connectionBroke: Bool {
        [ECONNRESET, EPIPE, ECONNABORTED].contains(systemError) || text.contains("SSL_ERROR_SYSCALL") || text.contains("reset by peer")
            || text.contains("unexpected eof")
    }

    /// A lost connection, unless libcurl's text indicates malformed data, for which libcurl has no separate code.
    private var broken: HTTPError {
        if text.contains("Too large response headers") { return .responseTooLarge(SizeLimitFailure(.head, limit: headLimit)) }
        guard headIsComplete else {
            return isHeadTooLargeForHTTP2 ? tooLarge("libcurl limits a head over HTTP/2 to 128 KB") : network(.connectionLost, .exchange)
        }
        return isMalformedBody ? .invalidResponse(explanation(.body)) : network(.connectionLost, .body)
    }

    /// Whether the framing of the body is malformed: invalid chunks (RFC 9112 §7.1), or DATA frames that contradict `Content-Length`
    /// (RFC 9113 §8.1.1).
    private var isMalformedBody: Bool {
        switch code {
        case CURLE_RECV_ERROR.code: text.contains("chunk")
        case CURLE_HTTP2_STREAM.code: text.contains("PROTOCOL_ERROR")
        default: false
        }
    }

    /// The error for libcurl's own limit of 100 KB on one line of a head, which libcurl reports as a lack of memory.
    private var tooLargeForLibcurl: HTTPError {
        guard !headIsComplete else { return network(.other, .body) }
        return tooLarge("a line exceeds libcurl's limit of 100 KB")
    }

    /// Whether the response's own head has exceeded libcurl's limit.
    ///
    /// That ends the connection, and another of its streams may be told. A response that is within its head is the one. If libcurl fails to
    /// receive anything (error 56), it repeats the request unless it was the only one that the connection has had.
    private var isHeadTooLargeForHTTP2: Bool {
        guard hasLargeHead || CurlFailure.namesLargeHead(text) else { return false }
        return isWithinHead || code == CURLE_RECV_ERROR.code && !headHasBegun
    }

    /// Whether libcurl's text says that a head over HTTP/2 was too large: its callback for header fields has failed, as it does at 128 KB
    /// (`NGHTTP2_ERR_CALLBACK_FAILURE`), or there were too many frames (`NGHTTP2_ERR_TOO_MANY_CONTINUATIONS`).
    static func namesLargeHead(_ text: String) -> Bool {
        text.contains("nghttp2") && (text.contains(" -902:") || text.contains(" -905:"))
    }

    private func tooLarge(_ detail: String) -> HTTPError {
        .responseTooLarge(SizeLimitFailure(.head, limit: headLimit, context: context(.exchange, detail: detail)))
    }

    private func context(_ stage: ErrorContext.Stage, detail: String = "") -> ErrorContext {
        ErrorContext(stage: stage, underlying: self, detail: detail)
    }

    private func network(_ kind: NetworkFailure.Kind, _ stage: ErrorContext.Stage) -> HTTPError {
        .networkError(NetworkFailure(kind, text, context: context(stage)))
    }

    private func explanation(_ stage: ErrorContext.Stage) -> Explanation {
        Explanation(text.isEmpty ? "libcurl error \(code)" : text, context: context(stage))
    }
}

extension FixedWidthInteger {
    /// A constant of libcurl as `Int`. The imported C type differs between enumerations.
    var code: Int { Int(self) }
}

/// The challenge of a proxy that refuses a tunnel with 407 (RFC 9110 §11.7.1).
struct ProxyChallenge: Hashable {
    /// The lines of `Proxy-Authenticate`. The proxy's other fields do not describe the origin server.
    let lines: [String]

    /// Reads the challenge from a proxy's response to `CONNECT`. Returns nil if the status is not 407.
    init?(_ head: inout ResponseHead) {
        guard head.isComplete, head.status == .proxyAuthenticationRequired else { return nil }
        lines = head.takeFields().values(for: .proxyAuthenticate)
    }

    init(lines: [String]) { self.lines = lines }

    /// The error for the challenge. It equals the error of a request that uses the proxy without a tunnel.
    ///
    /// It is thrown and not returned as a response, because the proxy is not the origin server: its response must not be cached and must
    /// not set cookies.
    var error: HTTPError {
        var fields = HTTPFields()
        for line in lines { fields.append(.proxyAuthenticate, line) }
        return .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: fields, body: Data()))
    }
}
