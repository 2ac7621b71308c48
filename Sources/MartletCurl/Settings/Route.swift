internal import MartletEssentials
internal import MartletHTTP

/// The settings of libcurl for one origin: its proxy, addresses, pinned keys and client identity.
struct Route: Hashable {
    var proxy: Proxy?
    /// The public keys that the server may have, in libcurl's notation: `sha256//…;sha256//…`.
    var pins: String?
    /// The index of the client identity that is offered to the server; nil for none.
    var identity: Int?
    /// The configured addresses of the origin's host, in libcurl's notation: `host:port:address,address`.
    var resolve: String?
    /// The policy for the addresses that may be connected to; nil if all may be.
    var addresses: AddressPolicy?

    var isGuarded: Bool { addresses != nil }
}

/// Finds the route to each origin.
struct Routing: Sendable {
    private let tls: TLSSettings
    private let proxy: ProxySettings
    private let addresses: [String: [String]]
    private let environment: [String: String]
    /// Whether every route has the default settings, which saves each request the search.
    private let isPlain: Bool

    init(_ configuration: CurlTransport.Configuration, environment: @autoclosure () -> [String: String]) {
        tls = configuration.tls
        proxy = configuration.proxy
        addresses = Dictionary(
            configuration.resolve.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.environment = configuration.proxy == .environment ? environment() : [:]
        let hasNoProxy = configuration.proxy == .none || configuration.proxy == .system
        isPlain = hasNoProxy && tls.pinnedKeys.isEmpty && tls.clientIdentities.isEmpty && addresses.isEmpty
    }

    /// Returns the route of a request.
    ///
    /// Throws `.addressRefused` if a proxy would look up the request's host and the address policy forbids that, and `.invalidURL` if the
    /// environment names an invalid proxy.
    func route(of request: HTTPRequest) throws(HTTPError) -> Route {
        var route = isPlain ? Route() : try route(to: request.url)
        guard let policy = request.context.addressPolicy else { return route }
        // The connection is to the proxy, which the request did not choose, so its address is not checked.
        guard route.proxy == nil else {
            try policy.checkProxy(for: request.url)
            return route
        }
        route.addresses = policy
        return route
    }

    /// Returns the route to a URL's origin. Throws `.invalidURL` if the environment names an invalid proxy.
    func route(to url: URL) throws(HTTPError) -> Route {
        if isPlain { return Route() }
        guard let origin = Origin(url) else { throw .invalidURL(Explanation("the URL has no host: \(Redaction.url(url))")) }
        var route = Route(proxy: try proxy.proxy(for: origin, environment: environment))
        if origin.scheme == "https" {
            let pins = tls.pins(for: origin.host).map { "sha256//" + $0.base64EncodedString() }
            if !pins.isEmpty { route.pins = pins.joined(separator: ";") }
            route.identity = tls.clientIdentityIndex(for: origin.host)
        }
        if let addresses = addresses[origin.host], let port = origin.port {
            route.resolve = "\(origin.host):\(port):\(addresses.joined(separator: ","))"
        }
        return route
    }
}
