extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// A description of the failure and its request for developers, in one line and without secrets.
    ///
    /// The message for people is `errorDescription`.
    public var description: String {
        let context = context
        var text = summary + context.detail.inParentheses
        if let request = context.request { text += ": \(request)" }
        if let stage = context.stage, stage != .validation, stage != .decoding { text += ", stage: \(stage.rawValue)" }
        if context.attempts > 1 { text += ", attempts: \(context.attempts)" }
        if let contentType { text += ", Content-Type: \(contentType)" }
        if let snippet { text += ", body: \(snippet)" }
        if let cause = cause(context.underlying) { text += ", cause: \(cause)" }
        // Parts of the text come from outside, such as the server's body and the messages of libraries.
        return Redaction.visible(text)
    }

    /// The failure and its cause, without the request and the body of the response, in one line and without secrets.
    package var failureText: String {
        let context = context
        let cause = cause(context.underlying).map { ", cause: \($0)" } ?? ""
        return Redaction.visible(summary + context.detail.inParentheses + cause)
    }

    /// The kind of failure, without words from the request, the response or the app: no URL, no body, no explanation. A decoding failure has
    /// the path of the value.
    package var outline: String {
        switch self {
        case .networkError(let failure): "\(kind.title): \(failure.kind.rawValue)"
        case .statusCode(let response): "\(kind.title) \(response.status)"
        case .decodingFailed(let failure):
            kind.title + (failure.codingPath.isEmpty ? "" : " at \(Redaction.line(failure.codingPath))")
        default: kind.title
        }
    }

    /// The failure without its context.
    private var summary: String {
        let parts = parts, title = parts.kind.title, text = parts.payload.text
        switch self {
        case .statusCode(let response): return "\(title) \(response.status)"
        case .decodingFailed(let failure):
            let place = failure.codingPath.isEmpty ? "" : " at \(failure.codingPath)"
            return "Decoding \(failure.type) failed\(place)" + (text.isEmpty ? "" : ": \(text)")
        case .interceptorFailed: return "Interceptor \(text) failed"
        default: return text.isEmpty ? title : "\(title): \(text)"
        }
    }

    /// Returns the description of the underlying error, or nil if the text already includes it.
    private func cause(_ error: (any Error)?) -> String? {
        guard let error, !(error is HTTPError), !(error is CancellationError) else { return nil }
        switch self {
        case .encodingFailed, .decodingFailed: return nil
        case .networkError(let failure) where failure.explanation == CodingPath.explain(error): return nil
        default: return CodingPath.explain(error)
        }
    }

    /// The media type of a body that could not be decoded. It reveals HTML pages sent in place of JSON.
    private var contentType: String? {
        guard case .decodingFailed(let failure) = self, let type = failure.response.headers[.contentType] else { return nil }
        return Redaction.line(type, limit: 100)
    }

    /// The start of the response body, or its type and length.
    private var snippet: String? {
        guard let body = response?.body, !body.isEmpty else { return nil }
        return Redaction.body(body, type: response?.headers[.contentType])
    }
}
