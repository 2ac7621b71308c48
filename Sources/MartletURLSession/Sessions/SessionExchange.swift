internal import Dispatch
internal import Foundation
internal import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One exchange: turns the events of a session's task into one response or error.
final class SessionExchange: Sendable {
    typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

    private let method: HTTPMethod
    private let limits: ResponseLimits
    private let isStreamed: Bool
    private let buffers: URLSessionTransport.Buffers
    private let answer = OneShot<Answer>()
    private let pause = TaskPause()
    /// An object that must live until the task has ended, when the delegate releases this exchange.
    private let kept = Locked<(any Sendable)?>(nil)
    private let state = Locked(State())

    private struct State {
        var task: URLSessionTask?
        var preparation: Task<Void, Never>?
        var timer: (any ScheduledTimer)?
        var upload: SpooledFile?
        var head: SessionHead?
        var body = Data()
        var received: Int64 = 0
        var pipe: BodyPipe?
        var details = ExchangeDetails()
        /// Whether an authentication challenge was declined. The task then fails although its response is complete.
        var wasChallenged = false
        /// The error that a delegate callback found. It is more exact than the task's error.
        var refusal: HTTPError?
        /// Whether the exchange has ended. Later events of the task are ignored.
        var isOver = false
    }

    init(_ request: HTTPRequest, buffers: URLSessionTransport.Buffers) {
        method = request.method
        limits = request.context.limits
        isStreamed = request.context.streamsBody
        self.buffers = buffers
        // A streamed exchange returns with its head, and the client enforces its deadlines.
        if !isStreamed, let deadline = request.context.deadline {
            let timer = SystemTime().timer(at: deadline) { [weak self] in self?.stop(.timeout(ErrorContext(stage: .exchange))) }
            state.withLock { $0.timer = timer }
        }
    }

    /// Returns the response as soon as it is available. May be called once: the session keeps the exchange until its task has ended, but
    /// the exchange must not keep a streamed body that its reader has dropped.
    func value() async -> Answer {
        defer { answer.forget() }
        return await answer.value()
    }

    // MARK: From the caller

    /// Sets the task that reads the request's body. It is cancelled when the exchange ends.
    func prepare(with task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.preparation = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Keeps an object until the session's task has ended.
    func keep(_ thing: any Sendable) { kept.withLock { $0 = thing } }

    /// Sets the task that is about to start, and the file that it sends. Returns false if the exchange has already ended.
    func begin(_ task: URLSessionTask, upload: SpooledFile?) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.task = task
            state.upload = upload
            return true
        }
    }

    /// Ends the exchange with an error.
    func stop(_ reason: HTTPError) {
        let ended = end()
        guard let ended else { return }
        answer.set(.failure(reason))
        ended.pipe?.cancel(reason)
        if let task = ended.task { SessionExchange.cancel(task) }
    }

    /// Cancels a task on another thread, because FoundationNetworking waits for locks meanwhile.
    static func cancel(_ task: URLSessionTask) { DispatchQueue.global().async { task.cancel() } }

    private func end() -> State? {
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            return exchange(&state, with: State(isOver: true))
        }
        ended?.timer?.cancel()
        ended?.preparation?.cancel()
        return ended
    }

    // MARK: From the session's delegate

    /// Handles a head. FoundationNetworking reports interim responses too.
    func responded(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        let head: SessionHead
        do throws(HTTPError) {
            head = try SessionHead(response, to: method, limits: limits)
            if !isStreamed, !head.hasNoBody, let length = head.length, length > Int64(limits.bodyBytes) { throw tooLarge }
        } catch { return stop(error) }
        let pipe = isStreamed && !head.hasNoBody ? makePipe() : nil
        let isNews = state.withLock { state in
            guard !state.isOver, state.head == nil else { return false }
            state.head = head
            state.pipe = pipe
            return true
        }
        guard isNews, isStreamed else { return }
        let body = pipe.map { HTTPBody(reader: PipeReader($0), length: head.length) }
        answer.set(.success(head.response(body ?? .empty)))
    }

    /// Handles decoded bytes of the body.
    func received(_ data: Data, _ task: URLSessionTask) {
        let (pipe, isTooMuch) = state.withLock { state -> (BodyPipe?, Bool) in
            guard !state.isOver else { return (nil, false) }
            state.received += Int64(data.count)
            if let pipe = state.pipe { return (pipe, false) }
            guard !isStreamed, state.head?.hasNoBody != true else { return (nil, false) }
            guard data.count <= limits.bodyBytes - state.body.count else { return (nil, true) }
            state.body.append(data)
            return (nil, false)
        }
        if isTooMuch { return stop(tooLarge) }
        guard let pipe else { return }
        switch pipe.write(data, limit: SessionExchange.canPause ? .max : buffers.unread) {
        case .refused:
            let detail = "the reader is too slow, and URLSession can't slow the server down here: see maxUnreadBytes of URLSessionTransport"
            stop(
                .responseTooLarge(SizeLimitFailure(.body, limit: buffers.unread, context: ErrorContext(stage: .body, detail: detail))))
        case .awaited: pipe.flush()
        case .stored: if SessionExchange.canPause, pipe.room() == 0 { settle(pipe, task) }
        }
    }

    /// Records a challenge. A transport has no credentials for the server, so the response is passed on.
    func challenged() { state.withLock { $0.wasChallenged = true } }

    /// Records the error with which the delegate lets the task fail.
    func refused(_ reason: HTTPError) { state.withLock { $0.refusal = $0.refusal ?? reason } }

    /// Records the measurements of the exchange.
    func measured(_ details: ExchangeDetails) { state.withLock { $0.details = details } }

    /// Handles the end of the task.
    func finished(_ task: URLSessionTask, _ error: (any Error)?) {
        // FoundationNetworking reports no head for a redirect without Location.
        if let response = task.response, error == nil || state.withLock({ $0.wasChallenged }) { responded(response) }
        guard let ended = end() else { return }
        let failure = failure(of: ended, error)
        if let pipe = ended.pipe { return pipe.end(failure.map { .failure($0) } ?? .success(())) }
        if let failure {
            answer.set(.failure(failure))
        } else if let head = ended.head {
            var response = head.response(HTTPBody(ended.body))
            ended.details.fill(&response.metadata)
            answer.set(.success(response))
        }
    }

    private func failure(of ended: State, _ error: (any Error)?) -> HTTPError? {
        if let refusal = ended.refusal { return refusal }
        // The error after a declined challenge does not describe the response. Any other error does.
        if let error, !(ended.wasChallenged && SessionExchange.isTurnedDown(error)) {
            let hasSentBody = ended.task.map { $0.countOfBytesSent > 0 } ?? false
            return SessionFailure(error, headIsComplete: ended.head != nil, hasSentBody: hasSentBody, headLimit: limits.headBytes).error
        }
        guard let head = ended.head else {
            return .invalidResponse(Explanation("the response is not an HTTP response", context: ErrorContext(stage: .exchange)))
        }
        if head.isCutShort(after: ended.received), !SessionExchange.losesBody(head.status) {
            let words = "the body ended after \(ended.received) of \(head.length ?? 0) bytes"
            return .networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .body)))
        }
        return nil
    }

    private var tooLarge: HTTPError {
        .responseTooLarge(SizeLimitFailure(.body, limit: limits.bodyBytes, context: ErrorContext(stage: .body)))
    }

    private func makePipe() -> BodyPipe {
        BodyPipe(capacity: buffers.streamed) { [weak self] demand in
            switch demand {
            case .resume: self?.settle()
            case .cancel: self?.stop(.cancelled(ErrorContext(stage: .body)))
            }
        }
    }

    /// Suspends or resumes the task as the reader's buffer requires.
    private func settle() {
        let (pipe, task) = state.withLock { ($0.pipe, $0.task) }
        if let pipe, let task { settle(pipe, task) }
    }

    /// Whether it is the error of a cancelled task or challenge.
    private static func isTurnedDown(_ error: any Error) -> Bool { error._code == -999 || error._code == -1012 }

    // MARK: Differences between the platforms

    #if canImport(FoundationNetworking)
    private static let canPause = false

    /// Does nothing: a suspended task would start again at the first byte and append it.
    private func settle(_ pipe: BodyPipe, _ task: URLSessionTask) {}

    /// Whether FoundationNetworking omits the body of a response: a redirect without Location.
    private static func losesBody(_ status: HTTPStatus) -> Bool { status.kind == .redirection }
    #else
    private static let canPause = true

    private func settle(_ pipe: BodyPipe, _ task: URLSessionTask) {
        pause.settle {
            pipe.isPaused
        } act: {
            $0 ? task.suspend() : task.resume()
        }
    }

    private static func losesBody(_ status: HTTPStatus) -> Bool { false }
    #endif
}

