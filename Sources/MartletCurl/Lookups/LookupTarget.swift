internal import MartletEssentials
internal import MartletHTTP

/// A host whose addresses are passed to libcurl, so that libcurl does not look them up.
struct LookupTarget: Hashable, Sendable {
    /// The host in lower case.
    let host: String
    let port: Int

    /// Returns the hosts to look up before libcurl gets a request to `url`: the hosts that libcurl would look up, if its lookup can block
    /// the engine.
    ///
    /// A Unix domain socket needs no lookup. With a proxy, the proxy's name is looked up in place of the origin's; SOCKS with local lookups
    /// needs both. Addresses and hosts with configured addresses need no lookup.
    static func needed(
        by resolver: ResolverTraits, for url: URL, over route: Route, usesUnixSocket: Bool
    ) -> [LookupTarget] {
        guard resolver.canBlock, !usesUnixSocket else { return [] }
        var targets: [LookupTarget] = []
        if let proxy = route.proxy { targets.append(LookupTarget(host: proxy.host, port: proxy.port)) }
        let looksUpOrigin = route.proxy.map { $0.url.scheme == "socks5" } ?? true
        if looksUpOrigin, route.resolve == nil, let origin = Origin(url), let port = origin.port {
            targets.append(LookupTarget(host: origin.host, port: port))
        }
        return targets.filter { IPAddress($0.host) == nil }
    }

    /// Returns the lines for libcurl's list of addresses (CURLOPT_RESOLVE): one line, or two for a name with a trailing dot, which some
    /// versions remove.
    ///
    /// With `+`, libcurl expires the line after a minute. Versions before 7.75 do not support that.
    func lines(_ addresses: [String], version: CurlVersion) -> [String] {
        let names = host.hasSuffix(".") ? [host, String(host.dropLast())] : [host]
        let prefix = version >= .forgetsAddresses ? "+" : ""
        return names.map { "\(prefix)\($0):\(port):\(addresses.joined(separator: ","))" }
    }
}
