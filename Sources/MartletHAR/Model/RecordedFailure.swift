internal import MartletEssentials

/// Writes and reads the errors of transports in a HAR: `_error` for people, like browsers, and `_errorKind` for replays.
package enum RecordedFailure {
    /// The errors that consist of an explanation, with the names of their kinds.
    private static let explained: [(kind: String, make: @Sendable (Explanation) -> HTTPError)] = [
        ("invalidURL", HTTPError.invalidURL), ("invalidRequest", HTTPError.invalidRequest), ("encodingFailed", HTTPError.encodingFailed),
        ("invalidSSLCertificate", HTTPError.invalidSSLCertificate), ("invalidResponse", HTTPError.invalidResponse),
        ("noData", HTTPError.noData), ("redirectFailed", HTTPError.redirectFailed), ("bodyNotReplayable", HTTPError.bodyNotReplayable),
        ("authenticationFailed", HTTPError.authenticationFailed), ("circuitOpen", HTTPError.circuitOpen),
        ("limitExceeded", HTTPError.limitExceeded), ("engineUnavailable", HTTPError.engineUnavailable),
        ("addressRefused", HTTPError.addressRefused),
    ]

    private static func explanation(of error: HTTPError) -> Explanation? {
        switch error {
        case .invalidURL(let what), .invalidRequest(let what), .encodingFailed(let what), .invalidSSLCertificate(let what),
            .invalidResponse(let what), .noData(let what), .redirectFailed(let what), .bodyNotReplayable(let what),
            .authenticationFailed(let what), .circuitOpen(let what), .limitExceeded(let what), .engineUnavailable(let what),
            .addressRefused(let what):
            what
        default: nil
        }
    }

    /// Returns the name of an error's kind. An error that no transport throws counts as a network error.
    package static func kind(of error: HTTPError) -> String {
        switch error {
        case .networkError(let failure): "networkError.\(failure.kind.rawValue)"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .draining: "draining"
        case .responseTooLarge(let failure): "responseTooLarge.\(failure.subject.rawValue).\(failure.limit)"
        case .statusCode(let response): "statusCode.\(response.status.rawValue)"
        default: explanation(of: error).flatMap { what in explained.first { $0.make(what) == error }?.kind } ?? "networkError.other"
        }
    }

    /// Returns the message of an error, which may contain secrets.
    package static func words(of error: HTTPError) -> String {
        switch error {
        case .networkError(let failure): failure.explanation
        case .timeout(let context), .cancelled(let context), .draining(let context): context.detail
        default: explanation(of: error)?.text ?? error.description
        }
    }

    /// Returns the error to throw again. Unknown kinds and messages of browsers become a network error.
    package static func error(kind: String?, words: String) -> HTTPError {
        let parts = (kind ?? "").split(separator: ".").map(String.init)
        if let known = explained.first(where: { $0.kind == parts.first }) { return known.make(Explanation(words)) }
        switch parts.first {
        case "timeout": return .timeout(ErrorContext(detail: words))
        case "cancelled": return .cancelled(ErrorContext(detail: words))
        case "draining": return .draining(ErrorContext(detail: words))
        case "responseTooLarge": return tooLarge(parts)
        case "statusCode":
            let status = HTTPStatus(rawValue: parts.dropFirst().first.flatMap { Int($0) } ?? 0)
            return .statusCode(HTTPResponse(status: status, headers: [:], body: Data()))
        case "networkError":
            let failure = parts.dropFirst().first.flatMap(NetworkFailure.Kind.init(rawValue:)) ?? .other
            return .networkError(NetworkFailure(failure, words))
        default: return foreign(words)
        }
    }

    private static func tooLarge(_ parts: [String]) -> HTTPError {
        let subject = parts.dropFirst().first.flatMap(SizeLimitFailure.Subject.init(rawValue:)) ?? .body
        return .responseTooLarge(SizeLimitFailure(subject, limit: parts.dropFirst(2).first.flatMap { Int($0) } ?? 0))
    }

    /// The names of failures in Chrome and Firefox.
    private static let browserNames: [(String, HTTPError)] = [
        ("ERR_NAME_NOT_RESOLVED", .networkError(NetworkFailure(.hostNotFound))),
        ("NS_ERROR_UNKNOWN_HOST", .networkError(NetworkFailure(.hostNotFound))),
        ("CONNECTION_REFUSED", .networkError(NetworkFailure(.connectionRefused))),
        ("ERR_INTERNET_DISCONNECTED", .networkError(NetworkFailure(.offline))),
        ("ERR_CONNECTION_RESET", .networkError(NetworkFailure(.connectionLost))),
        ("ERR_CONNECTION_CLOSED", .networkError(NetworkFailure(.connectionLost))),
        ("NS_ERROR_NET_RESET", .networkError(NetworkFailure(.connectionLost))),
        ("TIMED_OUT", .timeout), ("NS_ERROR_NET_TIMEOUT", .timeout),
        ("ERR_CERT_", .invalidSSLCertificate("")), ("ERR_SSL_", .invalidSSLCertificate("")),
    ]

    private static func foreign(_ words: String) -> HTTPError {
        switch browserNames.first(where: { words.contains($0.0) })?.1 {
        case .networkError(let failure): .networkError(NetworkFailure(failure.kind, words))
        case .timeout: .timeout(ErrorContext(detail: words))
        case .invalidSSLCertificate: .invalidSSLCertificate(Explanation(words))
        default: .networkError(NetworkFailure(.other, words.isEmpty ? "the recording has no response" : words))
        }
    }
}
