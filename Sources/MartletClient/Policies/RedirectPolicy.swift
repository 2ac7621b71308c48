/// The policy that decides which redirects a call follows.
///
/// ```swift
/// let short = Request<Data>.get(url: shortLink).redirects(.none)  // returns or throws the 3xx response
/// ```
///
/// Every policy follows at most ``maxRedirects`` redirects, only to `http` and `https`, and never from `https` to `http`. When the scheme,
/// host or port changes, only these header fields go along (RFC 9110 §15.4): `Accept` and `Accept-…`, `User-Agent`, `Content-…`, `Range`,
/// `If-…`, `traceparent`, `tracestate`, those of protocols that Martlet speaks (`Tus-Resumable`, `Upload-Length`, `Upload-Offset`,
/// `Upload-Metadata`, `Last-Event-ID`, `Apollo-Require-Preflight`), and the `harmlessFields` of the client's configuration. Credentials are
/// not among them, whatever their names begin with. A closure can add fields of its own.
public struct RedirectPolicy: Sendable {
    enum Rule: Sendable {
        case clientDefault
        case never
        case follow
        case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?)
    }

    let rule: Rule

    /// The maximum number of redirects of one call; a further one fails with `.redirectFailed`. 0 for `.none`, which delivers the redirect.
    public let maxRedirects: Int

    /// Whether every redirect that the rules allow is followed.
    var followsAll: Bool { if case .follow = rule { true } else { false } }

    /// Whether this is the placeholder for the client's policy.
    package var isClientDefault: Bool { if case .clientDefault = rule { true } else { false } }

    /// Follows redirects, by default at most 20; a further one fails with `.redirectFailed`.
    public static func follow(maxRedirects: Int = 20) -> Self { Self(rule: .follow, maxRedirects: maxRedirects) }

    /// Follows no redirect: the call returns the 3xx response if its status is accepted, and otherwise fails with `.statusCode`.
    public static var none: Self { Self(rule: .never, maxRedirects: 0) }

    /// Uses the policy of the client's configuration.
    public static var clientDefault: Self { Self(rule: .clientDefault, maxRedirects: 20) }

    /// Calls a closure for each redirect that the rules allow, which decides whether it is followed, and with which request.
    ///
    /// - Parameters:
    ///   - maxRedirects: The maximum number of redirects. Default: 20.
    ///   - decide: Receives the proposed next request and the head of the response. It returns the request to send, or nil to return the
    ///     3xx response to the caller.
    public static func custom(
        maxRedirects: Int = 20, _ decide: @escaping @Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?
    ) -> Self {
        Self(rule: .decide(decide), maxRedirects: maxRedirects)
    }
}
