/// The interceptors of a client in order, followed by the exchange.
package final class InterceptorChain: Sendable {
    package let interceptors: [any Interceptor]
    private let exchange: nonisolated(nonsending) @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    package init(
        _ interceptors: [any Interceptor],
        exchange: nonisolated(nonsending) @escaping @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    ) {
        self.interceptors = interceptors
        self.exchange = exchange
    }

    /// Whether there are no interceptors.
    package var isEmpty: Bool { interceptors.isEmpty }

    /// Sends a request through the interceptors, starting at `index`.
    nonisolated(nonsending) package func send(_ request: HTTPRequest, from index: Int = 0) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    {
        guard index < interceptors.count else {
            return request.context.exchangeObservers.isEmpty ? try await exchange(request) : try await observed(request)
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

    /// Sends a request to the transport, with the observers that interceptors have added.
    nonisolated(nonsending) private func observed(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let observers = request.context.exchangeObservers
        var request = request
        // Errors and responses keep the request, and must not keep the observers.
        request.context.exchangeObservers = []
        do throws(HTTPError) {
            for observer in observers { request = try await observer.request(for: request) }
        } catch { throw error.completed(request: request, stage: .interceptor) }
        let response = try await exchange(request)
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
