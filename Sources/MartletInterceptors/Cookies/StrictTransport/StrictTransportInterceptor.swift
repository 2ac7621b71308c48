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

    /// Creates an interceptor over a store. Several interceptors may share a store.
    ///
    /// - Parameters:
    ///   - store: The store. Default: a new ``MemoryStrictTransportStore``.
    ///   - time: The clock. Default: nil, the client's.
    public init(store: any StrictTransportStore = MemoryStrictTransportStore(), time: (any TimeSource)? = nil) {
        self.store = store
        self.time = time
    }

    /// Sends the request, with `https` if its host requires that, and remembers the host of the response.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let time = time ?? request.context.time
        var request = request
        if request.url.scheme?.lowercased() == "http" {
            let url = request.url
            if let upgraded = await store.withHosts({ $0.upgraded(url, at: time.now) }) { request.url = upgraded }
        }
        let response = try await next(request)
        // A stored response says nothing about the host now.
        if response.headers.contains(.strictTransportSecurity), response.metadata.cacheStatus?.isFromCache != true {
            let url = request.url
            await store.withHosts { $0.receive(response.headers, from: url, at: time.now) }
        }
        return response
    }
}
