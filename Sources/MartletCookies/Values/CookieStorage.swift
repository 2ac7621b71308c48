internal import MartletEssentials
internal import MartletSystem

/// Cookies by the registrable domain of their hosts, which every cookie of a request shares.
struct CookieStorage: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// The place among all cookies by the time of their creation.
        let order: Int
    }

    private let limits: CookieJar.Limits
    private var sites: [Substring: BoundedMap<CookieIdentity, Entry>] = [:]
    private(set) var count = 0
    private var nextOrder = 0

    init(limits: CookieJar.Limits) { self.limits = limits }

    /// All cookies, in the order of their sites and of their creation.
    var all: [Cookie] {
        sites.sorted { $0.key < $1.key }.flatMap { $0.value.values.sorted { $0.order < $1.order }.map(\.cookie) }
    }

    /// Stores a cookie in place of the same one. Returns whether anything other than the time of access has changed.
    ///
    /// Beyond the limits, removes cookies (RFC 6265bis §5.7): expired ones; cookies without `Secure` of a domain with too many; other
    /// cookies of such a domain; any cookie. Within each group, the least recently used one goes first.
    mutating func put(_ cookie: Cookie, site: Substring, at now: Date) -> Bool {
        let identity = CookieIdentity(cookie)
        if let key = sites.index(forKey: site) {
            let isChanged = sites.values[key].use(identity) { entry in
                var cookie = cookie, previous = entry.cookie
                cookie.created = previous.created
                previous.lastAccessed = cookie.lastAccessed
                entry.cookie = cookie
                return previous != cookie
            }
            if let isChanged { return isChanged }
        }
        // A key of its own: a slice would keep the text of the host.
        let site = sites.index(forKey: site).map { sites.keys[$0] } ?? Substring(String(site))
        let removed = sites[site, default: BoundedMap(limit: limits.cookiesPerDomain)].insert(
            Entry(cookie: cookie, order: nextOrder), for: identity
        ) { $0.value.cookie.isExpired(at: now) ? .atOnce : .inOrder(Rank($0.value, prefersSecure: true)) }
        nextOrder += 1
        count += 1 - removed.count
        forgetIfEmpty(site)
        removeExcess(at: now)
        return true
    }

    /// Removes the same cookie. Returns whether there was one.
    mutating func remove(_ cookie: Cookie, site: Substring) -> Bool { remove(CookieIdentity(cookie), from: site) }

    private mutating func remove(_ identity: CookieIdentity, from site: Substring) -> Bool {
        guard let key = sites.index(forKey: site), sites.values[key].removeValue(for: identity) != nil else { return false }
        if sites.values[key].isEmpty { sites.remove(at: key) }
        count -= 1
        return true
    }

    private mutating func forgetIfEmpty(_ site: Substring) {
        if sites[site]?.isEmpty == true { sites[site] = nil }
    }

    /// Returns whether a cookie would replace or hide a `Secure` cookie that has not expired.
    func hidesSecure(_ cookie: Cookie, in site: Substring, at now: Date) -> Bool {
        sites[site]?.values.contains { CookieRules.hides(cookie, $0.cookie) && !$0.cookie.isExpired(at: now) } ?? false
    }

    /// Returns the cookies for which `isWanted` returns true, in the order of the `Cookie` field, and sets their time of access.
    mutating func take(at now: Date, site: Substring, where isWanted: (Cookie) -> Bool) -> [Cookie] {
        guard let key = sites.index(forKey: site) else { return [] }
        var cookies: [Cookie] = []
        var places: [(length: Int, created: Date, order: Int, index: Int)] = []
        sites.values[key].updateAll { entry in
            guard isWanted(entry.cookie) else { return }
            entry.cookie.lastAccessed = now
            places.append((-entry.cookie.path.utf8.count, entry.cookie.created, entry.order, cookies.count))
            cookies.append(entry.cookie)
        }
        // Longer paths first.
        places.sort { $0 < $1 }
        return places.map { cookies[$0.index] }
    }

    /// Removes the cookies for which `isRemoved` returns true. Returns their number.
    mutating func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
        let before = count
        for site in Array(sites.keys) {
            count -= sites[site]?.removeAll { isRemoved($0.value.cookie) } ?? 0
            forgetIfEmpty(site)
        }
        return before - count
    }

    // MARK: Eviction

    /// Removes cookies of any domain beyond the limit of all.
    private mutating func removeExcess(at now: Date) {
        guard count > limits.cookies else { return }
        let all = sites.lazy.flatMap { site, cookies in cookies.elements.lazy.map { (site: site, identity: $0.key, entry: $0.value) } }
        let order = EvictionOrder(all) {
            $0.entry.cookie.isExpired(at: now) ? .atOnce : .inOrder(Rank($0.entry, prefersSecure: false))
        } ties: {
            $0.entry.order < $1.entry.order
        }
        for place in order.excess(of: count, limit: limits.cookies) { _ = remove(place.identity, from: place.site) }
    }

    /// The place of a cookie in the order in which cookies are removed.
    private struct Rank: Comparable {
        let isPreferred: Bool
        let accessed: Date
        let order: Int

        init(_ entry: Entry, prefersSecure: Bool) {
            isPreferred = prefersSecure && entry.cookie.isSecure
            accessed = entry.cookie.lastAccessed
            order = entry.order
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isPreferred != right.isPreferred { return right.isPreferred }
            return left.accessed == right.accessed ? left.order < right.order : left.accessed < right.accessed
        }
    }
}

/// What makes two cookies the same one, of which a store keeps one (RFC 6265bis §5.7): the name, the domain and the path.
private struct CookieIdentity: Hashable {
    let name: String
    let path: String
    let domain: String
    let isHostOnly: Bool

    init(_ cookie: Cookie) {
        name = cookie.name
        path = cookie.path
        domain = cookie.domain
        isHostOnly = cookie.isHostOnly
    }

    static func == (left: Self, right: Self) -> Bool {
        // Bytes decide, because String treats different bytes as equal. Its comparison is the faster one.
        left.isHostOnly == right.isHostOnly && left.name == right.name && left.path == right.path && left.domain == right.domain
            && left.name.hasSameBytes(as: right.name) && left.path.hasSameBytes(as: right.path)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(path)
        hasher.combine(domain)
        hasher.combine(isHostOnly)
    }
}
