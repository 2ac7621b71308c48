/// The interceptors of a client in order, followed by the exchange.
package final class InterceptorChain: Sendable {
    package let interceptors: [any Interceptor]
    private let exchange: @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    package init(
        _ interceptors: [any Interceptor], exchange: @escaping @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    ) {
        self.interceptors = interceptors
        self.exchange = exchange
    }

    /// Sends a request through the interceptors, starting at `index`.
    package func send(_ request: HTTPRequest, from index: Int = 0) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard index < interceptors.count else { return try await exchange(request) }
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
