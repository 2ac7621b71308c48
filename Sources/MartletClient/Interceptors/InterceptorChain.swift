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
