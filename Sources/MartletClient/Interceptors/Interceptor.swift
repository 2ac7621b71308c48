/// Wraps the exchange: sees each request on its way out and each response on its way back.
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
/// The first interceptor of a client is the outermost. It may change the request, answer without calling `next`, call `next` more
/// than once (a body that is a stream can't be sent again: see ``HTTPRequest/isReplayable``), and change the response. Reading the
/// response's body takes it away from the caller: use ``HTTPBody/peek(upTo:)``, or put what was collected back.
///
/// It may throw anything: an `HTTPError` reaches the caller as it is, a `CancellationError` as `.cancelled`, anything else as
/// `.interceptorFailed`. It runs off the main actor and for many calls at once.
public protocol Interceptor: Sendable {
    /// Handles one request. Call `next` to have it sent.
    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody>
}

/// The rest of the chain, seen from one interceptor: the interceptors after it, then the transport.
public struct Next: Sendable {
    private let chain: InterceptorChain
    private let index: Int

    init(_ chain: InterceptorChain, index: Int = 0) {
        self.chain = chain
        self.index = index
    }

    /// Sends the request on and gives the response, whatever its status. Throws when there is none.
    public func callAsFunction(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await chain.send(request, from: index)
    }
}
