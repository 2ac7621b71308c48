public import MartletEssentials

/// A proxy that requests are sent through. Its descriptions never show the user's name or the password.
public struct Proxy: Sendable, Hashable {
    /// Where it is, without a user's name and password. Schemes: `http`, `https`, `socks5` (names are looked up here) and `socks5h`
    /// (names are looked up by the proxy).
    public let url: URL
    /// Who uses it, when it wants to know.
    public let username: String?
    /// The user's password.
    public let password: String?

    /// The name or address of its host.
    public let host: String
    /// Its port: the URL's, or 80 for `http`, 443 for `https` and 1080 for the others.
    public let port: Int

    /// A proxy at a URL, which may have the user's name and password in it.
    ///
    /// Throws `.invalidURL` for a scheme that is none of a proxy's, and without a host.
    ///
    /// - Parameters:
    ///   - url: where it is.
    ///   - username: takes precedence over that of the URL.
    ///   - password: takes precedence over that of the URL.
    public init(url: URL, username: String? = nil, password: String? = nil) throws(HTTPError) {
        guard let scheme = url.scheme?.lowercased(), let defaultPort = Proxy.defaultPorts[scheme] else {
            throw .invalidURL(Explanation("a proxy is http, https, socks5 or socks5h: \(Redaction.url(url))"))
        }
        guard let host = url.host, !host.isEmpty, !host.contains(where: { "*/@#? \t\r\n".contains($0) }) else {
            throw .invalidURL(Explanation("the proxy has no host: \(Redaction.url(url))"))
        }
        guard (1...65535).contains(url.port ?? defaultPort) else {
            throw .invalidURL(Explanation("the proxy has a port that there is not: \(Redaction.url(url))"))
        }
        let name = HostName.normalized(host)
        let bare = "\(scheme)://\(name.contains(":") ? "[\(name)]" : name):\(url.port ?? defaultPort)"
        guard let bareURL = URL(string: bare) else { throw .invalidURL(Explanation("not the URL of a proxy: \(bare)")) }
        self.url = bareURL
        self.host = name
        port = url.port ?? defaultPort
        let written = Proxy.userInfo(of: url)
        self.username = username ?? written.username
        self.password = password ?? written.password
    }

    /// A proxy by the text that environments hold: a URL, whose scheme is `http` when it is left out.
    init(text: String) throws(HTTPError) {
        guard let url = URL(string: text.contains("://") ? text : "http://" + text) else {
            // The text itself may have a password in it.
            throw .invalidURL("the proxy that the environment names is no URL")
        }
        try self.init(url: url)
    }

    private static let defaultPorts = ["http": 80, "https": 443, "socks5": 1080, "socks5h": 1080]

    /// From the text: URL's own properties differ between platforms in whether they undo escapes.
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
    /// Where it is, and whether there is a user's name.
    public var description: String { url.absoluteString + (username == nil && password == nil ? "" : " (with credentials)") }
}
