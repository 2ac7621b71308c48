internal import MartletEssentials

/// Keeps requests from reaching this machine and its own network, whoever made their URLs: against server-side request forgery.
///
/// ### Choose
/// When URLs come from others: webhooks, previews of links, images of users. Not for a client that talks to one API of your own.
///
/// ### Use
/// ```swift
/// let client = HTTPClient(interceptors: [PrivateAddressGuard()])
/// let inside = HTTPClient(interceptors: [try PrivateAddressGuard(allowing: ["api.corp.example", "10.20.0.0/16"])])
/// ```
/// Put it last in the array, so that it sees what is sent. It sees each redirect, since interceptors do. Where there are two, what either
/// refuses is refused.
///
/// ### What it promises
/// A request whose host is a special address in any spelling, or a local name, throws `.addressRefused`, and nothing is sent: see
/// ``AddressPolicy``. For names, the transport looks at the address (``RequestContext/addressPolicy``):
/// - `CurlTransport` at each connection, before the first packet, and for kept connections at each request: what the name meant a
///   moment before does not count (DNS rebinding).
/// - `URLSessionTransport` can't see it. It looks the name up beforehand, and refuses when any of its addresses is refused; a name that
///   means something else a moment later gets through. Behind a hostile DNS use `CurlTransport`, or a network that has no private hosts.
/// - A proxy looks names up where nobody here sees it: they are refused, unless `allowsProxies`.
/// - A transport of somebody else's may ignore it: only the spelling of the host is then looked at.
public struct PrivateAddressGuard: Interceptor, CredentialAddingInterceptor {
    /// Which hosts and addresses may be reached.
    public let policy: AddressPolicy

    /// A guard that lets requests to the public network through.
    public init() { policy = .publicOnly }

    /// A guard with a policy.
    public init(policy: AddressPolicy) { self.policy = policy }

    /// A guard that lets requests to the public network through, and to what is allowed: see ``AddressPolicy/init(allowing:allowsProxies:)``.
    public init(allowing allowed: [String], allowsProxies: Bool = false) throws(HTTPError) {
        policy = try AddressPolicy(allowing: allowed, allowsProxies: allowsProxies)
    }

    /// Refuses the request, or sends it on with the policy for its connection: besides that of a guard before it, or of the request's own.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = request
        switch policy.decide(host: request.url.host ?? "") {
        case .refuse(let why): throw HTTPError.addressRefused(Explanation(why))
        case .allow: break
        default: request.context.addressPolicy = request.context.addressPolicy?.intersection(policy) ?? policy
        }
        return try await next(request)
    }
}