/// Whether a task is suspended, changed together with the task itself.
///
/// The writer and the reader of a body both call ``settle(_:act:)`` when the wanted state may have changed. That state is read again each
/// time, under the lock that orders the calls, so the last call leaves the task in the right state, and a task is never suspended twice.
final class TaskPause: Sendable {
    private let isSuspended = Locked(false)

    /// Makes `act` suspend or resume the task if its state differs from `isWanted`. Neither closure may call back.
    func settle(_ isWanted: () -> Bool, act: (_ suspend: Bool) -> Void) {
        isSuspended.withLock { isSuspended in
            let isWanted = isWanted()
            guard isWanted != isSuspended else { return }
            isSuspended = isWanted
            act(isWanted)
        }
    }
}

/// The measurements of an exchange, on platforms that provide them.
struct ExchangeDetails: Sendable {
    var timings: ResponseMetadata.Timings?
    var remoteAddress: String?
    var isConnectionReused: Bool?
    var version: HTTPVersion?

    func fill(_ metadata: inout ResponseMetadata) {
        metadata.version = version
        metadata.timings = timings
        metadata.remoteAddress = remoteAddress
        metadata.isConnectionReused = isConnectionReused
    }
}

#if !canImport(FoundationNetworking)
extension ExchangeDetails {
    /// The metrics of the task's last transaction, because a cache or a proxy may have been asked before.
    init(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return }
        let start = metrics.taskInterval.start
        var timings = ResponseMetadata.Timings()
        timings.queued = .between(start, last.fetchStartDate)
        timings.nameLookup = .between(last.domainLookupStartDate, last.domainLookupEndDate)
        timings.connect = .between(last.connectStartDate, last.secureConnectionStartDate ?? last.connectEndDate)
        timings.tls = .between(last.secureConnectionStartDate, last.secureConnectionEndDate)
        timings.firstByte = .between(start, last.responseStartDate)
        timings.total = .between(start, metrics.taskInterval.end)
        self.timings = timings
        remoteAddress = last.remoteAddress
        isConnectionReused = last.isReusedConnection
        switch last.networkProtocolName {
        case "http/1.0": version = .http10
        case "http/1.1": version = .http11
        case "h2": version = .http2
        case "h3": version = .http3
        default: version = nil
        }
    }
}

extension Duration {
    fileprivate static func between(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
#endif
