#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletCodings
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import NIOCore
internal import NIOHTTP1

/// One exchange: turns the events of a task of async-http-client into one response or error.
///
/// The task calls it on its event loop. The caller, a timer and the reader of the body may end it on any thread.
final class Exchange: HTTPClientResponseDelegate, CancellableWork {
    typealias Response = Void
    typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

    private let terms: IncomingHead.Terms
    private let deadline: ContinuousClock.Instant?
    private let bufferSize: Int
    /// Keeps the client until the exchange has ended.
    private let clients: Clients
    private let began = ContinuousClock.now
    private let shared = Locked(Shared())

    private struct Shared {
        /// Nil when the exchange has ended. Later events of the task are ignored.
        var state: State? = State()
        /// The event loop of the task. Nil until the head of the request was sent.
        var loop: (any EventLoop)?
        /// The error of an exchange that ended before it was started.
        var early: HTTPError?
        /// Whether the server has provably not processed the request, although it may have been sent.
        var isUnprocessed = false
    }

    // Proof: read and written while the lock of `shared` is held. Who takes it out of there, at the end of the exchange, is alone with it.
    private final class State: @unchecked Sendable {
        var waiter: UnsafeContinuation<Answer, Never>?
        var task: AsyncHTTPClient::HTTPClient.Task<Void>?
        var timer: (any ScheduledTimer)?
        var seat: Clients.Seat?
        var upload: RequestUpload?
        var head: IncomingHead?
        var firstByte: Duration?
        /// The body, if it is collected.
        var body = Data()
        /// The body, if it is streamed.
        var pipe: BodyPipe?
        /// Coded bytes that wait to be decoded.
        var coded = ByteBuffer()
        /// Whether these bytes are decoded at present: on the event loop, or elsewhere if they need several turns.
        var isDecoding = false
        /// Completed when the bytes received last have been taken: async-http-client then reads more.
        var taken: EventLoopPromise<Void>?
    }

    init(_ request: HTTPRequest, decodes: Bool, _ clients: Clients, _ buffers: AsyncHTTPClientTransport.Buffers) {
        let context = request.context
        terms = IncomingHead.Terms(
            limits: context.limits, isHead: request.method == .head, isStreamed: context.streamsBody,
            followsRedirects: context.followsRedirects, decodes: decodes, maxContentCodings: buffers.codings)
        // A streamed exchange returns with its head, and the client enforces its deadlines.
        deadline = context.streamsBody ? nil : context.deadline
        bufferSize = buffers.streamed
        self.clients = clients
    }

    // MARK: From the caller

    /// Starts the exchange. `waiter` is resumed with its response or error.
    func start(
        _ waiter: UnsafeContinuation<Answer, Never>, _ request: AsyncHTTPClient::HTTPClient.Request, on seat: Clients.Seat
    ) {
        let timer = deadline.map { deadline in
            SystemTime().timer(at: deadline) { [weak self] in self?.stop(.timeout(ErrorContext(stage: .exchange))) }
        }
        let early = shared.withLock { shared -> HTTPError? in
            guard let state = shared.state else { return shared.early ?? .cancelled }
            state.waiter = waiter
            state.timer = timer
            state.seat = seat
            return nil
        }
        if let early {
            timer?.cancel()
            clients.leave(seat)
            return waiter.resume(returning: .failure(early))
        }
        let task = seat.client.execute(request: request, delegate: self)
        // A task whose last write fails can fail without a call of its delegate.
        if request.body != nil { task.futureResult.whenFailure { self.didReceiveError(task: task, $0) } }
        let isOver = shared.withLock { shared in
            shared.state?.task = task
            return shared.state == nil
        }
        if isOver { task.cancel() }
    }

    /// Sets the sending of the request's body. It is cancelled when the exchange ends.
    func prepare(with upload: RequestUpload) {
        let isOver = shared.withLock { shared in
            shared.state?.upload = upload
            return shared.state == nil
        }
        if isOver { upload.cancel() }
    }

    /// Ends the exchange as cancelled.
    func cancel() { stop(.cancelled(ErrorContext(stage: .exchange))) }

    /// Ends the exchange with an error.
    private func stop(_ reason: HTTPError) {
        guard let ended = end(early: reason) else { return }
        ended.waiter?.resume(returning: .failure(reason))
        ended.pipe?.cancel(reason)
        ended.task?.cancel()
    }

    /// Ends the exchange, and returns its last state unless it had ended before.
    private func end(early: HTTPError? = nil) -> State? {
        let ended = shared.withLock { shared -> State? in
            if shared.state != nil { shared.early = early }
            return shared.state.take()
        }
        guard let ended else { return nil }
        ended.timer?.cancel()
        ended.upload?.cancel()
        ended.taken?.succeed(())
        if let seat = ended.seat { clients.leave(seat) }
        return ended
    }

    /// The event loop of the task, once the head of the request was sent, also after the end of the exchange.
    var loop: (any EventLoop)? { shared.withLock { $0.loop } }

