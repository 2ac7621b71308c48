internal import Foundation
internal import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
extension URLSessionTransport {
    /// Always throws `.engineUnavailable`: FoundationNetworking needs a libcurl with WebSockets, which Linux distributions do not have.
    static func upgrade(_ request: HTTPRequest, in pool: SessionPool) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        throw .engineUnavailable("URLSession on Linux has no WebSockets: use CurlTransport")
    }
}
#else
extension URLSessionTransport {
    /// Sends a request for an upgrade to WebSocket with a task that speaks WebSocket itself. URLSession upgrades to nothing else.
    ///
    /// A response other than 101 is returned without its body, which URLSession does not pass on.
    static func upgrade(_ request: HTTPRequest, in pool: SessionPool) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard request.method == .get, request.headers["Upgrade"]?.equalsIgnoringCase("websocket") == true else {
            throw .engineUnavailable("URLSession upgrades connections only to WebSocket, with GET: use CurlTransport")
        }
        let wanted = try URLRequest(webSocket: request)
        let exchange = SocketExchange(request)
        return try await withTaskCancellationHandler {
            pool.start(exchange, wanted)
            request.context.call?.onCancel { exchange.stop(.cancelled(ErrorContext(stage: .exchange))) }
            return await exchange.value()
        } onCancel: {
            exchange.stop(.cancelled(ErrorContext(stage: .exchange)))
        }.get()
    }
}

