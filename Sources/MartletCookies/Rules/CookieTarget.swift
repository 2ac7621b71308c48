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

/// The host of a request in the form in which cookies name it (RFC 6265bis §5.1.2).
struct CookieHost: Sendable, Equatable {
    /// The host in lower case, without the brackets of an IPv6 address. A trailing dot stays: such a host is another one.
    let text: String
    let isAddress: Bool
    /// Whether the host is this machine, which counts as a secure connection.
    let isLoopback: Bool

    /// Creates the form of a host, or returns nil for an invalid host and for one with characters other than ASCII.
    init?(_ host: String) {
        // URL has decoded the escapes already: a percent sign would be decoded twice.
        guard !host.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let spelling = HostSpelling(host)
        switch spelling {
        case .address: isAddress = true
        case .name: isAddress = false
        case .unclear: return nil
        }
        text = String(host.lowercased().withoutBrackets)
        // Not every resolver keeps names with a trailing dot on this machine.
        isLoopback = spelling.isLoopback && host.utf8.last != UInt8(ascii: ".")
    }

    /// Creates the form of a host that the app names, which may be internationalized.
    init?(named name: String) {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else {
            self.init(name)
            return
        }
        // Other characters would add a user, a port or a path to the URL.
        guard name.utf8.allSatisfy({ $0 >= 0x80 || Token.isAlphanumeric($0) || "-_.".utf8.contains($0) }) else { return nil }
        // The URL converts the name to A-labels if the program links Foundation.
        guard let host = URL(string: "https://\(name)/")?.host else { return nil }
        self.init(host)
    }

    /// The domain under which one party registers all names: `example.co.uk` for `api.example.co.uk`. An address, and a public suffix, are
    /// sites of their own.
    var site: Substring { isAddress ? text[...] : PublicSuffixes.registrableDomain(of: text) ?? text[...] }

    /// Returns whether the host is the domain or a name below it (RFC 6265bis §5.1.3).
    func matches(domain: String) -> Bool {
        let host = text.utf8, domain = domain.utf8
        guard host.count > domain.count else { return host.elementsEqual(domain) }
        guard !isAddress, !domain.isEmpty else { return false }
        let rest = host.dropLast(domain.count)
        return rest.last == UInt8(ascii: ".") && host.suffix(domain.count).elementsEqual(domain)
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
