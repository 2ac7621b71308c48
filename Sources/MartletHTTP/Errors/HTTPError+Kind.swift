extension HTTPError {
    /// The kinds of errors, one for each case.
    package enum Kind: String, Sendable, CaseIterable {
        case invalidURL, invalidRequest, encodingFailed, networkError, invalidSSLCertificate, timeout, cancelled, draining, invalidResponse
        case noData, statusCode, decodingFailed, responseTooLarge, fileFailed, integrityFailed, redirectFailed, bodyNotReplayable
        case pagingFailed, addressRefused, authenticationFailed, circuitOpen, limitExceeded, engineUnavailable, interceptorFailed

        /// The title in descriptions.
        var title: String { row.title }

        /// The outcome of a call in metrics. A rejected status counts by its class instead.
        package var metricLabel: String { row.metricLabel }

        /// Creates an error from an explanation. Nil for a kind whose errors have other values.
        package var make: (@Sendable (Explanation) -> HTTPError)? { row.make }

        /// The table of all kinds.
        private var row: (title: String, metricLabel: String, make: (@Sendable (Explanation) -> HTTPError)?) {
            switch self {
            case .invalidURL: ("Invalid URL", "invalid_request", HTTPError.invalidURL)
            case .invalidRequest: ("Invalid request", "invalid_request", HTTPError.invalidRequest)
            case .encodingFailed: ("Encoding failed", "invalid_request", HTTPError.encodingFailed)
            case .networkError: ("Network error", "network", nil)
            case .invalidSSLCertificate: ("TLS refused", "tls", HTTPError.invalidSSLCertificate)
            case .timeout: ("Timed out", "timeout", nil)
            case .cancelled: ("Cancelled", "cancelled", nil)
            case .draining: ("Draining: no new calls are started", "draining", nil)
            case .invalidResponse: ("Invalid response", "invalid_response", HTTPError.invalidResponse)
            case .noData: ("No content", "decoding", HTTPError.noData)
            case .statusCode: ("Status", "invalid_status", nil)
            case .decodingFailed: ("Decoding failed", "decoding", nil)
            case .responseTooLarge: ("Response too large", "invalid_response", nil)
            case .fileFailed: ("File failed", "file", nil)
            case .integrityFailed: ("Integrity failed", "invalid_response", HTTPError.integrityFailed)
            case .redirectFailed: ("Redirect failed", "redirect", HTTPError.redirectFailed)
            case .bodyNotReplayable: ("Body not replayable", "invalid_request", HTTPError.bodyNotReplayable)
            case .pagingFailed: ("Paging failed", "invalid_response", nil)
            case .addressRefused: ("Address refused", "invalid_request", HTTPError.addressRefused)
            case .authenticationFailed: ("Authentication failed", "authentication", HTTPError.authenticationFailed)
            case .circuitOpen: ("Circuit open", "circuit_open", HTTPError.circuitOpen)
            case .limitExceeded: ("Limit exceeded", "limit_exceeded", HTTPError.limitExceeded)
            case .engineUnavailable: ("Engine unavailable", "other", HTTPError.engineUnavailable)
            case .interceptorFailed: ("Interceptor failed", "other", HTTPError.interceptorFailed)
            }
        }
    }

    /// The kind of error.
    package var kind: Kind { parts.kind }

    /// The name of the error's case, such as `decodingFailed`, the kind of a network failure, such as `connectionRefused`, or the name of a
    /// failure above HTTP.
    package var caseName: String {
        switch self {
        case .networkError(let failure): failure.kind.rawValue
        case .invalidResponse: aboveHTTP?.caseName ?? kind.rawValue
        default: kind.rawValue
        }
    }

    /// The failure of a protocol above HTTP that this error tells observers of, or nil.
    package var aboveHTTP: (any FailureAboveHTTP)? {
        if case .invalidResponse(let what) = self { what.context.underlying as? any FailureAboveHTTP } else { nil }
    }

    /// Whether this client rejected the request because of a limit or an open circuit, so that nothing was sent.
    package var isRejection: Bool {
        switch self {
        case .circuitOpen, .limitExceeded: true
        default: false
        }
    }

    /// The explanation of an error whose case has nothing else, or nil.
    package var explanation: Explanation? { parts.payload as? Explanation }

    /// The parts that every case has.
    struct Parts {
        let kind: Kind
        let payload: any ErrorPayload
        /// Returns the same case with another context.
        let withContext: (ErrorContext) -> HTTPError

        init<Payload: ErrorPayload>(_ kind: Kind, _ payload: Payload, _ make: @escaping (Payload) -> HTTPError) {
            self.kind = kind
            self.payload = payload
            withContext = { context in
                var payload = payload
                payload.context = context
                return make(payload)
            }
        }
    }

    /// The parts of the error's case. Everything that holds for each case reads them.
    var parts: Parts {
        switch self {
        case .invalidURL(let failure): Parts(.invalidURL, failure, HTTPError.invalidURL)
        case .invalidRequest(let failure): Parts(.invalidRequest, failure, HTTPError.invalidRequest)
        case .encodingFailed(let failure): Parts(.encodingFailed, failure, HTTPError.encodingFailed)
        case .networkError(let failure): Parts(.networkError, failure, HTTPError.networkError)
        case .invalidSSLCertificate(let failure): Parts(.invalidSSLCertificate, failure, HTTPError.invalidSSLCertificate)
        case .timeout(let context): Parts(.timeout, context, HTTPError.timeout)
        case .cancelled(let context): Parts(.cancelled, context, HTTPError.cancelled)
        case .draining(let context): Parts(.draining, context, HTTPError.draining)
        case .invalidResponse(let failure): Parts(.invalidResponse, failure, HTTPError.invalidResponse)
        case .noData(let failure): Parts(.noData, failure, HTTPError.noData)
        case .statusCode(let response): Parts(.statusCode, response, HTTPError.statusCode)
        case .decodingFailed(let failure): Parts(.decodingFailed, failure, HTTPError.decodingFailed)
        case .responseTooLarge(let failure): Parts(.responseTooLarge, failure, HTTPError.responseTooLarge)
        case .fileFailed(let failure): Parts(.fileFailed, failure, HTTPError.fileFailed)
        case .integrityFailed(let failure): Parts(.integrityFailed, failure, HTTPError.integrityFailed)
        case .redirectFailed(let failure): Parts(.redirectFailed, failure, HTTPError.redirectFailed)
        case .bodyNotReplayable(let failure): Parts(.bodyNotReplayable, failure, HTTPError.bodyNotReplayable)
        case .pagingFailed(let failure): Parts(.pagingFailed, failure, HTTPError.pagingFailed)
        case .addressRefused(let failure): Parts(.addressRefused, failure, HTTPError.addressRefused)
        case .authenticationFailed(let failure): Parts(.authenticationFailed, failure, HTTPError.authenticationFailed)
        case .circuitOpen(let failure): Parts(.circuitOpen, failure, HTTPError.circuitOpen)
        case .limitExceeded(let failure): Parts(.limitExceeded, failure, HTTPError.limitExceeded)
        case .engineUnavailable(let failure): Parts(.engineUnavailable, failure, HTTPError.engineUnavailable)
        case .interceptorFailed(let failure): Parts(.interceptorFailed, failure, HTTPError.interceptorFailed)
        }
    }
}

