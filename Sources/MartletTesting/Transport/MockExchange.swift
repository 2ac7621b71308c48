internal import MartletEssentials
internal import MartletSystem

/// Converts a reply to the result of a transport: a response, or the error of a broken connection.
struct MockExchange {
    var reply: MockReply
    let request: HTTPRequest
    let time: any TimeSource
    /// The list to which an accepted WebSocket is added.
    var webSockets = Recorder<ServerWebSocket>()

    func response() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await wait(reply.delays.head)
        switch reply.kind {
        case .failure(let error): throw error
        case .raw: throw .invalidRequest("MockReply.raw requires a MockServer: a MockTransport has no socket for its bytes")
        case .webSocket(let script): return try await accept(script)
        case .silence: throw await cancellation()
        case .response: break
        }
        if let disconnect = reply.disconnect, disconnect.cutsHead { throw disconnect.error }
        try checkHead()
        var response = HTTPResponse(status: reply.status, headers: reply.headers, body: HTTPBody.empty)
        response.metadata.request = request
        guard request.method != .head, !reply.status.forbidsContent else { return response }
        if request.context.streamsBody {
            response.body = try body()
        } else {
            response.body = try await buffered()
            response.metadata.trailers = reply.trailers
        }
        return response
    }

    /// Accepts a WebSocket, whose script is played in memory, or refuses a request that is no handshake.
    private func accept(_ script: WebSocketScript) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if let disconnect = reply.disconnect, disconnect.cutsHead { throw disconnect.error }
        var exchange = self
        exchange.reply = script.accepting(reply, method: request.method, headers: request.headers)
        guard case .webSocket(let accepted) = exchange.reply.kind else { return try await exchange.response() }
        guard let upgrade = request.context.upgrade else {
            throw .invalidRequest("MockReply.webSocket is for `webSocket(_:)` of a client, which takes the connection")
        }
        try exchange.checkHead()
        let (connection, server) = ScriptedConnection.open(
            accepted, cut: reply.disconnect, for: request, number: webSockets.count + 1, time: time)
        webSockets.append(server)
        upgrade.complete(with: .bytes(connection))
        var response = HTTPResponse(status: exchange.reply.status, headers: exchange.reply.headers, body: HTTPBody.empty)
        response.metadata.request = request
        return response
    }

    private func checkHead() throws(HTTPError) {
        let limit = request.context.limits.headBytes
        var size = 0
        reply.headers.forEachLineOfBytes { size += $0.count + $1.count + 4 }
        guard size <= limit else { throw .responseTooLarge(SizeLimitFailure(.head, limit: limit)) }
        let count = request.context.limits.fieldCount
        guard reply.headers.count <= count else { throw .responseTooLarge(SizeLimitFailure(.fields, limit: count)) }
    }

    private func body() throws(HTTPError) -> HTTPBody {
        switch reply.content {
        case .data(let data): HTTPBody(reader: pieces(PieceList(data.isEmpty ? [] : [data])), length: Int64(data.count))
        case .pieces(let pieces): HTTPBody(reader: self.pieces(PieceList(pieces)))
        case .stream(let make): HTTPBody(reader: pieces(try make().reader()))
        }
    }

    private func pieces(_ source: any HTTPBodyReader) -> PieceReader { PieceReader(source, reply: reply, time: time) }

    private func buffered() async throws(HTTPError) -> HTTPBody {
        let limit = request.context.limits.bodyBytes
        if case .data(let data) = reply.content, data.count <= limit, reply.disconnect == nil, reply.delays.body == .zero {
            return HTTPBody(data)
        }
        return HTTPBody(try await body().collect(upTo: limit))
    }

    private func wait(_ duration: Duration) async throws(HTTPError) {
        guard duration > .zero else { return }
        do { try await time.sleep(for: duration) } catch { throw .cancelled(ErrorContext(stage: .exchange, underlying: error)) }
    }

    /// Waits for the cancellation of the task and returns its error.
    private func cancellation() async -> HTTPError {
        do { try await Tally().wait { _ in false } } catch { return .cancelled(ErrorContext(stage: .exchange, underlying: error)) }
        return .cancelled
    }
}

extension MockReply.Disconnect {
    /// Whether the disconnection comes before the end of the head.
    var cutsHead: Bool { if case .withinBody = moment { false } else { true } }

    /// The error that a transport throws for the disconnection.
    var error: HTTPError {
        let context = ErrorContext(stage: cutsHead ? .exchange : .body)
        return .networkError(NetworkFailure(.connectionLost, "the mock reply breaks the connection", context: context))
    }
}

/// Returns the chunks of a reader with the delays, the disconnection and the end that a reply specifies.
final class PieceReader: HTTPBodyReader {
    private let source: any HTTPBodyReader
    private let pieces: ClosureBodyReader

    init(_ source: any HTTPBodyReader, reply: MockReply, time: any TimeSource) {
        self.source = source
        let wait = Locked(reply.delays.body)
        let (ending, delay) = (reply.disconnect?.error, reply.delays.piece)
        // The number of bytes before the disconnection, or nil for all.
        let left = Locked(reply.disconnect?.bodyBytes)
        pieces = ClosureBodyReader {
            let duration = wait.withLock { wait in
                defer { wait = delay }
                return wait
            }
            if duration > .zero { try await time.sleep(for: duration) }
            let chunk = try await source.next()
            let piece = left.withLock { left -> Data? in
                guard let allowed = left, let whole = chunk else { return chunk }
                left = allowed - min(allowed, whole.count)
                return allowed == 0 ? nil : Data(whole.prefix(allowed))
            }
            if piece == nil, let ending { throw ending }
            return piece
        }
    }

    /// The chunks come from a task of their own, so that ``cancel(_:)`` ends the wait whatever the source does.
    func next() async throws(HTTPError) -> Data? { try await pieces.next() }

    func cancel(_ reason: HTTPError) {
        pieces.cancel(reason)
        source.cancel(reason)
    }
}

/// A reader of chunks in memory.
final class PieceList: HTTPBodyReader {
    private let rest: Locked<ArraySlice<Data>>

    init(_ pieces: [Data]) { rest = Locked(pieces[...]) }

    func next() async throws(HTTPError) -> Data? { rest.withLock { $0.popFirst() } }

    func cancel(_ reason: HTTPError) { rest.withLock { $0 = [] } }
}
