public import MartletEssentials

/// Scheme, host and port: the boundary that credentials do not cross (RFC 6454 §4, RFC 9110 §4.3.1).
///
/// Schemes and hosts are compared in lower case, and a port that is the scheme's default is the same as none.
///
/// ```swift
/// let origin: Origin = "https://api.example"
/// origin == Origin(URL(string: "https://API.example:443/v1")!)  // true
/// ```
public struct Origin: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port, the scheme's default when the URL has none; nil for a scheme without one.
    public let port: Int?

    /// The origin of a URL; nil when it has no scheme or no host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? Origin.defaultPort(scheme)
    }

    /// An origin by its text, such as `https://api.example:8443`. A text that is none equals no URL's origin.
    public init(stringLiteral value: String) {
        if let url = URL(string: value), let origin = Origin(url) {
            self = origin
        } else {
            scheme = ""
            host = value
            port = nil
        }
    }

    /// The origin as text, without a default port.
    public var description: String {
        let suffix = port == Origin.defaultPort(scheme) ? "" : port.map { ":\($0)" } ?? ""
        // An IPv6 address: URL takes its brackets away.
        return "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)\(suffix)"
    }

    private static func defaultPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}
