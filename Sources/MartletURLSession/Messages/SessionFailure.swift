internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The failure of an exchange as URLSession reports it: a code and, on Linux, where most failures have the code -1, libcurl's text.
struct SessionFailure: Error, Hashable, CustomStringConvertible {
    /// A code of `NSURLErrorDomain`.
    var code: Int
    /// URLSession's text.
    var text = ""
    /// Whether the head of the response was complete.
    var headIsComplete = false
    /// Whether bytes of the request's body were sent.
    var hasSentBody = false
    /// The request's limit on the head in bytes.
    var headLimit = ResponseLimits().headBytes

    var description: String { "URL loading error \(code)" + (text.isEmpty ? "" : ": \(text)") }

    /// The failure as an `HTTPError`.
    var error: HTTPError {
        switch code {
        case -1: unknown
        // The scheme is HTTP or HTTPS, so libcurl rejects the response's protocol.
        case -1002 where text.contains("HTTP/"), -1002 where text.contains("HTTP version"): .invalidResponse(explanation(.exchange))
        case -1011 where text.contains("Empty reply"): broken
        // `.offline` says that nothing was sent, so that a request of any method may be sent again.
        case -1009 where wasSent, -1020 ... -1018 where wasSent: broken
        case -1103: .invalidRequest(explanation(.request))
        case 306...311: network(.proxyFailed, .connect)
        default: HTTPError(urlErrorCode: code, words) { context($0 ?? (headIsComplete ? .body : .exchange)) }
        }
    }

    private var wasSent: Bool { headIsComplete || hasSentBody }

    /// The error for code -1, derived from libcurl's text, because FoundationNetworking has no code for it.
    private var unknown: HTTPError {
        let words = text.lowercased()
        func has(_ some: String...) -> Bool { some.contains { words.contains($0) } }
        if has("too large response headers", "out of memory"), !headIsComplete {
            return .responseTooLarge(SizeLimitFailure(.head, limit: headLimit, context: context(.exchange)))
        }
        if has("proxy after connect", "connect tunnel failed"), has("407") {
            // Only the status is available: FoundationNetworking does not expose the response's fields.
            return .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: [:], body: Data()))
        }
        if has("proxy", "connect tunnel failed") { return network(.proxyFailed, .connect) }
        if has("partial file", "transferred a partial", "bytes remaining to read", "outstanding read data") {
            return network(.connectionLost, .body)
        }
        if has("content encoding", "content-encoding", "chunk") { return .invalidResponse(explanation(.body)) }
        if has("ssl", "tls", "certificate", "peer's", "cacert", "x509") { return .invalidSSLCertificate(explanation(.connect)) }
        if has(
            "weird server reply", "unsupported protocol", "unsupported http", "invalid http", "header without colon",
            "invalid content-length", "nul byte", "failed writing header", "http/0.9",
            // A folded first line, for which libcurl 7.84 to 8.0 have no better text.
            "libcurl function was given a bad argument")
        {
            return .invalidResponse(explanation(.exchange))
        }
        if has("failed sending", "failure when receiving", "send failure", "recv failure", "broken pipe", "reset by peer", "no data") {
            return broken
        }
        if has("could not connect", "couldn't connect") { return network(.missingRoute(), .connect) }
        return headIsComplete ? .invalidResponse(explanation(.body)) : network(.other, .exchange)
    }

    /// The error for a lost connection.
    private var broken: HTTPError { network(.connectionLost, headIsComplete ? .body : .exchange) }

    private var words: String { text.isEmpty ? "URL loading error \(code)" : text }

    private func context(_ stage: ErrorContext.Stage) -> ErrorContext { ErrorContext(stage: stage, underlying: self) }

    private func network(_ kind: NetworkFailure.Kind, _ stage: ErrorContext.Stage) -> HTTPError {
        .networkError(NetworkFailure(kind, text, context: context(stage)))
    }

    private func explanation(_ stage: ErrorContext.Stage) -> Explanation {
        Explanation(words, context: context(stage))
    }
}

extension SessionFailure {
    init(_ error: any Error, headIsComplete: Bool, hasSentBody: Bool = false, headLimit: Int) {
        self.init(
            code: error._code, text: error.localizedDescription, headIsComplete: headIsComplete, hasSentBody: hasSentBody,
            headLimit: headLimit)
    }
}
