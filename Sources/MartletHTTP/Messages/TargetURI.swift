package import MartletEssentials

/// The normalised target of a request (RFC 9110 §7.1), used as a key for stored responses and partial downloads.
package enum TargetURI {
    /// Returns the target of a request: its URL's target, with the request's own `Host` before the authority (`http://tenant@a.example/x`).
    ///
    /// The `Host` does not replace the authority, because a response from one server must not be used for another.
    package static func uri(of request: HTTPRequest) -> String { uri(of: request.urlText, host: host(of: request)) }

    /// Returns the target of a URL requested with a `Host` that is normalised as ``host(of:)`` does.
    package static func uri(of url: URL, host: String?) -> String { uri(of: url.absoluteString, host: host) }

    private static func uri(of text: String, host: String?) -> String {
        let uri = uri(of: text)
        guard let host, let slashes = uri.firstRange(of: "://") else { return uri }
        return uri[..<slashes.upperBound] + host + "@" + uri[slashes.upperBound...]
    }

    /// Returns the `Host` that the request sets (RFC 9110 §7.2), in lower case, without the scheme's default port, and with characters
    /// escaped that are invalid in an authority. Returns nil if the request sets none, or the URL's own.
    package static func host(of request: HTTPRequest) -> String? {
        guard request.headers.contains(.host) else { return nil }
        let scheme = request.urlText.prefix { $0 != ":" }.lowercased()
        let hosts = request.headers.values(for: .host).map { withoutDefaultPort($0.trimmingWhitespace.lowercased(), scheme) }
        let own = hosts.joined(separator: ",")
        return own == authority(of: request.urlText) ? nil : escaped(own)
    }

    /// Whether the request that was sent names the same authority as the request that the cache received.
    package static func isSameAuthority(_ sent: HTTPRequest, _ request: HTTPRequest) -> Bool {
        guard sent.headers.contains(.host) || request.headers.contains(.host) || sent.urlText != request.urlText else { return true }
        return effectiveAuthority(of: sent) == effectiveAuthority(of: request)
    }

    /// The authority that a request names (RFC 9110 §7.2): its `Host`, otherwise the authority of its URL. An interceptor that sends to
    /// another server may set `Host` to the original authority.
    private static func effectiveAuthority(of request: HTTPRequest) -> String {
        host(of: request) ?? escaped(authority(of: request.urlText))
    }

    private static func authority(of text: String) -> String {
        let uri = uri(of: text)
        guard let slashes = uri.firstRange(of: "://") else { return "" }
        return String(uri[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }

    private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
        let defaultPort = ["http": ":80", "https": ":443"][scheme] ?? ":"
        var host = authority
        for port in [defaultPort, ":"] where host.hasSuffix(port) { host.removeLast(port.utf8.count) }
        return host
    }

    /// Returns a host with invalid characters escaped, completely in lower case like stored keys.
    private static func escaped(_ host: String) -> String { PercentEncoding.escape(host, keeping: isAuthorityPart).lowercased() }

    private static func isAuthorityPart(_ byte: UInt8) -> Bool {
        Token.isAlphanumeric(byte) && !isUpper(byte) || ".-_:[],".utf8.contains(byte)
    }

    /// Returns the target of a URL as keys contain it: scheme and host in lower case, no user, default port or fragment, a path of at least
    /// `/`.
    package static func uri(of url: URL) -> String { uri(of: url.absoluteString) }

    private static func uri(of text: String) -> String {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return text }
        var start = bytes.index(after: colon)
        guard bytes[start...].starts(with: "//".utf8) else { return text }
        start = bytes.index(start, offsetBy: 2)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let stop = bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
        var authority = text[start..<stop]
        if let user = authority.utf8.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.utf8.index(after: user)...] }
        let scheme = text[..<colon]
        let isPlain = scheme.utf8.allSatisfy { !isUpper($0) } && authority.utf8.allSatisfy { !isUpper($0) && $0 != UInt8(ascii: ":") }
        let hasPath = stop < end && bytes[stop] == UInt8(ascii: "/")
        if isPlain, hasPath, authority.startIndex == start { return end == bytes.endIndex ? text : String(text[..<end]) }
        let lower = scheme.lowercased()
        let host = withoutDefaultPort(authority.lowercased(), lower)
        return lower + "://" + host + (hasPath ? "" : "/") + text[stop..<end]
    }

    /// Returns the path and query of a URL as a request line contains them (origin-form, RFC 9112 §3.2.1), without a fragment.
    ///
    /// An empty path after an authority is `/`. A text without scheme and authority is a target already.
    package static func originForm(of text: String) -> String {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[..<colon].allSatisfy({ Token.isAlphanumeric($0) }),
            bytes[colon...].starts(with: "://".utf8)
        else { return String(text[..<end]) }
        let start = bytes.index(colon, offsetBy: 3)
        guard start < end, let stop = bytes[start..<end].firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") })
        else { return "/" }
        return (bytes[stop] == UInt8(ascii: "/") ? "" : "/") + text[stop..<end]
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
}
