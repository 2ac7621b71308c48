internal import Foundation
internal import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The delegate of a transport's sessions. It passes the events of a task to the task's exchange.
///
/// It follows no redirects, sends no credentials of the server's and stores nothing, because the client does that.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[ObjectIdentifier: SessionExchange]>([:])
    private let trust: TrustPolicy
    private let proxy: Proxy?

    init(trust: TrustPolicy, proxy: Proxy?) {
        self.trust = trust
        self.proxy = proxy
    }

    /// Registers an exchange for a task's events. The task must not have been started.
    func add(_ exchange: SessionExchange, for task: URLSessionTask) { exchanges.withLock { $0[ObjectIdentifier(task)] = exchange } }

    /// Removes the exchange of a task that will not be started.
    func remove(_ task: URLSessionTask) { exchanges.withLock { $0[ObjectIdentifier(task)] = nil } }

    private func exchange(of task: URLSessionTask) -> SessionExchange? { exchanges.withLock { $0[ObjectIdentifier(task)] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.responded(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data, dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let exchange = exchange(of: task)
        switch proxyCredential(for: challenge).map(ChallengeDisposition.use) ?? trust.answer(to: challenge) {
        case .system: completionHandler(.performDefaultHandling, nil)
        case .use(let credential): completionHandler(.useCredential, credential)
        case .refuse(let reason):
            exchange?.refused(reason)
            completionHandler(.cancelAuthenticationChallenge, nil)
        case .giveBack:
            exchange?.challenged()
            #if canImport(FoundationNetworking)
            completionHandler(.cancelAuthenticationChallenge, nil)
            #else
            // Without a proposed credential, default handling passes the response on.
            completionHandler(.performDefaultHandling, nil)
            #endif
        }
    }

    /// Returns the credentials of the proxy at its first challenge. If the proxy rejects them, its response is passed on.
    private func proxyCredential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
        guard let proxy, proxy.username != nil || proxy.password != nil, challenge.protectionSpace.isProxy(),
            challenge.previousFailureCount == 0
        else { return nil }
        return URLCredential(user: proxy.username ?? "", password: proxy.password ?? "", persistence: .forSession)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.finished(task, error)
    }

    #if !canImport(FoundationNetworking)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        exchange(of: task)?.measured(ExchangeDetails(metrics))
    }
    #endif
}
