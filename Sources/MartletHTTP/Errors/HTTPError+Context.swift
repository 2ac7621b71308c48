public import MartletEssentials

extension HTTPError {
    /// What surrounds the error, whatever the case.
    public var context: ErrorContext {
        get { parts.payload.context }
        set { self = parts.withContext(newValue) }
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
        var context = context
        guard context.request == nil || context.stage == nil || context.attempts == 0 else { return self }
        if context.request == nil { context.request = request }
        context.stage = context.stage ?? stage
        if context.attempts == 0 { context.attempts = attempts ?? request.context.attempts?.value ?? request.context.attempt }
        return parts.withContext(context)
    }
}
