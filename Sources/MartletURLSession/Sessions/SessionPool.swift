internal import Foundation
internal import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The sessions of a transport: one for each proxy, usually one in all. On Linux each request that must not be sent twice has its own
/// session.
final class SessionPool: Sendable {
    private let trust: TrustPolicy
    private let route: ProxyRoute
    private let first: Member
    private let others = Locked<[Proxy: Member]>([:])

    private struct Member: Sendable {
        let session: URLSession
        let delegate: SessionDelegate

        init(_ configuration: URLSessionConfiguration, trust: TrustPolicy, proxy: Proxy? = nil) {
            delegate = SessionDelegate(trust: trust, proxy: proxy)
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }
    }

    init(_ configuration: URLSessionConfiguration, trust: TrustPolicy, route: ProxyRoute) {
        self.trust = trust
        self.route = route
        if route.isOwn { configuration.connectionProxyDictionary = [:] }
        first = Member(configuration, trust: trust)
    }

    // Sessions are invalidated only here, when no task can be created any more. FoundationNetworking ends the process if a task is created
    // in an invalidated session.
    deinit {
        first.session.finishTasksAndInvalidate()
        for member in others.withLock({ $0.values.map(\.session) }) { member.finishTasksAndInvalidate() }
    }

    /// Throws `.addressRefused` if the policy refuses an address of the request's host: see ``PriorLookup``.
    func checkAddress(of request: HTTPRequest) async throws(HTTPError) {
        guard let policy = request.context.addressPolicy else { return }
        if try route.seesProxy(for: request.url) { return try policy.checkProxy(for: request.url) }
        // The client enforces the deadlines of a streamed exchange.
        let deadline = request.context.streamsBody ? nil : request.context.deadline
        try await PriorLookup(policy: policy).check(request.url, until: deadline)
    }

    /// Creates a task and starts it, unless the exchange has ended. The exchange keeps `upload`.
    func start(_ exchange: SessionExchange, _ request: URLRequest, _ body: UploadBody, upload: SpooledFile? = nil, isFragile: Bool = false)
    {
        let member: Member
        do throws(HTTPError) { member = try self.member(for: request, isFragile: isFragile) } catch { return exchange.stop(error) }
        let task = make(request, body, in: member.session)
        // Registered before a cancellation can end the task. An exchange registered later would stay forever.
        member.delegate.add(exchange, for: task)
        if exchange.begin(task, upload: upload) {
            task.resume()
        } else {
            member.delegate.remove(task)
            SessionExchange.cancel(task)
        }
        if isFragile { member.session.finishTasksAndInvalidate() }
    }

    #if !canImport(FoundationNetworking)
    /// Creates a task that speaks WebSocket and starts it, unless the exchange has ended.
    func start(_ exchange: SocketExchange, _ request: URLRequest) {
        let member: Member
        do throws(HTTPError) { member = try self.member(for: request, isFragile: false) } catch { return exchange.stop(error) }
        let task = member.session.webSocketTask(with: request)
        // Messages have limits of their own. URLSession's is 1 MiB.
        task.maximumMessageSize = exchange.maxMessageBytes
        member.delegate.add(exchange, for: task)
        if exchange.begin(task) {
            task.resume()
        } else {
            member.delegate.remove(task)
            SessionExchange.cancel(task)
        }
    }
    #endif

    private func make(_ request: URLRequest, _ body: UploadBody, in session: URLSession) -> URLSessionTask {
        switch body {
        case .none, .chunks: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let url): session.uploadTask(with: request, fromFile: url)
        }
    }

    private func member(for request: URLRequest, isFragile: Bool) throws(HTTPError) -> Member {
        // A new session has new connections. If a kept-alive connection breaks during a request, libcurl sends the request again, and
        // FoundationNetworking then has no body for it: the request hangs, or arrives empty, or twice.
        if isFragile { return Member(first.session.configuration, trust: trust) }
        guard let url = request.url, let proxy = try route.proxy(for: url) else { return first }
        if let known = others.withLock({ $0[proxy] }) { return known }
        let configuration = first.session.configuration
        configuration.connectionProxyDictionary = try ProxyRoute.dictionary(for: proxy)
        let made = Member(configuration, trust: trust, proxy: proxy)
        let kept = others.withLock { others in
            let kept = others[proxy] ?? made
            others[proxy] = kept
            return kept
        }
        if kept.session !== made.session { made.session.invalidateAndCancel() }
        return kept
    }
}

/// The delegate of a transport's sessions. It passes the events of a task to the task's exchange.
///
/// It follows no redirects, sends no credentials of the server's and stores nothing, because the client does that.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
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
    func remove(_ task: URLSessionTask) {
        exchanges.withLock { $0[ObjectIdentifier(task)] = nil }
        #if !canImport(FoundationNetworking)
        sockets.withLock { $0[ObjectIdentifier(task)] = nil }
        #endif
    }

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
            #if !canImport(FoundationNetworking)
            sockets.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.stop(reason)
            #endif
            completionHandler(.cancelAuthenticationChallenge, nil)
        case .decline:
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
        #if !canImport(FoundationNetworking)
        sockets.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.finished(task, error)
        #endif
    }

    #if !canImport(FoundationNetworking)
    /// The handshakes of WebSockets.
    private let sockets = Locked<[ObjectIdentifier: SocketExchange]>([:])

    /// Registers the handshake of a WebSocket. The task must not have been started.
    func add(_ exchange: SocketExchange, for task: URLSessionTask) { sockets.withLock { $0[ObjectIdentifier(task)] = exchange } }

    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol selected: String?) {
        sockets.withLock { $0.removeValue(forKey: ObjectIdentifier(webSocketTask)) }?.opened(webSocketTask, selected)
    }

    // The reads of the connection tell its end.
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        exchange(of: task)?.measured(ExchangeDetails(metrics))
    }
    #endif
}

#if !canImport(FoundationNetworking)
extension SessionDelegate: URLSessionWebSocketDelegate {}
#endif
