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
        let isAddress = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[")
        return scheme + "://" + (isAddress ? "[\(host)]" : host) + suffix
    }

    private static func defaultPort(_ scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}

/// The origin of a URL that a request can be sent to. It is found once and carried with the request.
///
/// Its existence shows that the URL is an `http` or `https` URL with a host and without a user's name or password.
package final class CheckedOrigin: Sendable {
    package let origin: Origin
    /// The scheme, host and port as the URL has them, in lower case. Connections are shared between requests with the same text.
    package let text: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool

    /// Creates the origin of a URL, or returns nil if a request to the URL can't be sent.
    package init?(_ url: URL) {
        guard CheckedOrigin.problem(of: url) == nil, let origin = Origin(url) else { return nil }
        self.origin = origin
        text = url.absoluteString.originPart
        guard !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        isSecure = origin.scheme == "https"
    }

    /// Returns why a URL can't be sent to, or nil if it can.
    package static func problem(of url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let isSocket = ["ws", "wss"].contains(url.scheme?.lowercased())
            return isSocket ? "is one of WebSocket, which this client does not support" : "is not http or https"
        }
        guard let host = url.host, !host.isEmpty else { return "has no host" }
        if url.hasUserInfo { return "has a user's name or password; use the Authorization field" }
        return nil
    }
}

extension URL {
    /// Whether there is a user's name or password before the host.
    ///
    /// Reads the encoded forms: the decoded ones are nil if their bytes are not UTF-8, and libcurl would send those bytes as a credential.
    package var hasUserInfo: Bool { user(percentEncoded: true) != nil || password(percentEncoded: true) != nil }
}

extension String {
    /// The scheme, host and port of a URL without user and password, in lower case and otherwise unchanged.
    package var originPart: String {
        var slashes = 0
        let end = utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return self[..<(end ?? endIndex)].lowercased()
    }
}
