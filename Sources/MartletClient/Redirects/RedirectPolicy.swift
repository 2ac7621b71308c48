/// Which redirects are followed.
///
/// Whatever the policy, at most ``limit`` are, only to `http` and `https`, never from `https` to `http`, and credentials stay on
/// their origin: see ``RedirectDecision``.
public struct RedirectPolicy: Sendable {
    enum Rule: Sendable {
        case clientDefault
        case never
        case follow
        case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?)
    }

    let rule: Rule

    /// How many redirects one call may take.
    public let limit: Int

    /// Whether nobody but the rules is asked about a redirect.
    var followsAll: Bool { if case .follow = rule { true } else { false } }

    /// Whether it is left to the client.
    package var isClientDefault: Bool { if case .clientDefault = rule { true } else { false } }

    /// Follows redirects. Default limit: 20.
    public static func follow(limit: Int = 20) -> Self { Self(rule: .follow, limit: limit) }

    /// Follows none: the caller gets the 3xx response, if its status is accepted.
    public static var none: Self { Self(rule: .never, limit: 0) }

    /// For one call: as the client does.
    public static var clientDefault: Self { Self(rule: .clientDefault, limit: 20) }

    /// Asks a closure about each: it is given the next request, made by the rules, and the head of the response, and gives the request
    /// to send, or nil to hand the 3xx response to the caller.
    public static func custom(
        limit: Int = 20, _ decide: @escaping @Sendable (_ proposed: HTTPRequest, _ response: HTTPResponse<Void>) -> HTTPRequest?
    ) -> Self {
        Self(rule: .decide(decide), limit: limit)
    }
}
