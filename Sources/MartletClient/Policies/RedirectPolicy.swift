package import MartletEssentials

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

/// Decides how to handle a response that may be a redirect (RFC 9110 §15.4). It depends only on its arguments.
package enum RedirectDecision: Sendable {
    /// The response is not a redirect, or the policy does not follow it. It is returned to the caller.
    case deliver
    /// The redirect is followed with this request.
    case follow(HTTPRequest)
    /// The redirect must not be followed. The call fails with this error.
    case refuse(HTTPError)

    /// Decides about the response to `request` after `count` redirects.
    ///
    /// 301 and 302 turn POST into GET, and 303 turns every method except HEAD into GET. 307 and 308 repeat the method and the body, and are
    /// refused when the body can't be replayed. When the body is dropped, its header fields are dropped too. When the origin changes,
    /// only the fields that are known to be harmless there, or that the app declares, remain. The new URL inherits the fragment. An empty
    /// `Location` is not followed. Redirects from `https` to `http`, to other schemes, and to a `Location` with a user name or password are
    /// refused.
    static func decide(
        request: HTTPRequest, response: HTTPResponse<Void>, count: Int, policy: RedirectPolicy
    ) -> RedirectDecision {
        guard response.status.isRedirect, let location = response.headers.values(for: .location).first, !location.isEmpty
        else { return .deliver }
        if case .never = policy.rule { return .deliver }
        guard count < policy.maxRedirects else { return refuse("more than \(policy.maxRedirects) redirects") }
        let next: HTTPRequest
        switch proposal(request, response.status, location) {
        case .success(let proposed): next = proposed
        case .failure(let error): return .refuse(error)
        }
        guard case .decide(let decide) = policy.rule else { return .follow(next) }
        return decide(next, response).map { .follow($0) } ?? .deliver
    }

    /// Returns the URL that sent a redirect: the requested one, or the sent one if an interceptor has only replaced `http` by `https`.
    ///
    /// Interceptors may send a request anywhere, but only this change leaves the host that the request's credentials are for.
    static func source(of requested: URL, sentTo sent: URL?) -> URL {
        guard let sent, sent != requested, requested.scheme?.lowercased() == "http", sent.scheme?.lowercased() == "https",
            let host = requested.host, sent.host?.lowercased() == host.lowercased()
        else { return requested }
        return sent
    }

    private static func proposal(_ request: HTTPRequest, _ status: HTTPStatus, _ location: String) -> Result<HTTPRequest, HTTPError> {
        guard let url = target(location, from: request.url) else {
            return .failure(.redirectFailed(Explanation(lazily: "the Location is not a URL: \(Redaction.address(location, limit: 200))")))
        }
        if let problem = problem(of: url, from: request.url) { return .failure(.redirectFailed(problem)) }
        var next = request
        next.url = url
        if becomesGet(request.method, status, hasBody: request.body != nil) {
            next.method = .get
            next.body = nil
            for name in contentFields { next.headers.remove(name) }
        } else if !request.isReplayable {
            return .failure(.bodyNotReplayable("a \(status) redirect asks for the body again, and it is a stream"))
        }
        if Origin(url) != Origin(request.url) {
            next.context.leaveOrigin(with: &next.headers, naming: request.context.harmlessFields)
            next.body = next.body?.withPortableTrailers(naming: request.context.harmlessFields)
        }
        return .success(next)
    }

    /// Returns why a URL that a server names as the next target must not be requested, or nil if it may be.
    package static func problem(of url: URL, from source: URL, named name: String = "Location") -> Explanation? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty else {
            return Explanation(lazily: "only http and https are followed: \(Redaction.url(url))")
        }
        if url.hasUserInfo { return Explanation(lazily: "the \(name) has a user's name or password: \(Redaction.url(url))") }
        if scheme == "http", source.scheme?.lowercased() == "https" {
            return Explanation(lazily: "from https to http: \(Redaction.url(url))")
        }
        return nil
    }

    /// Returns the target of a `Location`, resolved against the URL that sent it (RFC 3986 §5). It inherits the fragment (RFC 9110
    /// §10.2.2).
    private static func target(_ location: String, from source: URL) -> URL? {
        guard let url = URLReference.resolve(location, against: source) else { return nil }
        guard !url.absoluteString.utf8.contains(UInt8(ascii: "#")), let fragment = source.fragment(percentEncoded: true) else { return url }
        return URL(string: url.absoluteString + "#" + fragment)
    }

    private static func becomesGet(_ method: HTTPMethod, _ status: HTTPStatus, hasBody: Bool) -> Bool {
        switch status {
        case .movedPermanently, .found: method == .post
        case .seeOther: method != .head && (method != .get || hasBody)
        default: false
        }
    }

    private static func refuse(_ why: String) -> RedirectDecision { .refuse(.redirectFailed(Explanation(why))) }

    private static let contentFields: [HTTPFieldName] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .contentDisposition,
        .transferEncoding, .expect, "Content-Digest", "Digest", "Content-MD5", "Repr-Digest",
    ]
}

extension RequestContext {
    /// The origins that have redirected this call to another origin, in order, or that led to the URL of a next page or an upload.
    ///
    /// Code that adds credentials or signatures must check that it trusts all of them, and not only the origin of the request. Otherwise a
    /// foreign server could redirect a request of its choice to an origin where the credentials are valid.
    public package(set) var passedOrigins: [Origin] {
        get { self[PassedOriginsKey.self] }
        set { self[PassedOriginsKey.self] = newValue }
    }

    /// Returns the origins that have chosen a URL which a response to a request with this context names: ``passedOrigins``, and the origin
    /// of the response unless it is the URL's own.
    package func passedOrigins(naming url: URL, from source: URL) -> [Origin] {
        var passed = passedOrigins
        if let origin = Origin(source), origin != Origin(url), !passed.contains(origin) { passed.append(origin) }
        return passed
    }

    /// Whether the call had a `Cookie` field of its own, which was removed because another origin has chosen the target.
    package private(set) var hadOwnCookies: Bool {
        get { self[OwnCookiesKey.self] }
        set { self[OwnCookiesKey.self] = newValue }
    }

    /// Removes from the fields of a request whose target another origin has chosen all that are not known to be harmless there.
    ///
    /// - Parameter names: The names that the app declares as harmless.
    package mutating func leaveOrigin(with headers: inout HTTPFields, naming names: Set<HTTPFieldName>) {
        if headers.contains(.cookie) { hadOwnCookies = true }
        headers.removeAllButPortable(naming: names)
    }
}

private enum OwnCookiesKey: RequestContextKey {
    static let defaultValue = false
}

private enum PassedOriginsKey: RequestContextKey {
    static let defaultValue: [Origin] = []
}
