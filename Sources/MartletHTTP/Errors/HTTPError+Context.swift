public import MartletEssentials
internal import MartletSystem

extension HTTPError {
    /// The circumstances of the error: the request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext {
        get { parts.payload.context }
        set { self = parts.withContext(newValue) }
    }

    /// The request that failed, as it was last sent or was about to be sent, or nil if none was created.
    public var request: HTTPRequest? { context.request }

    /// The stage at which the call failed, or nil if it is not known.
    public var stage: ErrorContext.Stage? { context.stage }

    /// The number of times the call's requests were passed to the transport, counting redirects and retries; 0 if nothing was sent.
    public var attempts: Int { context.attempts }

    /// The error that caused this one, or nil if there was none.
    public var underlying: (any Error)? { context.underlying }

    /// The response of a `.statusCode` or `.decodingFailed` error, or nil for every other error, even if a response was received. Its body
    /// is the start of the received one for a stream, and what ``DecodingFailure/response`` describes for a decoding failure.
    public var response: HTTPResponse<Data>? {
        switch self {
        case .statusCode(let response): response
        case .decodingFailed(let failure): failure.response
        default: nil
        }
    }

    /// The response's status for a `.statusCode` or `.decodingFailed` error, or nil for every other error.
    public var status: HTTPStatus? { response?.status }

    /// The problem details (RFC 9457) in the body of ``response``, or nil if it is not a JSON object with at least one of their members.
    public var problem: ProblemDetails? { response.flatMap { ProblemDetails($0.body) } }

    /// The time from the error until a new call may succeed, or nil if it is not known.
    ///
    /// For `.circuitOpen`, it is the time until the next probe, and for `.limitExceeded` the time until the limit has room. For
    /// `.statusCode` and `.decodingFailed`, it is the server's `Retry-After`, with a date compared with the response's `Date` or the
    /// client's clock.
    public var retryAfter: Duration? {
        if let known = context.retryAfter { return known }
        guard let response else { return nil }
        let now = response.headers[.date].flatMap { HTTPDate($0)?.date }
        return response.headers.retryAfter(now: now ?? (response.metadata.request?.context.time ?? SystemTime()).now)
    }

    /// Returns the error with missing parts of its context filled in, if the request is known.
    package func completed(ifKnown request: HTTPRequest?, stage: ErrorContext.Stage) -> HTTPError {
        request.map { completed(request: $0, stage: stage) } ?? self
    }

    /// Returns the error with missing parts of its context filled in. Outer layers, which know more, call it.
    package func completed(request: HTTPRequest, stage: ErrorContext.Stage, attempts: Int? = nil) -> HTTPError {
        var context = context
        guard context.request == nil || context.stage == nil || context.attempts == 0 else { return self }
        if context.request == nil { context.request = request }
        context.stage = context.stage ?? stage
        if context.attempts == 0 { context.attempts = attempts ?? request.context.attempts }
        return parts.withContext(context)
    }
}
