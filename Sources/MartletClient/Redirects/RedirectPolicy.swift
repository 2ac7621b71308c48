/// The redirects that a call follows.
///
/// Every policy follows at most ``maxRedirects``, only to `http` and `https`, and never from `https` to `http`. Credentials stay on their
/// origin (RFC 9110 §15.4).
public struct RedirectPolicy: Sendable {
    enum Rule: Sendable {
        case clientDefault
        case never
        case follow
        case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?)
    }

    let rule: Rule

    /// The maximum number of redirects of one call. A further one fails with `.redirectFailed`.
    public let maxRedirects: Int

    /// Whether the rules alone decide.
    var followsAll: Bool { if case .follow = rule { true } else { false } }

    /// Whether the client's policy applies.
    package var isClientDefault: Bool { if case .clientDefault = rule { true } else { false } }

    /// Follows redirects. Default: at most 20.
    public static func follow(maxRedirects: Int = 20) -> Self { Self(rule: .follow, maxRedirects: maxRedirects) }

    /// Follows no redirect. The call returns the 3xx response if its status is accepted, and otherwise fails with `.statusCode`.
    public static var none: Self { Self(rule: .never, maxRedirects: 0) }

    /// The client's policy.
    public static var clientDefault: Self { Self(rule: .clientDefault, maxRedirects: 20) }

    /// Calls a closure for each redirect.
    ///
    /// - Parameters:
    ///   - maxRedirects: the maximum number of redirects. Default: 20.
    ///   - decide: receives the next request as the rules make it, and the head of the response. It returns the request to send, or nil to
    ///     return the 3xx response to the caller.
    public static func custom(
        maxRedirects: Int = 20, _ decide: @escaping @Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?
    ) -> Self {
        Self(rule: .decide(decide), maxRedirects: maxRedirects)
    }
}
