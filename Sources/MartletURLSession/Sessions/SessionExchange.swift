internal import Dispatch
internal import Foundation
internal import MartletHTTP
internal import MartletSystem

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One exchange on its way: what the session's delegate reports of its task becomes one answer.
final class SessionExchange: Sendable {
    typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

    private let method: HTTPMethod
    private let limits: ResponseLimits
    private let isStreamed: Bool
    private let buffers: URLSessionTransport.Buffers
    private let answer = OneShot<Answer>()
    private let pause = TaskPause()
    /// What must not go before the task has ended, which is when the session's delegate lets go of this.
    private let kept = Locked<(any Sendable)?>(nil)
    private let state = Locked(State())

    private struct State {
        var task: URLSessionTask?
        var preparation: Task<Void, Never>?
        var timer: (any ScheduledTimer)?
        var upload: SpooledFile?
        var head: ResponseHead?
        var body = Data()
        var received: Int64 = 0
        var pipe: BodyPipe?
        var details = ExchangeDetails()
        /// Whether a request for credentials was turned down, after which the task fails although its answer is whole.
        var wasChallenged = false
        /// What a delegate's callback found wrong: more exact than the error the task then has.
        var refusal: HTTPError?
        /// Nothing that the task reports counts any more.
        var isOver = false
    }

    init(_ request: HTTPRequest, buffers: URLSessionTransport.Buffers) {
        method = request.method
        limits = request.context.limits
        isStreamed = request.context.delivery == .streamed
        self.buffers = buffers
        // A streamed exchange answers with its head, and is the client's to watch.
        if !isStreamed, let deadline = request.context.deadline {
            let timer = SystemTime().timer(at: deadline) { [weak self] in self?.stop(.timeout(ErrorContext(stage: .exchange))) }
            state.withLock { $0.timer = timer }
        }
    }

    /// Returns the response as soon as it is there. May be called once: the exchange, which the session keeps until its task has ended, does
    /// not keep a streamed body that its reader has dropped.
    func value() async -> Answer {
        defer { answer.forget() }
        return await answer.value()
    }

    // MARK: From the caller

    /// What reads the body that is sent. It is cancelled when the exchange is over.
    func prepare(with task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.preparation = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Keeps something for as long as the session knows the task.
    func keep(_ thing: any Sendable) { kept.withLock { $0 = thing } }

    /// The task is there and about to start; false when nobody wants it any more. Keeps the file that it sends.
    func begin(_ task: URLSessionTask, upload: SpooledFile?) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.task = task
            state.upload = upload
            return true
        }
    }

    /// Ends the exchange with an error of its own.
    func stop(_ reason: HTTPError) {
        let ended = end()
        guard let ended else { return }
        answer.set(.failure(reason))
        ended.pipe?.cancel(reason)
        if let task = ended.task { SessionExchange.cancel(task) }
    }

    /// Elsewhere: FoundationNetworking waits for locks in it, and this may be the thread of whoever cancels.
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

    /// A head has come. FoundationNetworking reports interim ones too.
    func responded(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        let head: ResponseHead
        do throws(HTTPError) {
            head = try ResponseHead(response, to: method, limits: limits)
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

    /// Bytes of the body have come, decoded.
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
            let detail = "nobody read fast enough, and URLSession can't be told to wait here: see URLSessionTransport.Buffers.unread"
            stop(
                .responseTooLarge(SizeLimitFailure(.body, limit: buffers.unread, context: ErrorContext(stage: .body, detail: detail))))
        case .awaited: pipe.flush()
        case .stored: if SessionExchange.canPause, pipe.room() == 0 { settle(pipe, task) }
        }
    }

    /// The server wants credentials, which are not a transport's to give: its answer is given instead.
    func challenged() { state.withLock { $0.wasChallenged = true } }

    /// Remembers why the delegate is about to let the task fail.
    func refused(_ reason: HTTPError) { state.withLock { $0.refusal = $0.refusal ?? reason } }

    /// What was measured of the exchange.
    func measured(_ details: ExchangeDetails) { state.withLock { $0.details = details } }

    /// The task has ended, in one way or the other.
    func finished(_ task: URLSessionTask, _ error: (any Error)?) {
        // FoundationNetworking reports no head for a redirect that does not say where to.
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
        // The error of a challenge that was turned down says nothing of the answer to it; any other one does.
        if let error, !(ended.wasChallenged && SessionExchange.isTurnedDown(error)) {
            return SessionFailure(error, headIsComplete: ended.head != nil, headLimit: limits.headBytes).error
        }
        guard let head = ended.head else {
            return .invalidResponse(Explanation("there was no answer of HTTP", context: ErrorContext(stage: .exchange)))
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
}

extension SessionExchange {
    /// Suspends the task or lets it go on, as the reader's buffer has it now.
    private func settle() {
        let (pipe, task) = state.withLock { ($0.pipe, $0.task) }
        if let pipe, let task { settle(pipe, task) }
    }

    /// Whether it is the error of a task that was cancelled, or whose challenge was.
    private static func isTurnedDown(_ error: any Error) -> Bool { error._code == -999 || error._code == -1012 }
}

// MARK: - What the platform can't do

extension SessionExchange {
    #if canImport(FoundationNetworking)
    static let canPause = false

    /// A suspended task would start again at the first byte and append it.
    private func settle(_ pipe: BodyPipe, _ task: URLSessionTask) {}

    /// A redirect that does not say where to comes without its body.
    private static func losesBody(_ status: HTTPStatus) -> Bool { status.kind == .redirection }
    #else
    static let canPause = true

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
