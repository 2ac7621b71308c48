internal import MartletEssentials
internal import MartletSystem

/// An interceptor that stores the cookies of responses and sends them with later requests (RFC 6265bis).
///
/// ```swift
/// var standard = StandardInterceptors()
/// standard.cookies = CookieInterceptor()
/// let client = HTTPClient(baseURL: url, interceptors: standard.list)
/// ```
///
/// Cookies are sent only to their own domain, scheme and path, whichever client or redirect leads there. Each hop of a chain of redirects
/// stores and sends cookies of its own, so that a 302 with a `Set-Cookie` signs in. So does each attempt of a retry. Every response from
/// the network sets cookies, also a failed, repeated or streamed one and a 304 that revalidates a stored response.
///
/// - A request with a `Cookie` field of its own stays unchanged, and its response sets no cookies: the app manages those cookies itself.
///   This holds for the whole call. A redirect to another origin removes the field, and nothing replaces it.
/// - A stored response of a cache sets no cookies.
/// - A request whose `Host` field names another host than its URL neither sends nor sets cookies.
/// - `SameSite`: a redirect by another site makes the following requests cross-site. See ``Cookie/SameSite-swift.enum``.
///
/// Place it inside (after) authentication and outside (before) the cache, which keeps the responses of users with different cookies apart.
public struct CookieInterceptor: Interceptor, CredentialAddingInterceptor {
    /// The store, for reading and changing cookies.
    public let store: any CookieStore
    private let time: (any TimeSource)?
    private let report: @Sendable (StateStoreError) -> Void

    /// Creates an interceptor over a store. Several interceptors may share a store.
    ///
    /// - Parameters:
    ///   - store: The store. Default: a new ``MemoryCookieStore``.
    ///   - time: The clock. Default: nil, the client's.
    ///   - report: Called for rejected cookies, and for failures to save cookies, which stay in the store's memory. Neither fails a call.
    ///     Default: does nothing. A store that saves later, such as a ``FileCookieStore``, reports its first failure itself.
    public init(
        store: any CookieStore = MemoryCookieStore(), time: (any TimeSource)? = nil,
        report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        self.store = store
        self.time = time
        self.report = report
    }

    /// Returns whether the request has no `Cookie` field of its own: which cookies it gets, only the store knows.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { !hasOwnCookies(request) }

    /// Returns whether the app manages the cookies of the call itself. They may belong to another user than the store.
    private func hasOwnCookies(_ request: HTTPRequest) -> Bool { request.headers.contains(.cookie) || request.context.hadOwnCookies }

    /// Returns true: the store is abandoned at the call's deadline.
    public var endsByDeadline: Bool { true }

    /// Adds the cookies for the request, sends it, and stores the cookies of each response that arrives for it.
    ///
    /// - Throws: `.interceptorFailed` with a ``StateStoreError`` if the store can't load its cookies.
    public func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        guard !hasOwnCookies(request) else { return try await next(request) }
        var sent = request
        try await addCookies(to: &sent)
        sent.context.exchangeObservers.append(CookieExchange(interceptor: self, added: sent.headers[.cookie]))
        return try await next(sent)
    }

    private func addCookies(to request: inout HTTPRequest) async throws(HTTPError) {
        let time = time ?? request.context.time
        let cookies = try await request.context.endingWithCall { [request] () throws(HTTPError) in
            do { return try await store.withJar { $0.take(for: request, at: time.now) } } catch {
                throw HTTPError(thrownBy: self, error)
            }
        }
        if !cookies.isEmpty { request.headers[.cookie] = CookieInterceptor.text(of: cookies) }
    }

    /// Returns the request with the current cookies, for an exchange after the first one.
    fileprivate func updated(_ request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
        var request = request
        request.headers.remove(.cookie)
        try await addCookies(to: &request)
        return request
    }

    /// Stores the cookies of a response. A failure must not hide the response, whose request may have had effects.
    fileprivate func receive(_ fields: HTTPFields, for request: HTTPRequest) async {
        let time = time ?? request.context.time
        do throws(StateStoreError) {
            for rejection in try await store.withJar({ $0.receive(fields, for: request, at: time.now) }) {
                report(.rejected(name: rejection.name, host: request.url.host ?? "", rejection.reason))
            }
        } catch { report(error) }
    }

    /// Returns the value of the `Cookie` field (RFC 6265bis §5.8.3).
    private static func text(of cookies: [Cookie]) -> String {
        cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

/// The cookies of one request and of the responses to it: of each attempt, and of a 304 to the cache.
private final class CookieExchange: ExchangeObserver {
    private let interceptor: CookieInterceptor
    private let added: String?
    private let isRepeated = Locked(false)

    /// - Parameter added: The value of the `Cookie` field that the interceptor added.
    init(interceptor: CookieInterceptor, added: String?) {
        self.interceptor = interceptor
        self.added = added
    }

    /// Updates the cookies for a further attempt, unless another interceptor has changed the field: the response to the previous attempt,
    /// or another call, may have set some.
    func request(for request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
        let isFirst = isRepeated.withLock { isRepeated in
            defer { isRepeated = true }
            return !isRepeated
        }
        return isFirst || request.headers[.cookie] != added ? request : try await interceptor.updated(request)
    }

    func received(_ fields: HTTPFields, for request: HTTPRequest) async {
        guard fields.contains(.setCookie) else { return }
        try? await request.context.endingWithCall { [interceptor] in await interceptor.receive(fields, for: request) }
    }
}
