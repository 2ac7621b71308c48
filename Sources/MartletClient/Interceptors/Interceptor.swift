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
    /// If every interceptor of a client returns true, its buffered calls run in the caller's task, which is faster. Otherwise each call
    /// runs in a task of its own that can be abandoned. Return true only if the interceptor
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

    /// Whether no interceptor follows: the next step is the exchange with the transport.
    package var isExchange: Bool { index == chain.interceptors.count }

    /// Sends the request through the following interceptors and the transport, and returns the response, whatever its status.
    ///
    /// - Throws: An error if no response arrived.
    public func callAsFunction(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await chain.send(request, from: index)
    }
}

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

/// An interceptor that states whether it may add to a request a credential, or another field that may identify the user.
///
/// GraphQL's document cache, like any store that creates its keys before the interceptors run, does not store the response to a request to
/// which an interceptor may still add a credential. An interceptor that does not conform is expected to add one.
package protocol CredentialAddingInterceptor: Interceptor {
    /// Returns whether the interceptor may add a credential to the request, or another field that may identify the user.
    func mayAddCredential(to request: HTTPRequest) -> Bool
}

extension CredentialAddingInterceptor {
    /// Returns false: most interceptors never add a credential.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { false }
}

/// The interceptors of a client in order, followed by the exchange.
package final class InterceptorChain: Sendable {
    let interceptors: [any Interceptor]
    private let exchange: any Transport
    private let observedExchange: any Transport

    /// - Parameter exchange: Sends each request that the last interceptor passes on.
    package init(_ interceptors: [any Interceptor], _ exchange: any Transport) {
        self.interceptors = interceptors
        self.exchange = exchange
        observedExchange = ObservedExchange(exchange: exchange)
    }

    /// Whether there are no interceptors.
    var isEmpty: Bool { interceptors.isEmpty }

    /// Sends a request through the interceptors, starting at `index`.
    nonisolated(nonsending) package func send(_ request: HTTPRequest, from index: Int = 0) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    {
        guard index < interceptors.count else {
            // One call for both, because each would add the memory for a response to the frame.
            let exchange = request.context.exchangeObservers.isEmpty ? exchange : observedExchange
            return try await exchange.send(request)
        }
        let interceptor = interceptors[index]
        do {
            return try await interceptor.intercept(request, next: Next(self, index: index + 1))
        } catch let error as HTTPError {
            throw error.completed(request: request, stage: .interceptor)
        } catch {
            throw HTTPError(thrownBy: interceptor, error).completed(request: request, stage: .interceptor)
        }
    }
}

/// An exchange with the observers that interceptors have added to the request.
private struct ObservedExchange: Transport {
    let exchange: any Transport

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let observers = request.context.exchangeObservers
        var request = request
        // Errors and responses keep the request, and must not keep the observers.
        request.context.exchangeObservers = []
        do throws(HTTPError) {
            for observer in observers { request = try await observer.request(for: request) }
        } catch { throw error.completed(request: request, stage: .interceptor) }
        let response = try await exchange.send(request)
        for observer in observers { await observer.received(response.headers, for: request) }
        return response
    }
}

extension HTTPError {
    /// Creates an error from the error that an interceptor threw: an `HTTPError` or an error caused by one, a cancellation, an error of the
    /// URL loading system, or the interceptor's own failure.
    package init(thrownBy interceptor: any Interceptor, _ error: any Error) {
        let context = ErrorContext(stage: .interceptor, underlying: error)
        self =
            HTTPError.cause(of: error) ?? (error is CancellationError && Task.isCancelled ? .cancelled(context) : nil)
            ?? HTTPError(urlError: error, context: context)
            ?? .interceptorFailed(Explanation("\(type(of: interceptor))", context: context))
    }
}
