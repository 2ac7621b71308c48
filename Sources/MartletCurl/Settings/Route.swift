internal import MartletEssentials
internal import MartletHTTP

/// The settings of libcurl for one origin: its proxy, addresses, pinned keys and client identity.
struct Route: Hashable {
    var proxy: Proxy?
    /// `sha256//…;sha256//…`: the keys that the server may have.
    var pins: String?
    /// The index of the client identity that the server is offered; nil for none.
    var identity: Int?
    /// `host:port:address,address`: what its name is taken to mean.
    var resolve: String?
    /// Which addresses may be connected to; nil for all.
    var addresses: AddressPolicy?

    var isGuarded: Bool { addresses != nil }
}

/// Finds the way to each origin.
struct Routing: Sendable {
    private let tls: TLSSettings
    private let proxy: ProxySettings
    private let addresses: [String: [String]]
    private let environment: [String: String]
    /// Whether every way is straight, which spares each request the looking.
    private let isPlain: Bool

    init(_ configuration: CurlTransport.Configuration, environment: @autoclosure () -> [String: String]) {
        tls = configuration.tls
        proxy = configuration.proxy
        addresses = Dictionary(
            configuration.resolve.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.environment = configuration.proxy == .environment ? environment() : [:]
        isPlain = configuration.proxy == .none && tls.pinnedKeys.isEmpty && tls.clientIdentities.isEmpty && addresses.isEmpty
    }

    /// The way that a request takes. Throws `.addressRefused` when a proxy would look its host up and that is not allowed, and
    /// `.invalidURL` when the environment names a proxy that is none.
    func route(of request: HTTPRequest) throws(HTTPError) -> Route {
        var route = try route(to: request.url)
        guard let policy = request.context.addressPolicy else { return route }
        // What is connected to is the proxy, which is not the request's choice.
        guard route.proxy == nil else {
            try policy.checkProxy(for: request.url)
            return route
        }
        route.addresses = policy
        return route
    }

    /// The way to a URL's origin. Throws `.invalidURL` when the environment names a proxy that is none.
    func route(to url: URL) throws(HTTPError) -> Route {
        if isPlain { return Route() }
        guard let origin = Origin(url) else { throw .invalidURL(Explanation("a URL without a host: \(Redaction.url(url))")) }
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
