/// The circumstances of an error: the request, the stage, the number of attempts and the underlying error.
public struct ErrorContext: Sendable {
    /// The stage at which a call failed.
    public enum Stage: String, Sendable, Hashable {
        /// The endpoint or request was being converted into an HTTP request.
        case request
        /// An interceptor was handling the request or the response.
        case interceptor
        /// A redirect was being followed.
        case redirect
        /// The connection was being established.
        case connect
        /// The request was being sent, or the response's head was awaited.
        case exchange
        /// The body of the response was being received.
        case body
        /// The response's status, or its content type, was being checked.
        case validation
        /// The body of the response was being decoded.
        case decoding
    }

    /// The request as it was last sent or was about to be sent, or nil if none was created.
    public var request: HTTPRequest? {
        get { boxed?.request }
        set { boxed = newValue.map(BoxedRequest.init) }
    }
    /// The stage at which the call failed, or nil if it is not known.
    public var stage: Stage?
    /// The number of times the call's requests were passed to the transport, counting redirects and retries.
    public var attempts: Int
    /// The error that caused this one, or nil.
    public var underlying: (any Error)?
    /// Details that the error's case does not show, such as which timeout expired. Empty if there are none.
    public var detail: String

    /// The time from the error until a new call may succeed, if a circuit breaker or a limit of this client knows it, or nil.
    public var retryAfter: Duration?

    /// Creates the context of an error. Unless the number of attempts is given, it is that of the request's call until now.
    public init(
        request: HTTPRequest? = nil, stage: Stage? = nil, attempts: Int? = nil, underlying: (any Error)? = nil, detail: String = "",
        retryAfter: Duration? = nil
    ) {
        self.stage = stage
        self.attempts = attempts ?? request?.context.attempts ?? 0
        self.underlying = underlying
        self.detail = detail
        self.retryAfter = retryAfter
        boxed = request.map(BoxedRequest.init)
    }

    // Boxed, so that errors are cheap to throw.
    private var boxed: BoxedRequest?
}

extension ErrorContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The request, the stage and the number of attempts, without secrets.
    public var description: String {
        [request.map { "\($0)" }, stage.map { "stage: \($0.rawValue)" }, attempts > 0 ? "attempts: \(attempts)" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }
}
