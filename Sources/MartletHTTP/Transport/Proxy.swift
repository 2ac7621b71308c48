public import MartletEssentials

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
