internal import MartletEssentials

/// The properties of a request that decide which cookies it carries and which its response may set.
struct CookieTarget: Sendable {
    let host: CookieHost
    /// The path of the request line, with its escapes.
    let path: String
    /// Whether the exchange is protected on the network: `https`, or this machine (RFC 6265bis §5.7).
    let isSecure: Bool
    /// Whether no other site redirected the call to this request.
    let isSameSite: Bool
    /// Whether the method is safe (RFC 9110 §9.2.1).
    let isSafe: Bool

    /// Returns nil if no cookies belong to the request: its host is invalid, or its `Host` field names another one.
    init?(_ request: HTTPRequest) {
        let url = request.url
        let scheme = url.scheme?.lowercased()
        guard scheme == "https" || scheme == "http", let host = url.host.flatMap({ CookieHost($0) }) else { return nil }
        guard TargetURI.host(of: request) == nil else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = scheme == "https" || host.isLoopback
        isSafe = request.method.isSafe
        isSameSite = request.context.passedOrigins.allSatisfy { origin in
            // The scheme is part of a site: anyone on the network can redirect http.
            origin.scheme == scheme && CookieHost(origin.host)?.site == host.site
        }
    }

    /// Returns whether the request carries a cookie (RFC 6265bis §5.8.3).
    func carries(_ cookie: Cookie, at now: Date) -> Bool {
        guard cookie.isHostOnly ? host.text == cookie.domain : host.matches(domain: cookie.domain) else { return false }
        guard isSecure || !cookie.isSecure, CookiePath.matches(path, within: cookie.path), !cookie.isExpired(at: now) else { return false }
        switch cookie.sameSite {
        case .none: return true
        case .lax, .unspecified: return isSameSite || isSafe
        case .strict: return isSameSite
        }
    }
}

/// Paths of cookies (RFC 6265bis §5.1.4).
enum CookiePath {
    /// Returns the path of a cookie without a valid `Path`: that of the request up to its last slash.
    static func defaultPath(of path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")), last > path.startIndex else {
            return "/"
        }
        return String(path[..<last])
    }

    /// Returns whether the path of a request is within the path of a cookie.
    static func matches(_ path: String, within cookiePath: String) -> Bool {
        let path = path.utf8, limit = cookiePath.utf8
        guard path.starts(with: limit) else { return false }
        return path.count == limit.count || limit.last == UInt8(ascii: "/") || path.dropFirst(limit.count).first == UInt8(ascii: "/")
    }
}