    /// How far a request that has failed may have come.
    var reach: Repetitions.Reach {
        shared.withLock { $0.loop == nil ? .unsent : $0.isUnprocessed ? .unprocessed : .sent }
    }

    // MARK: From the task, on its event loop

    func didSendRequestHead(task: AsyncHTTPClient::HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        shared.withLock { $0.loop = task.eventLoop }
    }

    func didSendRequestPart(task: AsyncHTTPClient::HTTPClient.Task<Void>, _ part: IOData) {
        shared.withLock { $0.state?.upload }?.chunkWasTaken()
    }

    func didReceiveHead(task: AsyncHTTPClient::HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let done = task.eventLoop.makeSucceededVoidFuture()
        let received: IncomingHead
        do throws(HTTPError) { received = try IncomingHead(head, for: terms) } catch {
            fail(error, task)
            return done
        }
        clients.noteResponse()
        // async-http-client sends no more after such a response, and the server wants no more (RFC 9112 §9.5).
        if head.status.code >= 300 { shared.withLock { $0.state?.upload }?.stop() }
        let pipe: BodyPipe? = if case .streamed = received.body { makePipe(task) } else { nil }
        let firstByte = ContinuousClock.now - began
        let waiter = shared.withLock { shared -> UnsafeContinuation<Answer, Never>? in
            guard let state = shared.state else { return nil }
            state.head = received
            state.firstByte = firstByte
            state.pipe = pipe
            if case .collected(let length?, _) = received.body { state.body.reserveCapacity(min(length, Exchange.maxReserved)) }
            // Without a body the response is returned when the connection is idle again, so that the next request can use it.
            return pipe != nil ? state.waiter.take() : nil
        }
        if let waiter {
            var body = HTTPBody.empty
            if let pipe, case .streamed(let length) = received.body { body = HTTPBody(reader: PipeReader(pipe), length: length) }
            var response = received.response(body)
            response.metadata.timings = ResponseMetadata.Timings(firstByte: firstByte)
            waiter.resume(returning: .success(response))
        }
        return done
    }

    func didReceiveBodyPart(task: AsyncHTTPClient::HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let loop = task.eventLoop
        // Only from EarlyEnd.
        guard part.readableBytes > 0 else { return loop.makeSucceededVoidFuture() }
        guard let head = shared.withLock({ $0.state?.head }) else { return loop.makeSucceededVoidFuture() }
        let decodes = head.decoder != nil
        switch head.body {
        case .none: return loop.makeSucceededVoidFuture()
        case .collected where !decodes:
            part.withUnsafeReadableBytes { collect($0, task) }
            return loop.makeSucceededVoidFuture()
        case .collected, .streamed:
            let promise = loop.makePromise(of: Void.self)
            let isOver = shared.withLock { shared in
                guard let state = shared.state else { return true }
                state.taken = promise
                if decodes { state.coded = part }
                return false
            }
            if isOver {
                promise.succeed(())
            } else {
                if !decodes { write(part.withUnsafeReadableBytes { Data($0) }) }
                proceed(task)
            }
            return promise.futureResult
        }
    }

    func didReceiveError(task: AsyncHTTPClient::HTTPClient.Task<Void>, _ error: any Error) {
        let unprocessed = error as? UnprocessedRequest, error = unprocessed?.cause ?? error
        if unprocessed != nil { shared.withLock { $0.isUnprocessed = true } }
        guard let ended = end() else { return }
        let reason = ExchangeFailure(cause: error, headIsComplete: ended.head != nil, headLimit: terms.limits.headBytes).error
        if let pipe = ended.pipe { return pipe.end(.failure(reason)) }
        ended.waiter?.resume(returning: .failure(reason))
    }

    func didFinishRequest(task: AsyncHTTPClient::HTTPClient.Task<Void>) throws {
        guard let ended = end() else { return }
        var failure: HTTPError?
        do throws(ContentDecoder.Fault) { try ended.head?.decoder?.finish() } catch { failure = error.error }
        if let pipe = ended.pipe { return pipe.end(failure.map { .failure($0) } ?? .success(())) }
        finish(ended, failure)
    }

    // MARK: The body

    /// The number of bytes that are reserved at most because a server announced them.
    private static let maxReserved = 1 << 20
    /// The bytes that one turn may receive and produce while it decodes. Only the first turn for received bytes is on the event loop.
    private static let workPerTurn = 128 * 1024

    private func finish(_ ended: State, _ failure: HTTPError?) {
        guard let waiter = ended.waiter else { return }
        if let failure { return waiter.resume(returning: .failure(failure)) }
        guard let head = ended.head else {
            let context = ErrorContext(stage: .exchange)
            return waiter.resume(returning: .failure(.networkError(NetworkFailure(.connectionLost, context: context))))
        }
        var response = head.response(HTTPBody(ended.body))
        response.metadata.timings = ResponseMetadata.Timings(firstByte: ended.firstByte, total: ContinuousClock.now - began)
        waiter.resume(returning: .success(response))
    }

