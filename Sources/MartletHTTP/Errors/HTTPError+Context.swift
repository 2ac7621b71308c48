#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTPError {
    /// What surrounds the error, whatever the case.
    public var context: ErrorContext {
        get {
            switch self {
            case .invalidURL(let payload), .invalidRequest(let payload), .encodingFailed(let payload), .invalidSSLCertificate(let payload),
                .invalidResponse(let payload), .noData(let payload), .redirectFailed(let payload), .bodyNotReplayable(let payload),
                .authenticationFailed(let payload), .circuitOpen(let payload), .engineUnavailable(let payload),
                .integrityFailed(let payload), .addressRefused(let payload):
                payload.context
            case .pagingFailed(let payload): payload.context
            case .fileFailed(let payload): payload.context
            case .networkError(let payload): payload.context
            case .timeout(let context), .cancelled(let context), .draining(let context): context
            case .statusCode(let response):
                ErrorContext(
                    request: response.metadata.request, stage: .validation, attempts: response.metadata.request?.context.attempt ?? 0)
            case .decodingFailed(let payload): payload.context
            case .responseTooLarge(let payload): payload.context
            case .interceptorFailed(let payload): payload.context
            }
        }
        set { self = withContext(newValue) }
    }

    /// The request that failed, as it was last sent.
    public var request: HTTPRequest? { context.request }

    /// Where on its journey the call failed.
    public var stage: ErrorContext.Stage? { context.stage }

    /// How often the request had been handed to the transport; 0 when nothing was sent.
    public var attempts: Int { context.attempts }

    /// What caused the error, when it was another one.
    public var underlying: (any Error)? { context.underlying }

    /// The response with its body, when there was one.
    public var response: HTTPResponse<Data>? {
        switch self {
        case .statusCode(let response): response
        case .decodingFailed(let failure): failure.response
        default: nil
        }
    }

    /// The response's status, when there was one.
    public var status: HTTPStatus? { response?.status }

    /// The response's body as problem details (RFC 9457), read leniently: any JSON object with at least one of their members.
    public var problem: ProblemDetails? { response.flatMap { ProblemDetails($0.body) } }

    /// Fills in what the context does not say yet, where the request is known.
    package func completed(ifKnown request: HTTPRequest?, stage: ErrorContext.Stage) -> HTTPError {
        request.map { completed(request: $0, stage: stage) } ?? self
    }

    /// Fills in what the context does not say yet: who knows more, later, calls this.
    package func completed(request: HTTPRequest, stage: ErrorContext.Stage, attempts: Int? = nil) -> HTTPError {
        if case .statusCode(var response) = self {
            guard response.metadata.request == nil else { return self }
            response.metadata.request = request
            return .statusCode(response)
        }
        var context = context
        guard context.request == nil || context.stage == nil || context.attempts == 0 else { return self }
        if context.request == nil { context.request = request }
        context.stage = context.stage ?? stage
        if context.attempts == 0 { context.attempts = attempts ?? request.context.attempts?.value ?? request.context.attempt }
        return withContext(context)
    }

    private func withContext(_ context: ErrorContext) -> HTTPError {
        switch self {
        case .invalidURL(let payload): .invalidURL(Explanation(payload.text, context: context))
        case .invalidRequest(let payload): .invalidRequest(Explanation(payload.text, context: context))
        case .encodingFailed(let payload): .encodingFailed(Explanation(payload.text, context: context))
        case .networkError(let payload): .networkError(NetworkFailure(payload.kind, payload.explanation, context: context))
        case .invalidSSLCertificate(let payload): .invalidSSLCertificate(Explanation(payload.text, context: context))
        case .timeout: .timeout(context)
        case .cancelled: .cancelled(context)
        case .draining: .draining(context)
        case .invalidResponse(let payload): .invalidResponse(Explanation(payload.text, context: context))
        case .noData(let payload): .noData(Explanation(payload.text, context: context))
        case .statusCode: self
        case .decodingFailed(var payload):
            {
                payload.context = context
                return .decodingFailed(payload)
            }()
        case .responseTooLarge(let payload): .responseTooLarge(SizeLimitFailure(payload.subject, limit: payload.limit, context: context))
        case .fileFailed(var payload):
            {
                payload.context = context
                return .fileFailed(payload)
            }()
        case .pagingFailed(let payload): .pagingFailed(PagingFailure(payload.kind, payload.explanation, context: context))
        case .addressRefused(let payload): .addressRefused(Explanation(payload.text, context: context))
        case .integrityFailed(let payload): .integrityFailed(Explanation(payload.text, context: context))
        case .redirectFailed(let payload): .redirectFailed(Explanation(payload.text, context: context))
        case .bodyNotReplayable(let payload): .bodyNotReplayable(Explanation(payload.text, context: context))
        case .authenticationFailed(let payload): .authenticationFailed(Explanation(payload.text, context: context))
        case .circuitOpen(let payload): .circuitOpen(Explanation(payload.text, context: context))
        case .engineUnavailable(let payload): .engineUnavailable(Explanation(payload.text, context: context))
        case .interceptorFailed(var payload):
            {
                payload.context = context
                return .interceptorFailed(payload)
            }()
        }
    }
}
