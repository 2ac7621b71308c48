#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened to which request, in one line for developers. For people, map to an `APIError`.
    public var errorDescription: String? { description }

    /// What happened to which request, in one line for developers, without secrets.
    public var description: String {
        let context = context
        var text = summary
        if !context.detail.isEmpty { text += " (\(context.detail))" }
        if let request = context.request { text += ": \(request)" }
        if let stage = context.stage, stage != .validation, stage != .decoding { text += ", stage: \(stage.rawValue)" }
        if context.attempts > 1 { text += ", attempts: \(context.attempts)" }
        if let contentType { text += ", Content-Type: \(contentType)" }
        if let snippet { text += ", body: \(snippet)" }
        if let cause = cause(context.underlying) { text += ", cause: \(cause)" }
        // Much of it was said by others: the server's body, a library's words.
        return Redaction.visible(text)
    }

    /// The same.
    public var debugDescription: String { description }

    /// Nothing to look into: `dump` shows no more than the description. Ask the error itself for its request, response and cause.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The error behind this one in words; nil when they are told already.
    private func cause(_ error: (any Error)?) -> String? {
        guard let error, !(error is HTTPError), !(error is CancellationError) else { return nil }
        switch self {
        case .encodingFailed, .decodingFailed: return nil
        case .networkError(let failure) where failure.explanation == CodingPath.explain(error): return nil
        default: return CodingPath.explain(error)
        }
    }

    private var summary: String {
        switch self {
        case .invalidURL(let what): "Invalid URL: \(what)"
        case .invalidRequest(let what): "Invalid request: \(what)"
        case .encodingFailed(let what): "Encoding failed: \(what)"
        case .networkError(let failure):
            "Network error: \(failure.kind.rawValue)" + (failure.explanation.isEmpty ? "" : " (\(failure.explanation))")
        case .invalidSSLCertificate(let what): "TLS refused: \(what)"
        case .timeout: "Timed out"
        case .cancelled: "Cancelled"
        case .draining: "Draining: no new calls are started"
        case .invalidResponse(let what): "Invalid response: \(what)"
        case .noData(let what): "No content: \(what)"
        case .statusCode(let response): "Status \(response.status)"
        case .decodingFailed(let failure):
            "Decoding \(failure.type) failed" + (failure.codingPath.isEmpty ? "" : " at \(failure.codingPath)") + ": \(failure.reason)"
        case .responseTooLarge(let failure):
            "Response too large: its \(failure.subject.rawValue) "
                + (failure.subject.isCounted ? "are more than \(failure.limit)" : "passes the limit of \(failure.limit) bytes")
        case .fileFailed(let failure):
            "File failed: \(failure.kind.rawValue), \(Redaction.line(failure.path))"
                + (failure.explanation.isEmpty ? "" : " (\(failure.explanation))")
        case .integrityFailed(let what): "Integrity failed: \(what)"
        case .pagingFailed(let failure):
            "Paging failed: \(failure.kind.rawValue)" + (failure.explanation.isEmpty ? "" : " (\(failure.explanation))")
        case .addressRefused(let what): "Address refused: \(what)"
        case .redirectFailed(let what): "Redirect failed: \(what)"
        case .bodyNotReplayable(let what): "Body not replayable: \(what)"
        case .authenticationFailed(let what): "Authentication failed: \(what)"
        case .circuitOpen(let what): "Circuit open: \(what)"
        case .engineUnavailable(let what): "Engine unavailable: \(what)"
        case .interceptorFailed(let failure): "Interceptor \(failure.interceptor) failed"
        }
    }

    /// The media type of a body that could not be decoded, which reveals an HTML page in place of JSON.
    private var contentType: String? {
        guard case .decodingFailed(let failure) = self, let type = failure.response.headers[.contentType] else { return nil }
        return Redaction.line(type, limit: 100)
    }

    /// How the response's body begins, secrets hidden.
    private var snippet: String? {
        guard let body = response?.body, !body.isEmpty else { return nil }
        return Redaction.snippet(of: body)
    }
}
