public import MartletEssentials

/// Whether requests go through a proxy.
///
/// A transport that can't do what is asked for here sends nothing and throws `.engineUnavailable`.
@nonexhaustive public enum ProxySettings: Sendable, Hashable {
    /// No proxy, whatever the system's settings and the environment say.
    case none
    /// The system's settings on Apple's platforms. Linux has none for the whole system: requests go directly to the server, except over
    /// `URLSession`, which always follows the environment there. For the environment, see ``environment``.
    case system
    /// As the environment says: `https_proxy` or `HTTPS_PROXY` for `https`, `http_proxy` for `http`, `all_proxy` or `ALL_PROXY` for what
    /// these do not name, and `no_proxy` or `NO_PROXY` for what is reached without one. The name in lower case wins.
    ///
    /// `HTTP_PROXY` is not read: in a CGI program it is whatever the sender of a request wrote into its `Proxy` field.
    case environment
    /// Through this one, but for the hosts that `bypass` names.
    ///
    /// A rule is `*`, a name (`example.com` or `.example.com`: the name and whatever is below it), an IP address, or a network such as
    /// `10.0.0.0/8`; names and addresses also with `:port`. A rule that is none of these is about no host.
    case explicit(Proxy, bypass: [String] = [])

    /// The proxy for a URL; nil when it is reached without one.
    ///
    /// Throws `.invalidURL` when the environment names a proxy that is none, and it would be used.
    ///
    /// - Parameters:
    ///   - url: what is asked for.
    ///   - environment: the variables, read for ``environment`` only.
    public func proxy(for url: URL, environment: [String: String]) throws(HTTPError) -> Proxy? {
        guard let origin = Origin(url) else { return nil }
        return try proxy(for: origin, environment: environment)
    }

    /// The proxy for an origin; nil when it is reached without one. Throws as ``proxy(for:environment:)-(URL,_)``.
    public func proxy(for origin: Origin, environment: [String: String]) throws(HTTPError) -> Proxy? {
        switch self {
        case .none, .system: return nil
        case .explicit(let proxy, let bypass):
            return bypass.contains { ProxyBypass($0)?.includes(origin) == true } ? nil : proxy
        case .environment:
            // As curl does: a variable that is empty is as good as none.
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