/// The failure of a protocol above HTTP whose response is valid, such as one with GraphQL errors.
///
/// Observers of calls get it as the underlying error of `.invalidResponse`. Logs, metrics, spans and recordings show its own names.
package protocol FailureAboveHTTP: Error {
    /// The title in descriptions, without words of a server.
    var title: String { get }
    /// The name in spans and recordings, like that of a case of `HTTPError`.
    var caseName: String { get }
    /// The outcome of the call in metrics.
    var metricLabel: String { get }
    /// The response that contains the failure, or nil if it is not known.
    var head: HTTPResponse<Void>? { get }
}

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

    /// The kind of failure, without words from the request, the response or the app: no URL, no body, no explanation. A decoding failure
    /// has the path of the value.
    package var outline: String {
        switch self {
        case .networkError(let failure): "\(kind.title): \(failure.kind.rawValue)"
        case .statusCode(let response): "\(kind.title) \(response.status)"
        case .decodingFailed(let failure):
            kind.title + (failure.codingPath.isEmpty ? "" : " at \(Redaction.line(failure.codingPath))")
        default: aboveHTTP?.title ?? kind.title
        }
    }

    /// Why a status was rejected, in one line and without secrets: authentication schemes that Martlet does not have, and the start of the
    /// body unless `hasBody` is false. Empty if there is nothing to say, and for other errors.
    package func explanationOfStatus(hasBody: Bool) -> String {
        guard case .statusCode(let response) = self else { return "" }
        let schemes = unsupportedSchemes(response.status, response.headers), body = hasBody ? snippet.map { "body: \($0)" } : nil
        return Redaction.visible([schemes.isEmpty ? nil : schemes, body].compactMap(\.self).joined(separator: ", "))
    }

    /// The failure without its context.
    private var summary: String {
        let parts = parts, title = aboveHTTP?.title ?? parts.kind.title, text = parts.payload.text
        switch self {
        case .statusCode(let response):
            return "\(title) \(response.status)" + unsupportedSchemes(response.status, response.headers).inParentheses
        case .decodingFailed(let failure):
            let place = failure.codingPath.isEmpty ? "" : " at \(failure.codingPath)"
            return "Decoding \(failure.type) failed\(place)" + (text.isEmpty ? "" : ": \(text)")
        case .interceptorFailed: return "Interceptor \(text) failed"
        default: return text.isEmpty ? title : "\(title): \(text)"
        }
    }

    /// Explains a 401 that asks only for authentication schemes that Martlet does not have. Otherwise returns an empty text.
    private func unsupportedSchemes(_ status: HTTPStatus, _ headers: HTTPFields) -> String {
        guard status == .unauthorized else { return "" }
        // A member of the list begins a challenge, or is another parameter of the challenge before it (RFC 9110 §11.6.1).
        let schemes = headers.values(for: .wwwAuthenticate).flatMap(\.listMembers).compactMap { member -> String? in
            let words = member.split(separator: " ", maxSplits: 1)
            guard let scheme = words.first, scheme.isToken, words.count < 2 || !words[1].hasPrefix("=") else { return nil }
            return scheme.lowercased()
        }
        let names = ["digest": "Digest", "negotiate": "Negotiate", "ntlm": "NTLM"]
        guard !schemes.isEmpty, schemes.allSatisfy({ names[$0] != nil }) else { return "" }
        let unsupported = Set(schemes).compactMap { names[$0] }.sorted()
        return "the server asks for \(unsupported.joined(separator: " and ")) authentication, which is not supported"
    }

    /// Returns the description of the underlying error without the words that the text already has, or nil if it has all of them.
    private func cause(_ error: (any Error)?) -> String? {
        guard let error, !(error is HTTPError), !(error is CancellationError), aboveHTTP == nil else { return nil }
        switch self {
        case .encodingFailed, .decodingFailed: return nil
        case .interceptorFailed: return CodingPath.explain(error)
        case .networkError(let failure): return CodingPath.explain(error).droppingEnd(failure.explanation)
        default: return CodingPath.explain(error).droppingEnd(parts.payload.text)
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

extension String {
    /// The text without these words at its end and the colon before them, or nil if it has no others: `libcurl error 60: …`.
    fileprivate func droppingEnd(_ words: String) -> String? {
        if self == words { return nil }
        let end = ": " + words
        return !words.isEmpty && hasSuffix(end) ? String(dropLast(end.count)) : self
    }
}
