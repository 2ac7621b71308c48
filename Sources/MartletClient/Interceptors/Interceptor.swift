/// A step between the client and the transport that can change each request and each response.
///
/// ```swift
/// struct Locale: Interceptor {
///     func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
///         var request = request
///         request.headers["Accept-Language"] = "fr"
///         return try await next(request)
///     }
/// }
/// ```
///
/// The first interceptor of a client is the outermost. An interceptor may change the request, return a response without calling `next`,
/// call `next` more than once, and change the response. A streamed body can't be sent again: see `HTTPRequest.isReplayable`. Reading the
/// response's body consumes it. Use `HTTPBody.peek(upTo:)`, or set the body to the collected bytes.
///
/// An interceptor may throw any error. An `HTTPError` is passed on, a `CancellationError` in a cancelled task becomes `.cancelled`, an
/// error of the URL loading system is classified, and any other error becomes `.interceptorFailed`. Interceptors run off the main actor,
/// and for several calls at the same time.
public protocol Interceptor: Sendable {
    /// Handles one request: calls `next` with it, changed or not, and returns the response, changed or not.
    ///
    /// - Parameters:
    ///   - request: The request, as the interceptors before this one changed it.
    ///   - next: The interceptors after this one and the transport.
    /// - Returns: The response for the interceptors before this one.
    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody>
}

/// The rest of the chain for an interceptor: the interceptors after it and the transport, which it calls to send the request.
public struct Next: Sendable {
    private let chain: InterceptorChain
    private let index: Int

    init(_ chain: InterceptorChain, index: Int = 0) {
        self.chain = chain
        self.index = index
    }

    /// Sends the request through the following interceptors and the transport, and returns the response, whatever its status.
    ///
    /// - Throws: An error if no response arrived.
    public func callAsFunction(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await chain.send(request, from: index)
    }
}
