public import MartletEssentials

/// A place that keeps cookies: in memory, in a file, or elsewhere.
///
/// ```swift
/// let store = FileCookieStore(file)
/// let client = HTTPClient(baseURL: url, interceptors: [CookieInterceptor(store: store)])
/// try await store.removeAll(domain: "api.example")
/// ```
///
/// Several clients can share a store. A store of your own implements ``withJar(_:)``: it keeps a ``CookieJar``, which has the rules and
/// whose cookies are `Codable`.
public protocol CookieStore: Sendable {
    /// Calls `body` with the jar while no other call changes it, keeps its changes, and returns the result.
    ///
    /// `body` returns soon, and must not end the process. A store that saves the jar does so if its ``CookieJar/changeCount`` has changed.
    ///
    /// - Throws: A ``StateStoreError`` if the jar can't be loaded, or can't be saved before the call returns. The store then keeps the
    ///   changes in memory.
    func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(StateStoreError) -> Value
}

extension CookieStore {
    /// Returns all cookies that have not expired, in the order of their domains.
    ///
    /// - Parameter now: The current time. Default: that of the system.
    public func cookies(at now: Date = Date()) async throws(StateStoreError) -> [Cookie] { try await withJar { $0.cookies(at: now) } }

    /// Returns the cookies that a GET request for a URL would carry, in their order.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - now: The current time. Default: that of the system.
    public func cookies(for url: URL, at now: Date = Date()) async throws(StateStoreError) -> [Cookie] {
        try await withJar { jar in
            // A copy, because reading is not a use of the cookies.
            var copy = jar
            return copy.take(for: HTTPRequest(method: .get, url: url), at: now)
        }
    }

    /// Stores a cookie. It replaces one with the same name, domain and path.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - now: The current time. Default: that of the system.
    /// - Throws: `.rejected` if the cookie is too large, or the store's error.
    public func set(_ cookie: Cookie, at now: Date = Date()) async throws(StateStoreError) { try await set([cookie], at: now) }

    /// Stores several cookies with one change of the store. A rejected one does not prevent the others.
    ///
    /// - Parameters:
    ///   - cookies: The cookies.
    ///   - now: The current time. Default: that of the system.
    /// - Throws: `.rejected` with the reason of the first cookie that is too large, or the store's error.
    public func set(_ cookies: [Cookie], at now: Date = Date()) async throws(StateStoreError) {
        if let (cookie, reason) = try await withJar({ $0.insert(contentsOf: cookies, at: now) }) {
            throw .rejected(name: cookie.name, host: cookie.domain, reason)
        }
    }

    /// Removes a cookie, and returns whether there was one.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - domain: The domain, as ``Cookie/domain`` has it.
    ///   - path: The path. Default: nil, every path.
    @discardableResult
    public func remove(_ name: String, domain: String, path: String? = nil) async throws(StateStoreError) -> Bool {
        let domain = CookieHost(named: domain)?.text ?? domain
        return try await removeAll { $0.name == name && $0.domain == domain && (path == nil || $0.path == path) } > 0
    }

    /// Removes all cookies, for example when a user signs out.
    public func removeAll() async throws(StateStoreError) { try await removeAll { _ in true } }

    /// Removes the cookies of a domain and of all names below it.
    public func removeAll(domain: String) async throws(StateStoreError) {
        let domain = CookieHost(named: domain)?.text ?? domain
        try await removeAll { CookieHost($0.domain)?.matches(domain: domain) ?? false }
    }

    /// Removes the session cookies, which have no expiry.
    public func removeSessionCookies() async throws(StateStoreError) { try await removeAll { !$0.isPersistent } }

    /// Removes the cookies for which `isRemoved` returns true, and returns their number.
    @discardableResult
    public func removeAll(where isRemoved: @Sendable (Cookie) -> Bool) async throws(StateStoreError) -> Int {
        try await withJar { $0.removeAll(where: isRemoved) }
    }
}

/// A store that keeps cookies until the process ends.
///
/// ```swift
/// let cookies = CookieInterceptor(store: MemoryCookieStore(limits: CookieJar.Limits(cookies: 500)))
/// ```
public actor MemoryCookieStore: CookieStore {
    private var jar: CookieJar

    /// Creates a store without cookies.
    ///
    /// - Parameter limits: The limits. Default: 3,000 cookies, 180 of a domain, 4,096 bytes each.
    public init(limits: CookieJar.Limits = CookieJar.Limits()) { jar = CookieJar(limits: limits) }

    /// Calls `body` with the jar and returns the result. It never throws.
    public func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) -> Value { body(&jar) }
}
