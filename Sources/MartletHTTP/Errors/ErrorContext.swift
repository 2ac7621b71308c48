package import MartletEssentials

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

    /// The status of the response without a body of a `.noData` error, or nil.
    package var status: HTTPStatus?

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

/// The payload of an `HTTPError` case: a description of the failure with its context.
protocol ErrorPayload: Sendable {
    /// The request, the stage and the underlying error.
    var context: ErrorContext { get set }

    /// A description of the failure for developers. Empty if the case says everything.
    var text: String { get }

    /// Returns whether both describe the same failure. Contexts do not count.
    func isSame(as other: Self) -> Bool
}

extension ErrorPayload {
    /// Returns whether the other payload has the same type and describes the same failure.
    func isSame(asAny other: any ErrorPayload) -> Bool { (other as? Self).map(isSame) ?? false }
}

extension ErrorContext: ErrorPayload {
    package var context: ErrorContext {
        get { self }
        set { self = newValue }
    }

    package var text: String { "" }

    package func isSame(as other: ErrorContext) -> Bool { true }
}

extension HTTPResponse<Data>: ErrorPayload {
    /// The context of a rejected status. Setting it sets the response's request unless it has one.
    package var context: ErrorContext {
        get { ErrorContext(request: metadata.request, stage: .validation) }
        set { if metadata.request == nil { metadata.request = newValue.request } }
    }

    package var text: String { "" }

    package func isSame(as other: HTTPResponse<Data>) -> Bool { self == other }
}

extension String {
    /// The text in parentheses after a space, or an empty string if the text is empty.
    var inParentheses: String { isEmpty ? "" : " (\(self))" }
}
