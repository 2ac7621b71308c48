public import MartletEssentials

/// Whether requests go through a proxy, and which one.
///
/// A transport that does not support a setting sends nothing and throws `.engineUnavailable`.
@nonexhaustive public enum ProxySettings: Sendable, Hashable {
    /// Requests go directly to the server, whatever the system's settings and the environment say.
    case none
    /// Requests follow the proxy settings of Apple's platforms; on Linux they go directly to the server. Linux has none for the whole
    /// system: requests go directly to the server, except over `URLSession`, which always follows the environment there. For the
    /// environment, see ``environment``.
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
    /// ``proxy(for:environment:)-(URL,_)``.
    public func proxy(for origin: Origin, environment: [String: String]) throws(HTTPError) -> Proxy? {
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
