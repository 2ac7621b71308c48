internal import MartletEssentials

/// Cookies by the registrable domain of their hosts, which every cookie of a request shares, in the order of their creation.
struct CookieStorage: Sendable {
    private var sites: [Substring: [Cookie]] = [:]
    private(set) var count = 0
    /// The sites that may exceed their limit.
    private var grown: Set<Substring> = []

    /// All cookies, in the order of their sites.
    var all: [Cookie] { sites.keys.sorted().flatMap { sites[$0] ?? [] } }

    /// Stores a cookie in place of the same one. Returns whether anything other than the time of access has changed.
    mutating func put(_ cookie: Cookie, site: Substring) -> Bool {
        if let key = sites.index(forKey: site) {
            if let old = sites.values[key].firstIndex(where: { $0.isSame(as: cookie) }) {
                var cookie = cookie
                cookie.created = sites.values[key][old].created
                var previous = sites.values[key][old]
                previous.lastAccessed = cookie.lastAccessed
                sites.values[key][old] = cookie
                return previous != cookie
            }
            sites.values[key].append(cookie)
        } else {
            // A key of its own: a slice would keep the text of the host.
            sites[Substring(String(site))] = [cookie]
        }
        count += 1
        grown.insert(site)
        return true
    }

    /// Removes the same cookie. Returns whether there was one.
    mutating func remove(_ cookie: Cookie, site: Substring) -> Bool {
        guard let key = sites.index(forKey: site), let old = sites.values[key].firstIndex(where: { $0.isSame(as: cookie) }) else {
            return false
        }
        sites.values[key].remove(at: old)
        if sites.values[key].isEmpty { sites.remove(at: key) }
        count -= 1
        return true
    }

    /// Returns whether a cookie would replace or hide a `Secure` cookie that has not expired.
    func hidesSecure(_ cookie: Cookie, in site: Substring, at now: Date) -> Bool {
        sites[site]?.contains { CookieRules.hides(cookie, $0) && !$0.isExpired(at: now) } ?? false
    }

    /// Returns the cookies for which `isWanted` returns true, in the order of the `Cookie` field, and sets their time of access.
    mutating func take(at now: Date, site: Substring, where isWanted: (Cookie) -> Bool) -> [Cookie] {
        guard let key = sites.index(forKey: site) else { return [] }
        let found = sites.values[key].indices.filter { isWanted(sites.values[key][$0]) }
        guard !found.isEmpty else { return [] }
        for index in found { sites.values[key][index].lastAccessed = now }
        let cookies = found.map { sites.values[key][$0] }
        // The sort is not stable, so the place among the cookies of the site decides last.
        let order = cookies.indices.sorted { left, right in
            let lengths = (cookies[left].path.utf8.count, cookies[right].path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            return (cookies[left].created, left) < (cookies[right].created, right)
        }
        return order.map { cookies[$0] }
    }

    /// Removes the cookies for which `isRemoved` returns true. Returns their number.
    mutating func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
        let before = count
        for site in sites.keys { removeAll(in: site, where: isRemoved) }
        return before - count
    }

    private mutating func removeAll(in site: Substring, where isRemoved: (Cookie) -> Bool) {
        guard let key = sites.index(forKey: site) else { return }
        let before = sites.values[key].count
        sites.values[key].removeAll(where: isRemoved)
        count -= before - sites.values[key].count
        if sites.values[key].isEmpty { sites.remove(at: key) }
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
            removeAll(in: site) { $0.isExpired(at: now) }
            let cookies = sites[site] ?? []
            let excess = CookieStorage.leastWanted(cookies, excess: cookies.count - limits.cookiesPerDomain) { !$0.isSecure }
            remove(excess, in: site)
        }
        grown = []
        if count > limits.cookies { _ = removeAll { $0.isExpired(at: now) } }
        if count > limits.cookies {
            let keyed = sites.flatMap { site, cookies in cookies.indices.map { (site: site, index: $0) } }
            let excess = keyed.sorted { accessed($0) < accessed($1) }.prefix(count - limits.cookies)
            for (site, found) in Dictionary(grouping: excess, by: \.site) { remove(Set(found.map(\.index)), in: site) }
        }
        return count < before
    }

    private func accessed(_ place: (site: Substring, index: Int)) -> Date { sites[place.site]?[place.index].lastAccessed ?? .distantPast }

    private mutating func remove(_ indices: Set<Int>, in site: Substring) {
        var index = -1
        removeAll(in: site) { _ in
            index += 1
            return indices.contains(index)
        }
    }

    /// Returns the places of the cookies to remove: the expendable ones first, each by the time of access.
    private static func leastWanted(_ cookies: [Cookie], excess: Int, isExpendable: (Cookie) -> Bool) -> Set<Int> {
        guard excess > 0 else { return [] }
        let order = cookies.indices.sorted { left, right in
            let isFirst = (isExpendable(cookies[left]), isExpendable(cookies[right]))
            if isFirst.0 != isFirst.1 { return isFirst.0 }
            return (cookies[left].lastAccessed, left) < (cookies[right].lastAccessed, right)
        }
        return Set(order.prefix(excess))
    }
}
