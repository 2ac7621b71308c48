public import MartletEssentials

/// A request message (RFC 9110 §3.4), ready to be sent: what interceptors see and transports send.
///
/// Calls are usually written as a `Request` or an `Endpoint`, from which the client makes this. A custom interceptor or transport
/// reads and changes it as a value.
public struct HTTPRequest: Sendable {
    /// What is asked of the target.
    public var method: HTTPMethod
    /// The target: absolute, `http` or `https`, percent-encoded.
    public var url: URL
    /// The fields. `Host`, `Content-Length` and `Transfer-Encoding` are the transport's to write.
    public var headers: HTTPFields
    /// The content, or nil.
    public var body: HTTPBody?
    /// What rides along with the request without being sent.
    public var context: RequestContext

    /// A request message.
    public init(
        method: HTTPMethod = .get, url: URL, headers: HTTPFields = [:], body: HTTPBody? = nil, context: RequestContext = .init()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.context = context
    }

    /// The path and query exactly as they are sent, percent-encoded: `/users/1?page=2` (origin-form, RFC 9112 §3.2.1).
    ///
    /// Use it to sign a request. It is never empty, and has no fragment. `url.path`, in contrast, is decoded and has no query.
    public var target: String { TargetURI.originForm(of: url.absoluteString) }

    /// Whether it may be sent again after it may have been received: its context says so or, where that says nothing, its method is
    /// idempotent or it carries an `Idempotency-Key`.
    public var isIdempotent: Bool { context.isIdempotent ?? (method.isIdempotent || headers.hasIdempotencyKey) }

    /// Whether it can be sent again at all: it has no body, or one that can be replayed.
    public var isReplayable: Bool { body?.isReplayable ?? true }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The method and the URL, with what is secret in the URL hidden.
    public var description: String { "\(Redaction.line(method.rawValue, limit: 40)) \(Redaction.url(url))" }
}

/// A boxed request, which makes its owner cheap to copy.
final class BoxedRequest: Sendable {
    let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }
}
