#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import NIOCore
internal import NIOHTTP1

extension OutgoingRequest.Body {
    /// Returns the body as async-http-client sends it, or nil if there is none.
    ///
    /// - Parameters:
    ///   - group: The event loops of the client.
    ///   - exchange: Ends the reading of the body when it ends.
    func body(on group: any EventLoopGroup, for exchange: Exchange) -> AsyncHTTPClient::HTTPClient.Body? {
        switch self {
        case .none: nil
        case .bytes(let data): .bytes(data)
        case .chunks(let body, let length):
            .stream(contentLength: length) { writer in
                let upload = RequestUpload(body, to: writer, on: exchange.loop ?? group.any())
                exchange.prepare(with: upload)
                return upload.end
            }
        }
    }
}

/// The sending of a body in chunks, each when the connection has taken the one before.
///
/// The future of a write would not be enough: async-http-client never completes it if the exchange ends meanwhile.
final class RequestUpload: Sendable {
    private struct State {
        /// Reads the body. Nil when the body has ended or is not sent further.
        var reading: Task<Void, Never>?
        /// Set when the connection has taken the chunk that was written last (true), or won't (false).
        var isTaken: OneShot<Bool>?
    }

    private let writer: AsyncHTTPClient::HTTPClient.Body.StreamWriter
    private let sent: EventLoopPromise<Void>
    private let state = Locked(State())

    /// Begins to send a body. Call this on `loop`, the one of the exchange.
    init(_ body: HTTPBody, to writer: AsyncHTTPClient::HTTPClient.Body.StreamWriter, on loop: any EventLoop) {
        self.writer = writer
        sent = loop.makePromise(of: Void.self)
        let reading = Task { await self.send(body) }
        state.withLock { $0.reading = reading }
    }

    /// Completed when the connection has taken the whole body, when the body has failed, and otherwise by ``cancel()``.
    var end: EventLoopFuture<Void> { sent.futureResult }

    /// Notes that the connection has taken the chunk that was written last.
    func chunkWasTaken() { state.withLock { $0.isTaken.take() }?.set(true) }

    /// Ends the reading of the body, while async-http-client waits for more: it takes the end of the body for that of the exchange.
    func stop() {
        let before = state.withLock { exchange(&$0, with: State()) }
        before.reading?.cancel()
        before.isTaken?.set(false)
    }

    /// Ends the sending.
    func cancel() {
        stop()
        sent.fail(CancellationError())
    }

    private func send(_ body: HTTPBody) async {
        var result = Result<Void, any Error>.success(())
        do {
            var chunks = PromisedChunks(body)
            while let chunk = try await chunks.next() {
                // An empty chunk would end a chunked body.
                if !chunk.isEmpty, await !write(ByteBuffer(bytes: chunk)) { return }
            }
        } catch { result = .failure(error) }
        sent.futureResult.eventLoop.execute { [result] in
            if self.state.withLock({ $0.reading.take() }) != nil { self.sent.completeWith(result) }
        }
    }

    /// Writes a chunk. Returns true when the connection has taken it, and false if it won't.
    private func write(_ chunk: ByteBuffer) async -> Bool {
        let isTaken = OneShot<Bool>()
        // On the loop, where a response may have stopped the sending.
        sent.futureResult.eventLoop.execute {
            let goesOn = self.state.withLock { state in
                if state.reading != nil { state.isTaken = isTaken }
                return state.reading != nil
            }
            guard goesOn else {
                isTaken.set(false)
                return
            }
            let room = self.writer.write(.byteBuffer(chunk))
            // A debug build of NIO ends the process if the future is released before it is completed.
            assert(
                {
                    room.whenComplete { _ in withExtendedLifetime(room) {} }
                    return true
                }())
        }
        return await isTaken.value()
    }
}

/// Passes on the end of a response that arrives before the end of its request when async-http-client can handle it.
///
/// - From status 300 on, async-http-client stops sending, and then waits for the end of the body for ever, unless bytes come with the end
///   of the response: an empty part does. Over HTTP/2 it leaves the stream open.
/// - Other responses can end while the request is incomplete, and their connection is neither used nor closed any more: they end with the
///   body, unless the server closes the connection.
final class EarlyEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Adds a handler behind the one that makes parts of a response.
    static func add<Decoder: ChannelHandler>(to channel: any Channel, after decoder: Decoder.Type) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(EarlyEnd(), position: .after(pipeline.handler(type: decoder)))
    }

    private var isSending = false
    private var isRefusal = false
    private var closes = false
    /// The end of a response that waits for the end of its request, or for that of the connection.
    private var held: NIOAny?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part { isSending = true }
        context.write(data, promise: promise)
        guard case .end = part else { return }
        isSending = false
        // Later, because the request's handler has not finished with its own end.
        if held != nil { context.eventLoop.assumeIsolated().execute { self.passOn(context) } }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Most responses begin when their request has ended.
        guard isSending else { return context.fireChannelRead(data) }
        switch unwrapInboundIn(data) {
        case .head(let head): (isRefusal, closes) = (head.status.code >= 300, !head.isKeepAlive)
        case .body: break
        case .end:
            held = data
            if isRefusal || closes { passOn(context) }
            if isRefusal { context.close(promise: nil) }
            return
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passOn(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passOn(context)
        context.fireErrorCaught(error)
    }

    private func passOn(_ context: ChannelHandlerContext) {
        guard let end = held.take() else { return }
        context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
        context.fireChannelRead(end)
    }
}
#endif
