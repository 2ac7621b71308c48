internal import Foundation
internal import MartletCore

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The sessions of a transport: one, and on Linux one besides for each request that must not be sent twice.
final class SessionPool: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate

    init(_ configuration: URLSessionConfiguration, trust: TrustPolicy) {
        delegate = SessionDelegate(trust: trust)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    // The only place that invalidates it, when nobody can make a task any more: FoundationNetworking ends the process otherwise.
    deinit { session.finishTasksAndInvalidate() }

    /// Makes a task and starts it, unless the exchange is over.
    func start(_ exchange: SessionExchange, _ request: URLRequest, _ body: UploadBody, isFragile: Bool, upload: SpooledFile? = nil) {
        let session = isFragile ? makeSession() : self.session
        let task = make(request, body, in: session)
        guard exchange.begin(task, upload: upload) else {
            SessionExchange.cancel(task)
            if isFragile { session.finishTasksAndInvalidate() }
            return
        }
        delegate.add(exchange, for: task)
        task.resume()
        if isFragile { session.finishTasksAndInvalidate() }
    }

    private func make(_ request: URLRequest, _ body: UploadBody, in session: URLSession) -> URLSessionTask {
        switch body {
        case .none, .chunks: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let url): session.uploadTask(with: request, fromFile: url)
        }
    }

    /// A session whose connections nothing else has used. When a kept connection breaks under a request, libcurl sends it again, and
    /// FoundationNetworking then has no body for it: the request hangs, or arrives empty, or twice.
    private func makeSession() -> URLSession { URLSession(configuration: session.configuration, delegate: delegate, delegateQueue: nil) }
}
