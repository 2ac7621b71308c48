public import MartletEssentials

/// The scheme, host and port of a URL: the boundary that credentials do not cross (RFC 6454 §4, RFC 9110 §4.3.1).
///
/// Schemes and hosts are compared in lower case. A scheme's default port equals a missing port.
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
    /// The port, or the scheme's default port if the URL has none, or nil if the scheme has no default port either.
    public let port: Int?

    /// Creates the origin of a URL, or returns nil if the URL has no scheme or no host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? Origin.defaultPort(scheme)
    }

    /// Creates an origin from a literal such as `https://api.example:8443`; an invalid literal does not trap, and equals the origin of no
    /// URL.
    public init(stringLiteral value: String) {
        // The developer writes a literal: a host that is not ASCII is read as Foundation reads the app's own URLs.
        let isASCII = value.utf8.allSatisfy { $0 < 0x80 }
        if let url = isASCII ? URLReference.absolute(value) : URL(string: value), let origin = Origin(url) {
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
        // An IPv6 address, whose brackets URL removes.
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
