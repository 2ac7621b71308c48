/// What surrounds an error: which request, where on its journey, after how many attempts, and what caused it.
public struct ErrorContext: Sendable {
    /// Where on its journey a call failed.
    public enum Stage: String, Sendable, Hashable {
        /// While the request was made from the call.
        case request
        /// In an interceptor.
        case interceptor
        /// While a redirect was followed.
        case redirect
        /// While a connection was made.
        case connect
        /// While the request was sent and the head of the answer awaited.
        case exchange
        /// While the body was received.
        case body
        /// When the status was checked.
        case validation
        /// When the body was decoded.
        case decoding
    }

    /// The request, as it was last sent.
    public var request: HTTPRequest? {
        get { boxed?.request }
        set { boxed = newValue.map(BoxedRequest.init) }
    }
    /// Where on its journey the call failed.
    public var stage: Stage?
    /// How often the request had been handed to the transport.
    public var attempts: Int
    /// What caused it.
    public var underlying: (any Error)?
    /// In words, where the case alone does not say it: which time-out, for example.
    public var detail: String

    /// A context.
    public init(
        request: HTTPRequest? = nil, stage: Stage? = nil, attempts: Int = 0, underlying: (any Error)? = nil, detail: String = ""
    ) {
        self.stage = stage
        self.attempts = attempts
        self.underlying = underlying
        self.detail = detail
        boxed = request.map(BoxedRequest.init)
    }

    // Boxed, so that errors stay cheap to throw.
    private var boxed: BoxedRequest?
}

extension ErrorContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The request and the stage, without secrets.
    public var description: String {
        [request.map { "\($0)" }, stage.map { "stage: \($0.rawValue)" }, attempts > 0 ? "attempts: \(attempts)" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }
}
