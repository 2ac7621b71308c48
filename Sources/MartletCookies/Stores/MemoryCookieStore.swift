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