extension URLRequest {
    /// Creates the request for a task that speaks WebSocket. URLSession writes the fields of the handshake itself, except for the offered
    /// subprotocols.
    fileprivate init(webSocket request: HTTPRequest) throws(HTTPError) {
        try self.init(withoutBodyOf: request)
        guard let plain = url, var parts = URLComponents(url: plain, resolvingAgainstBaseURL: true) else {
            throw .invalidURL(Explanation("the URL is invalid: \(Redaction.url(request.url))"))
        }
        parts.scheme = plain.scheme?.lowercased() == "https" ? "wss" : "ws"
        url = parts.url ?? plain
        for name in ["Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions"] {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

/// The handshake of a WebSocket: turns the events of a session's task into one response or error.
final class SocketExchange: Sendable {
    let limits: ResponseLimits
    /// The maximum size of a message.
    var maxMessageBytes: Int { upgrade?.maxMessageBytes ?? limits.bodyBytes }
    private let upgrade: ConnectionUpgrade?
    private let answer = OneShot<SessionExchange.Answer>()
    private let state = Locked(State())

    private struct State {
        var task: URLSessionWebSocketTask?
        var timer: (any ScheduledTimer)?
        var isOver = false
    }

    init(_ request: HTTPRequest) {
        limits = request.context.limits
        upgrade = request.context.upgrade
        if let deadline = request.context.deadline {
            let timer = SystemTime().timer(at: deadline) { [weak self] in self?.stop(.timeout(ErrorContext(stage: .exchange))) }
            state.withLock { $0.timer = timer }
        }
    }

    func value() async -> SessionExchange.Answer { await answer.value() }

    /// Sets the task that is about to start. Returns false if the exchange has already ended.
    func begin(_ task: URLSessionWebSocketTask) -> Bool {
        state.withLock { state in
            if !state.isOver { state.task = task }
            return !state.isOver
        }
    }

    /// Ends the exchange with an error.
    func stop(_ reason: HTTPError) {
        let task = end()
        answer.set(.failure(reason))
        if let task { SessionExchange.cancel(task) }
    }

    /// Hands the connection over.
    func opened(_ task: URLSessionWebSocketTask, _ selected: String?) {
        guard end() != nil else { return }
        upgrade?.complete(with: .messages(SessionSocket(task, selected: selected?.isEmpty == true ? nil : selected)))
        answer.set(response(of: task, status: 101))
    }

    /// Handles the end of a task. After a handshake that has succeeded, the reads and writes of the connection fail by themselves.
    func finished(_ task: URLSessionTask, _ error: (any Error)?) {
        guard end() != nil else { return }
        if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
            answer.set(self.response(of: task))
        } else if let error {
            answer.set(.failure(SessionFailure(error, headIsComplete: false, headLimit: limits.headBytes).error))
        } else {
            answer.set(.failure(.networkError(NetworkFailure(.connectionLost, context: ErrorContext(stage: .exchange)))))
        }
    }

    /// Ends the exchange once, and returns its task.
    private func end() -> URLSessionWebSocketTask? {
        let ended = state.withLock { state in exchange(&state, with: State(isOver: true)) }
        ended.timer?.cancel()
        return ended.task
    }

    private func response(of task: URLSessionTask, status: Int? = nil) -> SessionExchange.Answer {
        guard let response = task.response as? HTTPURLResponse else {
            return .success(HTTPResponse(status: HTTPStatus(rawValue: status ?? 101), headers: [:], body: .empty))
        }
        do throws(HTTPError) { return .success(try SessionHead(response, to: .get, limits: limits).response(.empty)) } catch {
            return .failure(error)
        }
    }
}

/// A WebSocket over URLSession.
private final class SessionSocket: MessageConnection {
    let selectedProtocol: String?
    private let task: URLSessionWebSocketTask

    init(_ task: URLSessionWebSocketTask, selected: String?) {
        self.task = task
        selectedProtocol = selected
    }

    deinit { close() }

    func receive() async throws(HTTPError) -> MessageConnectionEvent {
        let result = await waiting { (finish: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void) in
            self.task.receive(completionHandler: finish)
        }
        switch result {
        case .success(.string(let text)): return .message(.text(text))
        case .success(.data(let data)): return .message(.data(data))
        case .success: throw .invalidResponse("URLSession received a message of an unknown kind")
        case .failure(let error): return try end(after: error)
        }
    }

    func send(_ message: MessageConnectionEvent.Message) async throws(HTTPError) {
        let wanted: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .data(let data): .data(data)
            }
        let error = await waiting { (finish: @escaping @Sendable ((any Error)?) -> Void) in
            self.task.send(wanted, completionHandler: finish)
        }
        if let error { throw failure(error) }
    }

    func ping() async throws(HTTPError) {
        let error = await waiting { (finish: @escaping @Sendable ((any Error)?) -> Void) in
            self.task.sendPing(pongReceiveHandler: finish)
        }
        if let error { throw failure(error) }
    }

    func sendClose(code: UInt16, reason: Data) {
        task.cancel(with: URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure, reason: reason)
    }

    func close() { SessionExchange.cancel(task) }

    /// Waits for the result of an operation. A cancellation closes the connection, which ends the operation.
    private func waiting<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
        let slot = OneShot<Value>()
        return await withTaskCancellationHandler {
            begin { slot.set($0) }
            return await slot.value()
        } onCancel: {
            close()
        }
    }

    /// The end of the connection that a failed read means: a Close frame, or the end without one.
    private func end(after error: any Error) throws(HTTPError) -> MessageConnectionEvent {
        if Task.isCancelled { throw .cancelled(ErrorContext(stage: .body)) }
        let code = task.closeCode
        if code != .invalid {
            let number = UInt16(clamping: code.rawValue)
            return .closed(code: code == .noStatusReceived ? nil : number, reason: task.closeReason ?? Data())
        }
        let failure = failure(error)
        guard failure == .connectionLost else { throw failure }
        return .closed(code: 1006, reason: Data())
    }

    private func failure(_ error: any Error) -> HTTPError {
        if Task.isCancelled { return .cancelled(ErrorContext(stage: .body)) }
        // A connection that has ended is reported as a system error: it is not connected, or was reset.
        let isSystemError = error._domain == NSPOSIXErrorDomain
        let code = isSystemError ? -1005 : error._code
        return SessionFailure(code: code, text: error.localizedDescription, headIsComplete: true).error
    }
}
#endif
