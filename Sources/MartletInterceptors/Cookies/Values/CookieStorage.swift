internal import MartletEssentials

/// Cookies by the registrable domain of their hosts, which every cookie of a request shares.
struct CookieStorage: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// The place among all cookies by the time of their creation.
        let order: Int
    }

    private var sites: [Substring: [CookieIdentity: Entry]] = [:]
    private(set) var count = 0
    private var nextOrder = 0
    /// The sites that may exceed their limit.
    private var grown: Set<Substring> = []

    /// All cookies, in the order of their sites and of their creation.
    var all: [Cookie] {
        sites.keys.sorted().flatMap { site in (sites[site] ?? [:]).values.sorted { $0.order < $1.order }.map(\.cookie) }
    }

    /// Stores a cookie in place of the same one. Returns whether anything other than the time of access has changed.
    mutating func put(_ cookie: Cookie, site: Substring) -> Bool {
        let identity = CookieIdentity(cookie)
        if let key = sites.index(forKey: site) {
            if let old = sites.values[key][identity] {
                var cookie = cookie, previous = old.cookie
                cookie.created = previous.created
                previous.lastAccessed = cookie.lastAccessed
                sites.values[key][identity]?.cookie = cookie
                return previous != cookie
            }
            sites.values[key][identity] = Entry(cookie: cookie, order: nextOrder)
        } else {
            // A key of its own: a slice would keep the text of the host.
            sites[Substring(String(site))] = [identity: Entry(cookie: cookie, order: nextOrder)]
        }
        nextOrder += 1
        count += 1
        grown.insert(site)
        return true
    }

    /// Removes the same cookie. Returns whether there was one.
    mutating func remove(_ cookie: Cookie, site: Substring) -> Bool {
        guard let key = sites.index(forKey: site), sites.values[key].removeValue(forKey: CookieIdentity(cookie)) != nil else {
            return false
        }
        if sites.values[key].isEmpty { sites.remove(at: key) }
        count -= 1
        return true
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
        for index in sites.values[key].indices where isWanted(sites.values[key].values[index].cookie) {
            sites.values[key].values[index].cookie.lastAccessed = now
            let entry = sites.values[key].values[index]
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
        removeEntries { isRemoved($0.cookie) }
        return before - count
    }

    private mutating func removeEntries(where isRemoved: (Entry) -> Bool) {
        for site in sites.filter({ $0.value.values.contains(where: isRemoved) }).keys { removeEntries(in: site, where: isRemoved) }
    }

    private mutating func removeEntries(in site: Substring, where isRemoved: (Entry) -> Bool) {
        guard let entries = sites[site], entries.values.contains(where: isRemoved) else { return }
        let kept = entries.filter { !isRemoved($0.value) }
        count -= entries.count - kept.count
        sites[site] = kept.isEmpty ? nil : kept
    }

    // MARK: Eviction

    /// Removes cookies until the limits are kept (RFC 6265bis §5.7): expired ones; cookies without `Secure` of a
    /// domain with too many; other cookies of such a domain; any cookie. Within each group, the least recently used one goes first.
    ///
    /// - Returns: whether a cookie was removed.
    mutating func evict(at now: Date, _ limits: CookieJar.Limits) -> Bool {
        let before = count
        for site in grown {
            guard let size = sites[site]?.count, size > limits.cookiesPerDomain else { continue }
            removeEntries(in: site) { $0.cookie.isExpired(at: now) }
            let entries = sites[site] ?? [:]
            let last = CookieStorage.last(of: entries.count - limits.cookiesPerDomain, entries.values.map { Rank($0, prefersSecure: true) })
            if let last { removeEntries(in: site) { Rank($0, prefersSecure: true) <= last } }
        }
        grown = []
        if count > limits.cookies { removeEntries { $0.cookie.isExpired(at: now) } }
        let ranks = count > limits.cookies ? sites.values.flatMap { $0.values.map { Rank($0, prefersSecure: false) } } : []
        if let last = CookieStorage.last(of: count - limits.cookies, ranks) { removeEntries { Rank($0, prefersSecure: false) <= last } }
        return count < before
    }

    /// Returns the highest of the lowest ranks, or nil if their number is zero.
    private static func last(of number: Int, _ ranks: [Rank]) -> Rank? {
        guard number > 0, number <= ranks.count else { return nil }
        return number == 1 ? ranks.min() : ranks.sorted()[number - 1]
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
            && left.name.utf8.elementsEqual(right.name.utf8) && left.path.utf8.elementsEqual(right.path.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(path)
        hasher.combine(domain)
        hasher.combine(isHostOnly)
    }
}
