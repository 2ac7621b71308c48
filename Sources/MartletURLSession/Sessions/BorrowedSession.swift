package import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
internal import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// A transport over a session that the app owns: buffered, with tasks that have a completion handler.
package struct BorrowedSession: Transport {
    private let session: URLSession

    package init(_ session: URLSession) { self.session = session }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard request.context.upgrade == nil else {
            throw .engineUnavailable("a session of the app's upgrades no connections: use URLSessionTransport or CurlTransport")
        }
        var wanted = try URLRequest(withoutBodyOf: request)
        // These settings are the session's.
        wanted.cachePolicy = session.configuration.requestCachePolicy
        wanted.timeoutInterval = session.configuration.timeoutIntervalForRequest
        wanted.httpShouldHandleCookies = true
        // The body's size is the caller's choice: the limit on bodies applies to responses.
        let body = try UploadBody(request.body)
        let content: UploadBody
        if case .chunks(let chunks) = body { content = .data(try await chunks.collect(upTo: .max)) } else { content = body }
        let exchange = BorrowedExchange(request)
        return try await withTaskCancellationHandler {
            exchange.start(wanted, content, in: session)
            return await exchange.answer.value()
        } onCancel: {
            exchange.cancel()
        }.get()
    }
}

/// One exchange over the app's session.
private final class BorrowedExchange: Sendable {
    let answer = OneShot<SessionExchange.Answer>()
    private let method: HTTPMethod
    private let limits: ResponseLimits
    private let task = Locked<URLSessionTask?>(nil)
    private let isCancelled = Locked(false)

    init(_ request: HTTPRequest) {
        method = request.method
        limits = request.context.limits
    }

    func start(_ request: URLRequest, _ content: UploadBody, in session: URLSession) {
        let finish: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { [self] data, response, error in
            task.withLock { $0 = nil }
            answer.set(result(data, response, error))
        }
        let made: URLSessionTask =
            switch content {
            case .data(let data): session.uploadTask(with: request, from: data, completionHandler: finish)
            case .file(let file): session.uploadTask(with: request, fromFile: file, completionHandler: finish)
            case .none, .chunks: session.dataTask(with: request, completionHandler: finish)
            }
        task.withLock { $0 = made }
        if isCancelled.withLock({ $0 }) { SessionExchange.cancel(made) } else { made.resume() }
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        answer.set(.failure(.cancelled(ErrorContext(stage: .exchange))))
        if let task = task.withLock({ $0 }) { SessionExchange.cancel(task) }
    }

    private func result(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> SessionExchange.Answer {
        do throws(HTTPError) {
            if let error { throw SessionFailure(error, headIsComplete: response != nil, headLimit: limits.headBytes).error }
            guard let response = response as? HTTPURLResponse else { throw .invalidResponse("the response is not an HTTP response") }
            let head = try SessionHead(response, to: method, limits: limits)
            return .success(head.response(HTTPBody(data ?? Data())))
        } catch { return .failure(error) }
    }
}
