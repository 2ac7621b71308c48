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
    ///
    /// - Parameter likely: An origin that the URL may have, in which case it need not be found.
    package init?(_ url: URL, likely: CheckedOrigin? = nil) {
        let text = url.absoluteString.originPart
        self.text = text
        if let likely, likely.text.hasSameBytes(as: text) {
            origin = likely.origin
            isSecure = likely.isSecure
            return
        }
        guard let origin = CheckedOrigin.origin(of: url), !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        self.origin = origin
        isSecure = origin.scheme == "https"
    }

    /// Returns the origin of a URL that can be sent to, or nil.
    private static func origin(of url: URL) -> Origin? {
        guard let origin = Origin(url), origin.scheme == "http" || origin.scheme == "https", !url.hasUserInfo else { return nil }
        return origin
    }

    /// Returns why a URL can't be sent to, or nil if it can.
    package static func problem(of url: URL) -> String? {
        if origin(of: url) != nil { return nil }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let isSocket = ["ws", "wss"].contains(url.scheme?.lowercased())
            return isSocket ? "is one of WebSocket, which `webSocket(_:)` of the product MartletWebSocket opens" : "is not http or https"
        }
        guard let host = url.host, !host.isEmpty else { return "has no host" }
        return "has a user's name or password; use the Authorization field"
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
        var text = self
        return text.withUTF8 { bytes in
            var slashes = 0, end = 0
            while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
                if bytes[end] == UInt8(ascii: "/") { slashes += 1 }
                if slashes == 3 { break }
                end += 1
            }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
        }.lowercased()
    }
}
