public import MartletEssentials

/// The hosts that require `https`, and the rules of RFC 6797 for remembering them.
///
/// ```swift
/// var hosts = StrictTransportHosts()
/// hosts.insert("api.example", includesSubdomains: true, until: Date() + 86_400)
/// let interceptor = StrictTransportInterceptor(store: MemoryStrictTransportStore(hosts))
/// ```
///
/// It is `Codable`, so that an app can keep it between launches. It reveals which hosts the app has used.
public struct StrictTransportHosts: Sendable, Hashable, Codable {
    private struct Entry: Sendable, Hashable, Codable {
        var expires: Double
        var includesSubdomains: Bool
    }

    /// The maximum number of hosts. Beyond it, expired hosts are removed, and then hosts of the registrable domain that has the most, so
    /// that a server with many names does not remove the hosts of others. Of these, the one that expires first goes. Default: 1,000.
    public let maxHosts: Int
    private var entries: [String: Entry] = [:]

    /// Creates an empty list.
    ///
    /// - Parameter maxHosts: The maximum number of hosts. Default: 1,000.
    public init(maxHosts: Int = 1_000) { self.maxHosts = max(0, maxHosts) }

    /// The names of the hosts in order, of which some may have expired.
    public var names: [String] { entries.keys.sorted() }

    /// Adds a host, such as one that is known to require `https` before its first response.
    ///
    /// - Parameters:
    ///   - host: The host name. IP addresses and invalid names are ignored (RFC 6797 §8.1.1).
    ///   - includesSubdomains: Whether the names below it require `https` too. Default: false.
    ///   - expires: The time at which the entry expires.
    public mutating func insert(_ host: String, includesSubdomains: Bool = false, until expires: Date) {
        guard let name = CookieHost(named: host).flatMap(StrictTransportHosts.name) else { return }
        entries[name] = Entry(expires: expires.timeIntervalSince1970, includesSubdomains: includesSubdomains)
        removeExcess()
    }

    /// Removes a host.
    public mutating func remove(_ host: String) {
        if let name = CookieHost(named: host).flatMap(StrictTransportHosts.name) { entries[name] = nil }
    }

    /// Removes all hosts.
    public mutating func removeAll() { entries = [:] }

    /// Remembers or removes the host of a response by its `Strict-Transport-Security` field (RFC 6797 §8.1).
    ///
    /// Only `https` responses count, of several fields only the first, and a malformed one is ignored.
    ///
    /// - Parameters:
    ///   - fields: The header fields of the response.
    ///   - url: The URL of its request.
    ///   - now: The current time.
    public mutating func receive(_ fields: HTTPFields, from url: URL, at now: Date) {
        guard url.scheme?.lowercased() == "https", let host = url.host,
            let field = fields.values(for: .strictTransportSecurity).first.flatMap({ StrictTransportField($0) })
        else { return }
        guard field.maxAge > 0 else { return remove(host) }
        if entries.count >= maxHosts { entries = entries.filter { $0.value.expires > now.timeIntervalSince1970 } }
        insert(host, includesSubdomains: field.includesSubdomains, until: now.addingTimeInterval(Double(field.maxAge)))
    }

    /// Returns the URL with `https` if it has `http` and its host requires `https`, and otherwise nil (RFC 6797 §8.3).
    ///
    /// The explicit port 80 becomes 443; another port stays.
    public func upgraded(_ url: URL, at now: Date) -> URL? {
        guard !entries.isEmpty, url.scheme?.lowercased() == "http", let host = url.host, requiresHTTPS(host, at: now),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.scheme = "https"
        if parts.port == 80 { parts.port = 443 }
        return parts.url
    }

    private mutating func removeExcess() {
        while entries.count > maxHosts {
            let sites = Dictionary(grouping: entries) { PublicSuffixes.registrableDomain(of: $0.key) ?? $0.key[...] }.values
            let largest = sites.map(\.count).max()
            let candidates = sites.filter { $0.count == largest }.joined()
            guard let excess = candidates.min(by: { ($0.value.expires, $0.key) < ($1.value.expires, $1.key) }) else { return }
            entries[excess.key] = nil
        }
    }

    private func requiresHTTPS(_ host: String, at now: Date) -> Bool {
        guard let name = CookieHost(host).flatMap(StrictTransportHosts.name) else { return false }
        var rest = name[...]
        while true {
            if let entry = entries[String(rest)], entry.expires > now.timeIntervalSince1970,
                entry.includesSubdomains || rest.startIndex == name.startIndex
            {
                return true
            }
            guard let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
            rest = rest[rest.utf8.index(after: dot)...]
        }
    }

    /// Returns the name of a host without a trailing dot, or nil for an address.
    private static func name(_ host: CookieHost) -> String? {
        guard !host.isAddress else { return nil }
        return host.text.utf8.last == UInt8(ascii: ".") ? String(host.text.dropLast()) : host.text
    }
}
