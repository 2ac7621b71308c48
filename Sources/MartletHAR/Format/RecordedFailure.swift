internal import MartletEssentials

/// Writes and reads the errors of transports in a HAR: `_error` for people, like browsers, and `_errorKind` for replays.
enum RecordedFailure {
    /// Returns the name of an error's kind. An error of another kind counts as a network error.
    static func kind(of error: HTTPError) -> String {
        switch error {
        case .networkError(let failure): "networkError.\(failure.kind.rawValue)"
        case .timeout, .cancelled, .draining: error.kind.rawValue
        case .responseTooLarge(let failure): "responseTooLarge.\(failure.subject.rawValue).\(failure.limit)"
        case .statusCode(let response): "statusCode.\(response.status.rawValue)"
        default: error.kind.make == nil ? "networkError.other" : error.kind.rawValue
        }
    }

    /// Returns the message of an error, which may contain secrets.
    static func words(of error: HTTPError) -> String {
        switch error {
        case .networkError(let failure): failure.explanation
        case .timeout(let context), .cancelled(let context), .draining(let context): context.detail
        default: error.kind.make == nil ? error.description : error.explanation?.text ?? ""
        }
    }

    /// Returns the error to throw again. Unknown kinds and messages of browsers become a network error.
    static func error(kind: String?, words: String) -> HTTPError {
        let parts = (kind ?? "").split(separator: ".").map(String.init)
        if let make = parts.first.flatMap({ HTTPError.Kind(rawValue: $0)?.make }) { return make(Explanation(words)) }
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
        ("ERR_NAME_NOT_RESOLVED", .hostNotFound),
        ("NS_ERROR_UNKNOWN_HOST", .hostNotFound),
        ("CONNECTION_REFUSED", .connectionRefused),
        ("ERR_INTERNET_DISCONNECTED", .offline),
        ("ERR_CONNECTION_RESET", .connectionLost),
        ("ERR_CONNECTION_CLOSED", .connectionLost),
        ("NS_ERROR_NET_RESET", .connectionLost),
        ("TIMED_OUT", .timeout), ("NS_ERROR_NET_TIMEOUT", .timeout),
        ("ERR_CERT_", .invalidSSLCertificate), ("ERR_SSL_", .invalidSSLCertificate),
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
