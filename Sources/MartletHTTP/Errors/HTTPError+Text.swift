extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// What happened to which request, in one line for developers, without secrets. The message for people is `localizedDescription`.
    public var description: String {
        let parts = parts, context = parts.payload.context
        var text = parts.summary + context.detail.inParentheses
        if let request = context.request { text += ": \(request)" }
        if let stage = context.stage, stage != .validation, stage != .decoding { text += ", stage: \(stage.rawValue)" }
        if context.attempts > 1 { text += ", attempts: \(context.attempts)" }
        if let contentType { text += ", Content-Type: \(contentType)" }
        if let snippet { text += ", body: \(snippet)" }
        if let cause = cause(context.underlying) { text += ", cause: \(cause)" }
        // Much of it was said by others: the server's body, a library's words.
        return Redaction.visible(text)
    }

    /// The kind of failure, without anything that the request, the response or the app contributed: no URL, no body, no explanation.
    package var outline: String {
        switch self {
        case .networkError(let failure): "\(parts.title): \(failure.kind.rawValue)"
        case .decodingFailed: "Decoding failed"
        case .interceptorFailed: "Interceptor failed"
        default: parts.title
        }
    }

    /// The error behind this one in words; nil when they are told already.
    private func cause(_ error: (any Error)?) -> String? {
        guard let error, !(error is HTTPError), !(error is CancellationError) else { return nil }
        switch self {
        case .encodingFailed, .decodingFailed: return nil
        case .networkError(let failure) where failure.explanation == CodingPath.explain(error): return nil
        default: return CodingPath.explain(error)
        }
    }

    /// The media type of a body that could not be decoded, which reveals an HTML page in place of JSON.
    private var contentType: String? {
        guard case .decodingFailed(let failure) = self, let type = failure.response.headers[.contentType] else { return nil }
        return Redaction.line(type, limit: 100)
    }

    /// The start of the response's body, or its type and length.
    private var snippet: String? {
        guard let body = response?.body, !body.isEmpty else { return nil }
        return Redaction.body(body, type: response?.headers[.contentType])
    }
}
