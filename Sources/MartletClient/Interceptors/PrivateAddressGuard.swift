internal import MartletEssentials

/// An interceptor that rejects requests to this machine and its local network, as protection against server-side request forgery.
///
/// Use it for URLs from others, such as webhooks, link previews and users' images. A client of a single API of your own does not need it.
///
/// ```swift
/// let client = HTTPClient(interceptors: [PrivateAddressGuard()])
/// let inside = HTTPClient(interceptors: [try PrivateAddressGuard(allowing: ["api.corp.example", "10.20.0.0/16"])])
/// ```
///
/// Put it last in the array, so that it checks the requests that are sent, including each redirect. With two guards, a request must be
/// allowed by both.
///
/// A request whose host is a special address in any spelling, or a local name, throws `.addressRefused`, and nothing is sent: see
/// `AddressPolicy`. The transport checks the addresses of other names (`RequestContext.addressPolicy`):
/// - `CurlTransport` checks the address of each connection before the first packet, and of a kept-alive connection before each request.
///   This protects against DNS rebinding.
/// - `URLSessionTransport` cannot check connections. It looks the name up before the request and refuses if any of its addresses is
///   refused. A name whose addresses change directly after that is not detected. Against hostile DNS servers use `CurlTransport`, or a
///   network without private hosts.
/// - A proxy looks names up itself. Requests through a proxy that looks names up are therefore refused, unless `allowsProxies` is true.
/// - A custom transport may ignore the policy. Only the host in the URL is then checked.
///
/// A guard of your own, with a policy for each tenant for example, calls ``intercept(_:next:)`` of a guard with that policy.
public struct PrivateAddressGuard: Interceptor, CredentialAddingInterceptor, ConnectionGuard {
    /// The policy that decides which hosts and addresses may be reached.
    public let policy: AddressPolicy

    /// Creates a guard that allows only public addresses.
    public init() { policy = .publicOnly }

    /// Creates a guard that allows the hosts and addresses that `policy` allows.
    public init(policy: AddressPolicy) { self.policy = policy }

    /// Creates a guard that allows public addresses and the given hosts and networks.
    ///
    /// - Parameters:
    ///   - allowed: The additional hosts, addresses and networks. See `AddressPolicy.init(allowing:allowsProxies:)`.
    ///   - allowsProxies: Whether a proxy may look up the name of a host. Default: false.
    /// - Throws: An `HTTPError` if an element of `allowed` is invalid.
    public init(allowing allowed: [String], allowsProxies: Bool = false) throws(HTTPError) {
        policy = try AddressPolicy(allowing: allowed, allowsProxies: allowsProxies)
    }

    /// Returns true: the interceptor waits only for `next`.
    public var endsByDeadline: Bool { true }

    /// Rejects the request, or sends it with the policy for its connection.
    ///
    /// The policy is combined with that of an earlier guard or of the request.
    ///
    /// - Throws: `.addressRefused` if the policy refuses the host.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = request
        switch policy.decide(host: request.url.host ?? "") {
        case .refuse(let why): throw HTTPError.addressRefused(Explanation(why))
        case .allow: break
        case .allowPublicAddresses: request.context.addressPolicy = request.context.addressPolicy?.intersection(policy) ?? policy
        }
        return try await next(request)
    }
}

/// An interceptor that decides which addresses may be connected to, and that changes nothing else.
///
/// It also applies to connections that the client opens ahead of a call.
protocol ConnectionGuard: Interceptor {}
