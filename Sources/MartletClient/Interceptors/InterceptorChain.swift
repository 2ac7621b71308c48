/// A client's interceptors in their order, with the exchange at the end.
package final class InterceptorChain: Sendable {
    package let interceptors: [any Interceptor]
    private let exchange: @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    package init(
        _ interceptors: [any Interceptor], exchange: @escaping @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    ) {
        self.interceptors = interceptors
        self.exchange = exchange
    }

    /// Sends a request through the interceptors from `index` on.
    package func send(_ request: HTTPRequest, from index: Int = 0) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard index < interceptors.count else { return try await exchange(request) }
        let interceptor = interceptors[index]
        do {
            return try await interceptor.intercept(request, next: Next(self, index: index + 1))
        } catch let error as HTTPError {
            throw error.completed(request: request, stage: .interceptor)
        } catch {
            throw InterceptorChain.wrap(error, from: interceptor).completed(request: request, stage: .interceptor)
        }
    }

    private static func wrap(_ error: any Error, from interceptor: any Interceptor) -> HTTPError {
        if error is CancellationError, Task.isCancelled {
            return .cancelled(ErrorContext(stage: .interceptor, underlying: error))
        }
        if let error = HTTPError(urlError: error, context: ErrorContext(stage: .interceptor, underlying: error)) { return error }
        return .interceptorFailed(
            Explanation("\(type(of: interceptor))", context: ErrorContext(stage: .interceptor, underlying: error)))
    }
}
