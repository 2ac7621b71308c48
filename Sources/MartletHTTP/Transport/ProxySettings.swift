public import MartletEssentials

/// Whether requests go through a proxy, and which one.
///
/// A transport that does not support a setting sends nothing and throws `.engineUnavailable`.
@nonexhaustive public enum ProxySettings: Sendable, Hashable {
    /// Requests go directly to the server, whatever the system's settings and the environment say.
    case none
    /// Requests follow the proxy settings of Apple's platforms. Linux has none for the whole system: requests go directly to the server,
    /// except over `URLSession`, which always follows the environment there. For the environment, see ``environment``.
    case system
    /// Requests go through the proxy that environment variables such as `https_proxy` name. The variables are `https_proxy` or
    /// `HTTPS_PROXY` for `https`, `http_proxy` for `http`, `all_proxy` or `ALL_PROXY` for URLs without a specific variable, and `no_proxy`
    /// or `NO_PROXY` for hosts that are reached directly. Lower-case names take precedence.
    ///
    /// `HTTP_PROXY` is not read: in a CGI program, the sender of a request controls it through the `Proxy` field.
    case environment
    /// Requests go through the given proxy, except those to hosts that match `bypass`.
    ///
    /// A rule is `*`, a name (`example.com` or `.example.com`, which also match every name below), an IP address, or a network such as
    /// `10.0.0.0/8`. Names and addresses may have a `:port`. An invalid rule matches no host.
    case explicit(Proxy, bypass: [String] = [])

    /// Returns the proxy that these settings name for a URL, or nil if it is reached without one.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - environment: The environment variables. They are only read for ``environment``.
    /// - Throws: `.invalidURL` if the proxy to use comes from the environment and is invalid.
    public func proxy(for url: URL, environment: [String: String]) throws(HTTPError) -> Proxy? {
        guard let origin = Origin(url) else { return nil }
        return try proxy(for: origin, environment: environment)
    }

    /// Returns the proxy that these settings name for an origin, or nil if it is reached without one. Throws like
    /// ``proxy(for:environment:)``.
    package func proxy(for origin: Origin, environment: [String: String]) throws(HTTPError) -> Proxy? {
        switch self {
        case .none, .system: return nil
        case .explicit(let proxy, let bypass):
            return bypass.contains { ProxyBypass($0)?.includes(origin) == true } ? nil : proxy
        case .environment:
            // Like curl, treats an empty variable as unset.
            func value(_ names: String...) -> String? {
                names.lazy.compactMap { environment[$0]?.trimmingWhitespace }.first { !$0.isEmpty }.map(String.init)
            }
            let named = origin.scheme == "https" ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
            guard let text = named ?? value("all_proxy", "ALL_PROXY") else { return nil }
            let rules = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }
            if rules.contains(where: { ProxyBypass($0)?.includes(origin) == true }) { return nil }
            return try Proxy(text: text)
        }
    }
}

/// A proxy server through which requests are sent. Descriptions never show the user name or the password.
public struct Proxy: Sendable, Hashable {
    /// The proxy's URL without user name and password. Schemes: `http`, `https`, `socks5` (names are resolved locally) and `socks5h` (names
    /// are resolved by the proxy).
    public let url: URL
    /// The user name for proxies that require one, or nil.
    public let username: String?
    /// The password for proxies that require one, or nil.
    public let password: String?

    /// The proxy's host name or address.
    public let host: String
    /// The proxy's port: the port of the URL, or 80 for `http`, 443 for `https` and 1080 for the other schemes.
    public let port: Int