    /// Fails a response that breaks a rule.
    private func fail(_ error: HTTPError, _ task: AsyncHTTPClient::HTTPClient.Task<Void>) {
        guard let ended = end(early: error) else { return }
        if let pipe = ended.pipe { pipe.end(.failure(error)) }
        ended.waiter?.resume(returning: .failure(error))
        task.cancel()
    }

    private enum Fit { case stored, cut, tooLarge }

    /// Stores decoded bytes of a body that is collected.
    private func collect(_ bytes: UnsafeRawBufferPointer, _ task: AsyncHTTPClient::HTTPClient.Task<Void>) {
        let fit = shared.withLock { shared -> Fit in
            guard let state = shared.state, case .collected(_, let cut)? = state.head?.body else { return .stored }
            if let cut, state.body.count + bytes.count > cut { return .cut }
            guard bytes.count <= terms.limits.bodyBytes - state.body.count else { return .tooLarge }
            state.body.append(contentsOf: bytes)
            return .stored
        }
        switch fit {
        case .stored: return
        case .cut:
            guard let ended = end() else { return }
            finish(ended, nil)
            task.cancel()
        case .tooLarge:
            fail(.responseTooLarge(SizeLimitFailure(.body, limit: terms.limits.bodyBytes, context: ErrorContext(stage: .body))), task)
        }
    }

    /// Passes decoded bytes on to the reader of the body.
    private func write(_ bytes: Data) {
        guard !bytes.isEmpty, let pipe = shared.withLock({ $0.state?.pipe }) else { return }
        if case .awaited = pipe.write(bytes, limit: .max) { pipe.flush() }
    }

    private func makePipe(_ task: AsyncHTTPClient::HTTPClient.Task<Void>) -> BodyPipe {
        BodyPipe(capacity: bufferSize) { [weak self, weak task] demand in
            switch demand {
            case .resume:
                guard let task else { return }
                task.eventLoop.execute { self?.proceed(task) }
            case .cancel: self?.stop(.cancelled(ErrorContext(stage: .body)))
            }
        }
    }

    /// Decodes the bytes that wait, as far as the reader has room, and then asks for more.
    private func proceed(_ task: AsyncHTTPClient::HTTPClient.Task<Void>) {
        let begins = shared.withLock { shared in
            guard let state = shared.state else { return false }
            return !exchange(&state.isDecoding, with: true)
        }
        if begins { takeTurn(task) }
    }

    /// Decodes for one turn. There is one at a time.
    private func takeTurn(_ task: AsyncHTTPClient::HTTPClient.Task<Void>) {
        let pipe = shared.withLock { $0.state?.pipe }
        if let pipe, pipe.room() == 0 {
            shared.withLock { $0.state?.isDecoding = false }
            // The pipe resumes the exchange when its reader has made room, which may have happened just now.
            if pipe.room() > 0 { proceed(task) }
            return
        }
        do throws(ContentDecoder.Fault) {
            let (bytes, isDone) = try decodeTurn()
            if !bytes.isEmpty {
                if terms.isStreamed { write(bytes) } else { bytes.withUnsafeBytes { collect($0, task) } }
            }
            guard isDone else {
                // An event loop runs its waiting tasks before it looks at its connections again.
                Task { self.takeTurn(task) }
                return
            }
        } catch { return fail(error.error, task) }
        shared.withLock { shared in
            shared.state?.isDecoding = false
            return shared.state?.taken.take()
        }?.succeed(())
    }

    /// Decodes a limited number of bytes. Returns them, and whether all bytes that wait were decoded.
    private func decodeTurn() throws(ContentDecoder.Fault) -> (Data, isDone: Bool) {
        let turn = shared.withLock { shared -> Result<(Data, isDone: Bool), ContentDecoder.Fault> in
            guard let state = shared.state, let decoder = state.head?.decoder else { return .success((Data(), true)) }
            var work = Exchange.workPerTurn
            var result: Result<(Data, isDone: Bool), ContentDecoder.Fault> = .success((Data(), true))
            state.coded.readWithUnsafeReadableBytes { bytes in
                var input = bytes
                result = Exchange.decode(&input, with: decoder, &work)
                return bytes.count - input.count
            }
            return result
        }
        return try turn.get()
    }

    private static func decode(
        _ input: inout UnsafeRawBufferPointer, with decoder: ContentDecoder, _ work: inout Int
    ) -> Result<(Data, isDone: Bool), ContentDecoder.Fault> {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: workPerTurn, alignment: 1)
        defer { room.deallocate() }
        var count = 0
        do throws(ContentDecoder.Fault) {
            while count < room.count, work > 0 {
                let made = try decoder.read(from: &input, into: UnsafeMutableRawBufferPointer(rebasing: room[count...]), work: &work)
                if made == 0, work > 0 { break }
                count += made
            }
        } catch { return .failure(error) }
        let isDone = work > 0 && count < room.count
        return .success((Data(UnsafeRawBufferPointer(rebasing: room[..<count])), isDone))
    }
}
#endif
