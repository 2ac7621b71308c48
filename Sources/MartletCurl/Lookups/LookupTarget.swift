internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How the installed libcurl looks names up.
struct ResolverTraits: Hashable, Sendable {
    var version: CurlVersion
    /// Whether a lookup runs beside the transfers.
    var isAsynchronous = true
    /// Whether it is libcurl's c-ares resolver, which has no threads.
    var usesCAres = false

    /// Whether a lookup can stop the engine's thread, and with it all transfers.
    ///
    /// A resolver with threads does when a transfer ends during its lookup: libcurl joins the thread, unless it is told not to, which it
    /// can be since 7.87. A resolver that is not asynchronous always does.
    var canBlock: Bool { !isAsynchronous || !usesCAres && version < .leavesLookups }
}

/// A host whose addresses libcurl is given, so that it does not look them up itself.
struct LookupTarget: Hashable, Sendable {
    /// In lower case.
    let host: String
    let port: Int

    /// The hosts to look up before libcurl is given a request to `url`: those that libcurl would look up itself, if that can stop the engine.
    ///
    /// A Unix domain socket needs no lookup. A proxy's name is looked up in place of the origin's, except for SOCKS with local lookups,
    /// which needs both. Addresses and hosts with configured addresses need none.
    static func needed(by resolver: ResolverTraits, for url: URL, over route: Route, usesUnixSocket: Bool) -> [LookupTarget] {
        guard resolver.canBlock, !usesUnixSocket else { return [] }
        var targets: [LookupTarget] = []
        if let proxy = route.proxy { targets.append(LookupTarget(host: proxy.host, port: proxy.port)) }
        let looksUpOrigin = route.proxy.map { $0.url.scheme == "socks5" } ?? true
        if looksUpOrigin, route.resolve == nil, let origin = Origin(url), let port = origin.port {
            targets.append(LookupTarget(host: origin.host, port: port))
        }
        return targets.filter { IPAddress($0.host) == nil }
    }

    /// The lines for libcurl's list of addresses (CURLOPT_RESOLVE): one, or two where it may or may not remove a dot at the name's end.
    ///
    /// With `+` libcurl forgets the line after a minute, which its versions before 7.75 cannot.
    func lines(_ addresses: [String], version: CurlVersion) -> [String] {
        let names = host.hasSuffix(".") ? [host, String(host.dropLast())] : [host]
        let prefix = version >= .forgetsAddresses ? "+" : ""
        return names.map { "\(prefix)\($0):\(port):\(addresses.joined(separator: ","))" }
    }
}
