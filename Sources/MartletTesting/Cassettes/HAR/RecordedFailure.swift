#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The errors of transports as words in a HAR: `_error` for people, as browsers write it, and `_errorKind` for replays.
enum RecordedFailure {
    /// The name of an error's kind; nil for one that no transport throws.
    static func kind(of error: HTTPError) -> String {
        switch error {
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .encodingFailed: "encodingFailed"
        case .networkError(let failure): "networkError.\(failure.kind.rawValue)"
        case .invalidSSLCertificate: "invalidSSLCertificate"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .draining: "draining"
        case .invalidResponse: "invalidResponse"
        case .noData: "noData"
        case .responseTooLarge(let failure): "responseTooLarge.\(failure.subject.rawValue).\(failure.limit)"
        case .redirectFailed: "redirectFailed"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .authenticationFailed: "authenticationFailed"
        case .circuitOpen: "circuitOpen"
        case .engineUnavailable: "engineUnavailable"
        case .addressRefused: "addressRefused"
        case .statusCode(let response): "statusCode.\(response.status.rawValue)"
        default: "networkError.other"
        }
    }

    /// The words of an error; secrets may be in them.
    static func words(of error: HTTPError) -> String {
        switch error {
        case .invalidURL(let what), .invalidRequest(let what), .encodingFailed(let what), .invalidSSLCertificate(let what),
            .invalidResponse(let what), .noData(let what), .redirectFailed(let what), .bodyNotReplayable(let what),
            .authenticationFailed(let what), .circuitOpen(let what), .engineUnavailable(let what), .addressRefused(let what):
            what.text
        case .networkError(let failure): failure.explanation
        case .timeout(let context), .cancelled(let context), .draining(let context): context.detail
        default: error.description
        }
    }

    /// The error that is to be thrown again: of a kind that is not known, and of what browsers write, a failure of the network.
    static func error(kind: String?, words: String) -> HTTPError {
        let parts = (kind ?? "").split(separator: ".").map(String.init)
        let what = Explanation(words)
        switch parts.first {
        case "invalidURL": return .invalidURL(what)
        case "invalidRequest": return .invalidRequest(what)
        case "encodingFailed": return .encodingFailed(what)
        case "invalidSSLCertificate": return .invalidSSLCertificate(what)
        case "timeout": return .timeout(ErrorContext(detail: words))
        case "cancelled": return .cancelled(ErrorContext(detail: words))
        case "draining": return .draining(ErrorContext(detail: words))
        case "invalidResponse": return .invalidResponse(what)
        case "noData": return .noData(what)
        case "responseTooLarge": return tooLarge(parts)
        case "redirectFailed": return .redirectFailed(what)
        case "bodyNotReplayable": return .bodyNotReplayable(what)
        case "authenticationFailed": return .authenticationFailed(what)
        case "circuitOpen": return .circuitOpen(what)
        case "engineUnavailable": return .engineUnavailable(what)
        case "addressRefused": return .addressRefused(what)
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

    /// The names that Chrome and Firefox give to failures.
    private static let browserNames: [(String, HTTPError)] = [
        ("ERR_NAME_NOT_RESOLVED", .networkError(NetworkFailure(.hostNotFound))),
        ("NS_ERROR_UNKNOWN_HOST", .networkError(NetworkFailure(.hostNotFound))),
        ("CONNECTION_REFUSED", .networkError(NetworkFailure(.connectionRefused))),
        ("ERR_INTERNET_DISCONNECTED", .networkError(NetworkFailure(.unreachable))),
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
        default: .networkError(NetworkFailure(.other, words.isEmpty ? "the recording has no answer" : words))
        }
    }
}
