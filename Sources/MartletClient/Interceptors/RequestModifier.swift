/// An interceptor that changes each request before it is sent, without waiting for anything: it adds a header field, for example, or signs
/// the request.
///
/// ```swift
/// struct Tenant: RequestModifier {
///     let id: String
///
///     func modify(_ request: inout HTTPRequest) { request.headers["X-Tenant"] = id }
/// }
///
/// let client = HTTPClient(baseURL: url, interceptors: [Tenant(id: "7")])
/// ```
///
/// It sees the request as the interceptors before it changed it, again for each redirect, and for each retry if it is placed after the
/// `RetryInterceptor`. A call whose interceptors are all modifiers, or interceptors that end by the deadline themselves, is faster: see
/// ``Interceptor/endsByDeadline``.
public protocol RequestModifier: Interceptor {
    /// Changes one request. Must not block.
    ///
    /// - Parameter request: The request to change.
    /// - Throws: Any error, which ends the call as an error of an ``Interceptor`` does: an `HTTPError` unchanged, and other errors as
    ///   `.interceptorFailed`.
    func modify(_ request: inout HTTPRequest) throws
}

extension RequestModifier {
    /// Returns true: ``modify(_:)`` waits for nothing.
    public var endsByDeadline: Bool { true }

    /// Changes the request and sends it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        var request = request
        try modify(&request)
        return try await next(request)
    }
}
