internal import MartletEssentials

/// An interceptor that sends requests to hosts with HTTP Strict Transport Security over `https` (RFC 6797).
///
/// ```swift
/// var standard = StandardInterceptors()
/// standard.strictTransport = StrictTransportInterceptor()
/// let client = HTTPClient(baseURL: url, interceptors: standard.list)
/// ```
///
/// A host that has sent `Strict-Transport-Security` over `https` gets no more requests over `http` until the lifetime in this field ends.
/// A client whose URLs all have `https` does not need it: redirects from `https` to `http` are refused in any case. Errors of
/// certificates fail a call with and without it.
///
/// Place it inside (after) authentication, which sees the URL of the app, and outside (before) cookies, so that `Secure` cookies are sent.
public struct StrictTransportInterceptor: Interceptor, CredentialAddingInterceptor {
    /// The store, for reading and changing hosts.
    public let store: any StrictTransportStore
    private let time: (any TimeSource)?
    private let report: @Sendable (StateStoreError) -> Void

    /// Creates an interceptor over a store. Several interceptors may share a store.
    ///
    /// - Parameters:
    ///   - store: The store. Default: a new ``MemoryStrictTransportStore``.
    ///   - time: The clock. Default: nil, the client's.
    ///   - report: Called for a failure to save hosts, which stay in the store's memory. Default: does nothing. A store that saves later,
    ///     such as a ``FileStrictTransportStore``, reports its first failure itself.
    public init(
        store: any StrictTransportStore = MemoryStrictTransportStore(), time: (any TimeSource)? = nil,
        report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        self.store = store
        self.time = time
        self.report = report
    }

    /// Returns true: the store is abandoned at the call's deadline.
    public var endsByDeadline: Bool { true }

    /// Sends the request, with `https` if its host requires that, and remembers the hosts of the responses that arrive for it.
    ///
    /// - Throws: `.interceptorFailed` with a ``StateStoreError`` if the request has `http` and the store can't load its hosts.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var sent = request
        if request.url.scheme?.lowercased() == "http" {
            let time = time ?? request.context.time
            let upgraded = try await request.context.endingWithCall { () throws(HTTPError) in
                do { return try await store.withHosts { $0.upgraded(request.url, at: time.now) } } catch {
                    throw HTTPError(thrownBy: self, error)
                }
            }
            if let upgraded { sent.url = upgraded }
        }
        sent.context.exchangeObservers.append(StrictTransportExchange(interceptor: self))
        return try await next(sent)
    }

    /// Stores the host of a response. A failure must not hide the response.
    fileprivate func receive(_ fields: HTTPFields, for request: HTTPRequest) async {
        let time = time ?? request.context.time
        do throws(StateStoreError) {
            try await store.withHosts { $0.receive(fields, from: request.url, at: time.now) }
        } catch { report(error) }
    }
}

/// The responses to one request, including each attempt of a retry and a 304 to the cache.
private struct StrictTransportExchange: ExchangeObserver {
    let interceptor: StrictTransportInterceptor

    func request(for request: HTTPRequest) -> HTTPRequest { request }

    func received(_ fields: HTTPFields, for request: HTTPRequest) async {
        guard fields.contains(.strictTransportSecurity) else { return }
        try? await request.context.endingWithCall { [interceptor] in await interceptor.receive(fields, for: request) }
    }
}
