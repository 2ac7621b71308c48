internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

/// The names to look up before libcurl gets a transfer, and the addresses found so far.
struct PendingLookups {
    /// The names that have no address yet.
    private(set) var targets: [LookupTarget]
    /// The addresses found, as lines for libcurl.
    private(set) var lines: [String] = []
    private var began: ContinuousClock.Instant?
    /// The duration of all lookups; nil before they have ended.
    private(set) var duration: Duration?
    /// The time limit of the lookups that the transfer waits for.
    var timeout: LookupTimeout?

    init(_ targets: [LookupTarget]) { self.targets = targets }

    /// Records that the transfer needs the first name. Returns when its lookups began.
    mutating func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let began = began ?? now
        self.began = began
        return began
    }

    /// Stores the addresses of the first name.
    mutating func take(_ addresses: [String], version: CurlVersion, at now: ContinuousClock.Instant) {
        lines += targets.removeFirst().lines(addresses, version: version)
        if targets.isEmpty, let began { duration = now - began }
    }

    /// The error for the first name if it has no address. It equals the error of libcurl's own lookup.
    func unknownHost(over route: Route) -> HTTPError {
        let host = targets.first?.host ?? ""
        let code = host == route.proxy?.host ? CURLE_COULDNT_RESOLVE_PROXY.code : CURLE_COULDNT_RESOLVE_HOST.code
        return CurlFailure(code: code, text: "Could not resolve host: \(host)", isThroughProxy: route.proxy != nil).error
    }
}

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

/// Lines for libcurl's list of addresses (CURLOPT_RESOLVE). The memory must outlive the transfer.
final class AddressList {
    private let items: UnsafeMutableBufferPointer<curl_slist>

    /// A pointer to the first line.
    var pointer: UnsafeMutablePointer<curl_slist>? { items.baseAddress }

    init(_ lines: [String]) {
        items = .allocate(capacity: lines.count)
        for (index, line) in lines.enumerated() {
            let bytes = line.utf8CString
            let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
            _ = text.initialize(from: bytes)
            let next = index + 1 < lines.count ? items.baseAddress.map { $0 + index + 1 } : nil
            items.initializeElement(at: index, to: curl_slist(data: text.baseAddress, next: next))
        }
    }

    deinit {
        for item in items { item.data.deallocate() }
        items.deallocate()
    }
}