    /// Creates a proxy from its URL, which may contain a user name and password.
    ///
    /// - Parameters:
    ///   - url: The proxy's URL.
    ///   - username: The user name. Takes precedence over the one in the URL.
    ///   - password: The password. Takes precedence over the one in the URL.
    /// - Throws: `.invalidURL` for another scheme, a missing host and an invalid port.
    public init(url: URL, username: String? = nil, password: String? = nil) throws(HTTPError) {
        guard let scheme = url.scheme?.lowercased(), let defaultPort = Proxy.defaultPorts[scheme] else {
            throw .invalidURL(Explanation("the scheme of a proxy must be http, https, socks5 or socks5h: \(Redaction.url(url))"))
        }
        guard let host = url.host, !host.isEmpty, !host.contains(where: { "*/@#? \t\r\n".contains($0) }) else {
            throw .invalidURL(Explanation("the proxy has no host: \(Redaction.url(url))"))
        }
        guard (1...65535).contains(url.port ?? defaultPort) else {
            throw .invalidURL(Explanation("the proxy's port is not a valid port number: \(Redaction.url(url))"))
        }
        let name = HostName.normalized(host)
        let bare = "\(scheme)://\(name.contains(":") ? "[\(name)]" : name):\(url.port ?? defaultPort)"
        guard let bareURL = URL(string: bare) else { throw .invalidURL(Explanation("the proxy's URL is invalid: \(bare)")) }
        self.url = bareURL
        self.host = name
        port = url.port ?? defaultPort
        let written = Proxy.userInfo(of: url)
        self.username = username ?? written.username
        self.password = password ?? written.password
    }

    /// Creates a proxy from the value of an environment variable: a URL, whose scheme defaults to `http`.
    init(text: String) throws(HTTPError) {
        guard let url = URLReference.absolute(text.contains("://") ? text : "http://" + text) else {
            // The text is not shown, because it may contain a password.
            throw .invalidURL("the proxy in the environment variable is not a valid URL")
        }
        try self.init(url: url)
    }

    private static let defaultPorts = ["http": 80, "https": 443, "socks5": 1080, "socks5h": 1080]

    /// Returns user name and password from the URL's text. URL's own properties decode escapes on some platforms only.
    private static func userInfo(of url: URL) -> (username: String?, password: String?) {
        let address = url.absoluteString
        guard let colon = address.firstIndex(of: ":"), address[colon...].hasPrefix("://") else { return (nil, nil) }
        let authority = address[address.index(colon, offsetBy: 3)...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return (nil, nil) }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.map { PercentEncoding.unescapedText($0) }
        return (texts[0].isEmpty ? nil : texts[0], texts.count > 1 ? texts[1] : nil)
    }
}

extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The URL, and whether there are credentials.
    public var description: String { url.absoluteString + (username == nil && password == nil ? "" : " (with credentials)") }
}

/// A rule for hosts that are reached without the proxy: an entry of `no_proxy`.
package struct ProxyBypass: Hashable {
    private enum Hosts: Hashable {
        case all
        /// A name and every name below it.
        case name(String)
        case address(IPAddress)
        case network(Network)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Creates a rule from `*`, `example.com`, `.example.com`, `*.example.com`, `10.0.0.1`, `10.0.0.0/8` or `::1`, each optionally with
    /// `:port` (an IPv6 address is then in brackets). Nil for any other text, which matches no host.
    package init?(_ rule: some StringProtocol) {
        let rule = String(rule.trimmingWhitespace)
        if let slash = rule.firstIndex(of: "/") {
            guard let bits = Int(rule[rule.index(after: slash)...]), let network = Network(rule[..<slash], bits) else { return nil }
            hosts = .network(network)
            port = nil
            return
        }
        var name = rule[...]
        (name, port) = ProxyBypass.splitPort(name)
        if let address = IPAddress(name) {
            hosts = .address(address)
            return
        }
        if name == "*" {
            hosts = .all
            return
        }
        if name.hasPrefix("*.") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let normal = HostName.normalized(name)
        guard !normal.isEmpty, !normal.contains("*") else { return nil }
        hosts = .name(normal)
    }

    /// Whether an origin is reached without the proxy.
    func includes(_ origin: Origin) -> Bool {
        if let port, port != origin.port { return false }
        let host = HostName.normalized(origin.host)
        let address = IPAddress(host)
        switch hosts {
        case .all: return true
        case .name(let name): return host == name || address == nil && host.hasSuffix("." + name)
        case .address(let wanted): return address == wanted
        case .network(let network): return address.map(network.contains) ?? false
        }
    }

    /// Splits off a port. A colon precedes a port if it is the only one, or if it follows the bracket of an IPv6 address.
    private static func splitPort(_ text: Substring) -> (name: Substring, port: Int?) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return (text, nil) }
        let name = text[..<colon]
        return name.hasSuffix("]") || !name.contains(":") ? (name, port) : (text, nil)
    }
}
