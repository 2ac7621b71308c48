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
///
/// An interceptor that changes only the request needs no `next`: see ``RequestModifier``.
public protocol Interceptor: Sendable {
    /// Whether the interceptor waits for nothing but `next`, so that it ends when the transport ends the exchange at the call's deadline.
    /// Default: false.
    ///
    /// If every interceptor of a client returns true, its buffered calls run in the caller's task, which is faster. Otherwise each call runs
    /// in a task of its own that can be abandoned. Return true only if the interceptor
    /// - awaits nothing but `next`, and does not block its thread;
    /// - calls `next` at most once at a time, and never after it has returned.
    ///
    /// The client reads it once, when it is created. An interceptor that breaks this promise can delay the call's timeout and its
    /// cancellation.
    var endsByDeadline: Bool { get }

    /// Handles one request: calls `next` with it, changed or not, and returns the response, changed or not.
    ///
    /// - Parameters:
    ///   - request: The request, as the interceptors before this one changed it.
    ///   - next: The interceptors after this one and the transport.
    /// - Returns: The response for the interceptors before this one.
    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody>
}

extension Interceptor {
    /// Returns false: the client ends the call at its deadline without waiting for the interceptor.
    public var endsByDeadline: Bool { false }
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
