public import MartletEssentials

/// A request message (RFC 9110 §3.4) as interceptors see it and transports send it.
///
/// Apps usually describe a call with `Request` or `Endpoint`; the client creates this value from it. Custom interceptors and transports
/// read and change it as a value.
public struct HTTPRequest: Sendable {
    /// The request method.
    public var method: HTTPMethod
    /// The target: an absolute, percent-encoded `http` or `https` URL.
    public var url: URL {
        get { location.url }
        set {
            location = .value(newValue)
            checkedOrigin = nil
        }
    }
    /// The header fields. The transport writes `Host`, `Content-Length` and `Transfer-Encoding` itself.
    public var headers: HTTPFields
    /// The request body, or nil.
    public var body: HTTPBody?
    /// Values for interceptors and the transport, such as time limits, that are not sent.
    public var context: RequestContext
    private var location: RequestURL
    /// The origin of the URL, or nil if the URL was not checked since it was changed.
    package private(set) var checkedOrigin: CheckedOrigin?

    /// The request with an empty context.
    var withoutContext: HTTPRequest {
        HTTPRequest(method: method, url: location, checkedOrigin: checkedOrigin, headers: headers, body: body, context: RequestContext())
    }

    /// The text of the URL, which costs less than the URL.
    package var urlText: String { location.text }

    /// The URL, or nil if only its text is known, which would have to be parsed.
    package var parsedURL: URL? { if case .value(let url) = location { url } else { nil } }

    /// The origin of the URL, or nil if the URL has none.
    package var origin: Origin? { checkedOrigin?.origin ?? Origin(url) }

    /// Checks the URL unless that was done since it was changed. Returns why the request can't be sent to it, or nil if it can.
    package mutating func checkURL() -> String? {
        guard checkedOrigin == nil else { return nil }
        checkedOrigin = CheckedOrigin(url)
        return checkedOrigin == nil ? CheckedOrigin.problem(of: url) ?? "has no origin" : nil
    }

    /// The path and query exactly as they are sent, percent-encoded, such as `/users/1?page=2` (origin-form, RFC 9112 §3.2.1).
    ///
    /// Use it to sign a request. It is never empty and has no fragment. In contrast, `url.path` is decoded and has no query.
    public var target: String { TargetURI.originForm(of: urlText) }

    /// Whether the request may be resent even if the server may have received it.
    ///
    /// The context's ``RequestContext/isIdempotent`` decides. If that is nil, the method must be idempotent, or the request must have an
    /// `Idempotency-Key`.
    public var isIdempotent: Bool { context.isIdempotent ?? (method.isIdempotent || headers.hasIdempotencyKey) }

    /// Whether the request can be resent because it has no body or one that can be read again; whether it may be is ``isIdempotent``.
    public var isReplayable: Bool { body?.isReplayable ?? true }
}

// In an extension, so that they use the memberwise initializer, which copies nothing.
extension HTTPRequest {
    /// Creates a request message.
    public init(
        method: HTTPMethod = .get, url: URL, headers: HTTPFields = [:], body: HTTPBody? = nil, context: RequestContext = .init()
    ) {
        self.init(method: method, url: .value(url), checkedOrigin: nil, headers: headers, body: body, context: context)
    }

    /// Creates a request message.
    ///
    /// - Parameter checkedOrigin: The origin of the URL if it was checked.
    package init(
        method: HTTPMethod, url: RequestURL, checkedOrigin: CheckedOrigin?, headers: HTTPFields, body: HTTPBody?, context: RequestContext
    ) {
        self.init(method: method, headers: headers, body: body, context: context, location: url, checkedOrigin: checkedOrigin)
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The method and the URL, with secrets in the URL redacted.
    public var description: String { "\(Redaction.line(method.rawValue, limit: 40)) \(Redaction.url(url))" }
}

/// A boxed request, so that its owner is cheap to copy.
final class BoxedRequest: Sendable {
    let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }
}

/// The URL of a request, as a value or as its text. Most requests need only the text, and parsing it takes time.
package enum RequestURL: Sendable {
    case value(URL)
    /// The text of a URL. `URL(string:)` accepts it and leaves it unchanged.
    case text(String)

    /// The URL. A text is parsed at each access: read this once where it is used several times.
    package var url: URL {
        switch self {
        case .value(let url): return url
        case .text(let text):
            guard let url = URL(string: text) else { preconditionFailure("the text of a request's URL is not a URL") }
            return url
        }
    }

    var text: String {
        switch self {
        case .value(let url): url.absoluteString
        case .text(let text): text
        }
    }

    /// Creates the URL of a text that begins with the text of a URL that has a host, and continues with a path and a query. Returns nil if
    /// it is not a URL.
    ///
    /// - Parameter start: The index of the text's first byte that is not known to belong to a URL, or nil if the text must be parsed.
    package init?(_ text: String, checkedFrom start: String.Index?) {
        if let start, PercentEncoding.isLegal(text.utf8[start...]) {
            self = .text(text)
        } else if let url = URIText(text)?.url {
            self = .value(url)
        } else {
            return nil
        }
    }
}
