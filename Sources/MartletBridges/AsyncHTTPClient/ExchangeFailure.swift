#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// The failure of an exchange as async-http-client and NIO report it, and how far the exchange had come.
struct ExchangeFailure {
    var cause: any Error
    /// Whether the head of the response was complete.
    var headIsComplete = false
    /// The request's limit on the head in bytes. NIO has limits of its own.
    var headLimit = ResponseLimits().headBytes

    /// The failure as an `HTTPError`, which keeps the cause.
    var error: HTTPError {
        switch cause {
        case let error as HTTPError: error
        case is CancellationError: .cancelled(context(stage))
        case let error as HTTPClientError: map(error)
        case let error as HTTPParserError: map(error)
        case let error as NIOConnectionError: map(error)
        case let error as IOError: map(error.errnoCode)
        case let error as ChannelError: map(error)
        case is SocketAddressError: network(.failedLookup(), .connect)
        case let error as NIOSSLError: map(error)
        case is BoringSSLError, is NIOSSLExtraError: .invalidSSLCertificate(explanation(.connect))
        default: other
        }
    }

    private var stage: ErrorContext.Stage { headIsComplete ? .body : .exchange }

    private func map(_ error: HTTPClientError) -> HTTPError {
        switch error {
        // An exchange that was cancelled has ended before. So async-http-client has given the request to a connection that is closing.
        case .cancelled: network(.connectionLost, stage)
        case .alreadyShutdown: .engineUnavailable(Explanation("the HTTPClient has been shut down", context: context(.request)))
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath: .invalidURL(explanation(.request))
        case .traceRequestWithBody, .bodyLengthMismatch: .invalidRequest(explanation(.request))
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timeout(context(stage, detail: error.shortDescription))
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            .timeout(context(.connect, detail: error.shortDescription))
        case .remoteConnectionClosed: network(.connectionLost, stage)
        case .invalidProxyResponse: network(.proxyFailed, .connect)
        // The proxy's fields are not known.
        case .proxyAuthenticationRequired:
            .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: [:], body: Data()))
        // The error contains the values, which may be secrets.
        default: isRefusal(error) ? .invalidRequest(Explanation(error.shortDescription)) : network(.other, stage)
        }
    }

    /// Whether async-http-client refused fields, which are in the error and can't be compared.
    private func isRefusal(_ error: HTTPClientError) -> Bool {
        ["Invalid header field names", "Invalid header field values"].contains(error.shortDescription)
    }

    private func map(_ error: HTTPParserError) -> HTTPError {
        switch error {
        case .invalidEOFState, .closedConnection: network(.connectionLost, stage)
        case .headerOverflow where !headIsComplete:
            .responseTooLarge(
                SizeLimitFailure(.head, limit: headLimit, context: context(.exchange, detail: "the head exceeds a limit of NIO")))
        default: .invalidResponse(explanation(stage))
        }
    }

    private func map(_ error: NIOConnectionError) -> HTTPError {
        guard let last = error.connectionErrors.last else { return network(.failedLookup(), .connect) }
        var failure = self
        failure.cause = last.error
        var mapped = failure.error
        mapped.context.underlying = cause
        mapped.context.stage = .connect
        return mapped
    }

    private func map(_ code: CInt) -> HTTPError {
        switch code {
        case ECONNREFUSED: network(.connectionRefused, .connect)
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, EBADF: network(.connectionLost, stage)
        case ETIMEDOUT: .timeout(context(stage))
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: network(.missingRoute(), .connect)
        default: network(.other, stage)
        }
    }

    private func map(_ error: ChannelError) -> HTTPError {
        switch error {
        case .connectTimeout: .timeout(context(.connect, detail: "the connect timeout expired"))
        case .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed, .eof: network(.connectionLost, stage)
        default: network(.other, stage)
        }
    }

    private func map(_ error: NIOSSLError) -> HTTPError {
        if case .uncleanShutdown = error { return network(.connectionLost, stage) }
        return .invalidSSLCertificate(explanation(.connect))
    }

    /// An error of a type that this module does not know, such as those of HTTP/2.
    private var other: HTTPError {
        if ExchangeFailure.isOfHTTP2(cause) { return network(.connectionLost, stage) }
        let type = String(reflecting: type(of: cause))
        return network(type.contains("Proxy") || type.contains("SOCKS") ? .proxyFailed : .other, stage)
    }

    static func isOfHTTP2(_ error: any Error) -> Bool { String(reflecting: type(of: error)).hasPrefix("NIOHTTP2.") }

    /// The cause as text, without values of fields.
    private var words: String { (cause as? HTTPClientError)?.shortDescription ?? Redaction.line("\(cause)") }

    private func context(_ stage: ErrorContext.Stage, detail: String = "") -> ErrorContext {
        ErrorContext(stage: stage, underlying: cause, detail: detail)
    }

    private func network(_ kind: NetworkFailure.Kind, _ stage: ErrorContext.Stage) -> HTTPError {
        .networkError(NetworkFailure(kind, words, context: context(stage)))
    }

    private func explanation(_ stage: ErrorContext.Stage) -> Explanation {
        Explanation(words, context: context(stage))
    }
}

/// The repetitions of a request over a connection that was closed while it was idle, by its server or because of bytes that no request
/// asked for, or that its server had retired.
struct Repetitions {
    /// How far a request has come.
    enum Reach: Hashable {
        /// Nothing of it was sent.
        case unsent
        /// The server has said that it did not process it.
        case unprocessed
        /// The server may have processed it.
        case sent
    }

    /// A pool may have several such connections, and a server that retires connections often may refuse a request on several new ones.
    private static let maxUnprocessed = 16

    private let isReplayable: Bool
    private let mayBeStale: Bool
    private var unprocessed = Repetitions.maxUnprocessed
    /// How often the request may be sent although the server may have processed it before.
    private var sent: Int

    /// - Parameters:
    ///   - isIdempotent: Whether the request may be processed twice.
    ///   - isReplayable: Whether its body can be sent again.
    ///   - mayBeStale: Whether there may be connections whose server has closed them.
    init(isIdempotent: Bool, isReplayable: Bool, mayBeStale: Bool) {
        self.isReplayable = isReplayable
        self.mayBeStale = mayBeStale
        sent = isIdempotent && isReplayable && mayBeStale ? 1 : 0
    }

    /// Whether the request is sent again after an error.
    mutating func allow(after error: HTTPError, _ reach: Reach) -> Bool {
        guard error == .connectionLost, error.stage == .exchange else { return false }
        var isRetired = false
        switch error.underlying {
        case let error as HTTPClientError where error == .cancelled: isRetired = true
        case let error as HTTPClientError where error == .remoteConnectionClosed: break
        case is ChannelError, is IOError: break
        case let error? where ExchangeFailure.isOfHTTP2(error): break
        default: return false
        }
        switch reach {
        case .sent: sent -= 1
        case .unprocessed where !isReplayable: return false
        case .unsent where !mayBeStale && !isRetired: return false
        case .unsent, .unprocessed: unprocessed -= 1
        }
        return sent >= 0 && unprocessed >= 0
    }
}
#endif
