public import MartletEssentials
internal import MartletSystem

/// The hosts that require `https`, and the rules of RFC 6797 for remembering them.
///
/// ```swift
/// var hosts = StrictTransportHosts()
/// hosts.insert("api.example", includesSubdomains: true, until: Date() + 86_400)
/// let interceptor = StrictTransportInterceptor(store: MemoryStrictTransportStore(hosts))
/// ```
///
/// A ``FileStrictTransportStore`` keeps it between launches. It is `Codable` for stores of your own. It reveals which hosts the app has
/// used.
public struct StrictTransportHosts: Sendable {
    private struct Entry: Sendable, Hashable, Codable {
        var expires: Double
        var includesSubdomains: Bool
        /// The registrable domain of the host, or the host itself. Kept, because each eviction needs those of all hosts.
        var site = ""

        private enum CodingKeys: String, CodingKey {
            case expires, includesSubdomains
        }
    }

    /// The maximum number of hosts. Beyond it, an eighth of them is removed: expired hosts, and then hosts of the registrable domain that
    /// has the most, so that a server with many names does not remove the hosts of others. Of these, the one that expires first goes.
    /// Default: 1,000.
    public var maxHosts: Int { entries.limit }
    /// The number of changes so far. A store saves hosts whose number has changed.
    ///
    /// Servers send the field with every response. An expiry that moves by less than a sixteenth of the lifetime counts as no change.
    public private(set) var changeCount = 0
    private var entries: BoundedMap<String, Entry>

    /// Creates an empty list.
    ///
    /// - Parameter maxHosts: The maximum number of hosts. Default: 1,000.
    public init(maxHosts: Int = 1_000) { entries = BoundedMap(limit: maxHosts) }

    /// The names of the hosts in order, of which some may have expired.
    public var names: [String] { entries.elements.map(\.key).sorted() }

    /// Adds a host, such as one that is known to require `https` before its first response.
    ///
    /// - Parameters:
    ///   - host: The host name. IP addresses and invalid names are ignored (RFC 6797 §8.1.1).
    ///   - includesSubdomains: Whether the names below it require `https` too. Default: false.
    ///   - expires: The time at which the entry expires.
    public mutating func insert(_ host: String, includesSubdomains: Bool = false, until expires: Date) {
        guard let name = CookieHost(named: host).flatMap(StrictTransportHosts.name) else { return }
        put(Entry(expires: expires.timeIntervalSince1970, includesSubdomains: includesSubdomains), for: name, step: 0, at: nil)
    }

    /// Removes a host.
    public mutating func remove(_ host: String) {
        guard let name = CookieHost(named: host).flatMap(StrictTransportHosts.name) else { return }
        if entries.removeValue(for: name) != nil { changeCount += 1 }
    }

    /// Removes all hosts.
    public mutating func removeAll() {
        if !entries.isEmpty { changeCount += 1 }
        entries.removeAll()
    }

    /// - Parameters:
    ///   - step: The unit in seconds in which two expiries are compared; 0 compares them exactly.
    ///   - now: The current time, or nil if it is unknown. Expired hosts are then not removed before others.
    private mutating func put(_ entry: Entry, for name: String, step: Double, at now: Date?) {
        let old = entries[name]
        let isSame = old?.includesSubdomains == entry.includesSubdomains && old.map { isEqual($0.expires, entry.expires, step) } ?? false
        if !isSame { changeCount += 1 }
        let now = now?.timeIntervalSince1970 ?? -.infinity
        var entry = entry
        entry.site = old?.site ?? PublicSuffixes.registrableDomain(of: name).map(String.init) ?? name
        entries.insert(entry, for: name) { host in
            host.value.site
        } evicting: { host in
            host.value.expires > now ? .inOrder(host.value.expires) : .atOnce
        }
    }

    private func isEqual(_ left: Double, _ right: Double, _ step: Double) -> Bool {
        step > 0 ? (left / step).rounded(.down) == (right / step).rounded(.down) : left == right
    }

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
        guard let name = CookieHost(host).flatMap(StrictTransportHosts.name) else { return }
        let expires = now.timeIntervalSince1970 + Double(field.maxAge)
        put(Entry(expires: expires, includesSubdomains: field.includesSubdomains), for: name, step: Double(field.maxAge) / 16, at: now)
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

extension StrictTransportHosts: Hashable {
    /// Compares the hosts and their maximum number.
    public static func == (left: Self, right: Self) -> Bool {
        left.maxHosts == right.maxHosts && left.entries.dictionary == right.entries.dictionary
    }

    /// Hashes the hosts and their maximum number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(maxHosts)
        hasher.combine(entries.dictionary)
    }
}

extension StrictTransportHosts: Codable {
    private enum CodingKeys: String, CodingKey {
        case maxHosts, entries
    }

    /// Reads hosts and their maximum number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(maxHosts: try container.decode(Int.self, forKey: .maxHosts))
        for (name, entry) in try container.decode([String: Entry].self, forKey: .entries) { put(entry, for: name, step: 0, at: nil) }
        changeCount = 0
    }

    /// Writes the hosts and their maximum number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(maxHosts, forKey: .maxHosts)
        try container.encode(entries.dictionary, forKey: .entries)
    }
}

// MARK: In a file

extension StrictTransportHosts: SavedValue {
    struct Document: StateDocument {
        struct Host: Sendable, Codable {
            var name: String
            var includesSubdomains: Bool
            var expires: Double
        }

        static let currentVersion = 1
        var version = 1
        var hosts: [Host]
    }

    mutating func restore(_ document: Document, at now: Date) {
        for host in document.hosts where host.expires > now.timeIntervalSince1970 {
            insert(host.name, includesSubdomains: host.includesSubdomains, until: Date(timeIntervalSince1970: host.expires))
        }
    }

    func document(at now: Date) -> Document {
        let kept = entries.elements.filter { $0.value.expires > now.timeIntervalSince1970 }.sorted { $0.key < $1.key }
        return Document(hosts: kept.map { .init(name: $0.key, includesSubdomains: $0.value.includesSubdomains, expires: $0.value.expires) })
    }
}

/// The value of a `Strict-Transport-Security` field (RFC 6797 §6.1).
struct StrictTransportField: Sendable, Equatable {
    /// The lifetime in seconds. Zero removes the host.
    var maxAge: Int
    var includesSubdomains: Bool

    /// Parses a field value. Returns nil if it is malformed, has no `max-age`, or has a directive twice: it is then ignored.
    init?(_ text: String) {
        var maxAge: Int?, includesSubdomains = false
        var names: Set<String> = []
        var reader = FieldReader(text)
        while !reader.isAtEnd {
            reader.skip { Token.isWhitespace($0) || $0 == FieldReader.semicolon }
            guard !reader.isAtEnd else { break }
            guard let (name, value) = reader.parameter(value: { $1.quoted { $0.token() } }), names.insert(name).inserted else { return nil }
            reader.skip(while: Token.isWhitespace)
            guard reader.isAtEnd || reader.next == FieldReader.semicolon else { return nil }
            switch name {
            case "max-age":
                guard let value, value.isDecimal else { return nil }
                maxAge = Int(value) ?? .max
            case "includesubdomains":
                guard value == nil else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let maxAge else { return nil }
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
    }
}

extension HTTPFieldName {
    static var strictTransportSecurity: Self { "Strict-Transport-Security" }
}
