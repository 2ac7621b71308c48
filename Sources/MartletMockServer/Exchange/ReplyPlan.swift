internal import MartletEssentials

/// The steps of a connection that send one reply. Computed here, performed by the connection.
struct ReplyPlan {
    enum Step {
        /// Passes all these bytes to the socket before the next step.
        case write(Data)
        case wait(Duration)
        /// Passes these bytes on in parts.
        case drip(Data, MockReply.Drip)
        /// Passes on a body that is created while it is sent, with a wait before each piece except the first.
        case stream(StreamStep)
        /// Passes on the head of the response, and then plays the script of a WebSocket.
        case webSocket(WebSocketScript, head: Data, cut: MockReply.Disconnect?)
        /// Does nothing until the client disconnects.
        case hold
        /// Ends the connection immediately.
        case breakOff(isReset: Bool)
    }

    struct StreamStep: Sendable {
        let make: @Sendable () -> HTTPBody
        let isChunked: Bool
        let pieceDelay: Duration
        /// The bytes after the last piece.
        let ending: Data
        /// The number of bytes after which the plan proceeds to break the connection, or nil to send everything.
        let cutAfter: Int?
        let stall: MockReply.Stall?
        let drip: MockReply.Drip?
    }

    private(set) var steps: [Step] = []
    /// Whether the connection is closed afterwards.
    private(set) var closes: Bool

    /// Computes the steps for a reply to a request with this method and version.
    init(_ reply: MockReply, method: HTTPMethod = .get, version: HTTPVersion = .http11, keepsAlive: Bool = true) {
        closes = !keepsAlive
        switch reply.kind {
        case .failure(let error):
            plan(.serverError("MockReply.failure is for MockTransport: \(error)"), method: method, version: version)
        case .silence: steps = [.hold]
        case .raw(let bytes):
            wait(reply.delays.head)
            steps.append(.write(bytes))
            closes = true
        case .webSocket(let script): plan(script, of: reply)
        case .response: plan(reply, method: method, version: version)
        }
        if let drip = reply.drip {
            steps = steps.map { step in if case .write(let bytes) = step { .drip(bytes, drip) } else { step } }
        }
    }

    /// Computes the steps for the end of a reply whose other bytes are written already.
    init(ending: Data, closes: Bool) {
        steps = [.write(ending)]
        self.closes = closes
    }

    /// Computes the steps for a WebSocket that the server accepts.
    private mutating func plan(_ script: WebSocketScript, of reply: MockReply) {
        wait(reply.delays.head)
        let head = ReplyHead.bytes(of: reply, framing: .noContent, version: .http11, closes: false)
        guard case .withinHead(let count) = reply.disconnect?.moment else {
            return steps.append(.webSocket(script, head: head, cut: reply.disconnect))
        }
        if count > 0 { steps.append(.write(Data(head.prefix(count)))) }
        steps.append(.breakOff(isReset: reply.disconnect?.isReset ?? false))
    }

    private mutating func plan(_ reply: MockReply, method: HTTPMethod, version: HTTPVersion) {
        if version == .http11 { for interim in reply.interims { steps.append(.write(ReplyHead.interim(interim))) } }
        wait(reply.delays.head)
        let framing = ReplyFraming(reply, method: method, version: version)
        closes =
            closes || reply.isClosing || framing == .untilClose || RequestHead.list(reply.headers[.connection] ?? "", contains: "close")
        let head = ReplyHead.bytes(of: reply, framing: framing, version: version, closes: closes)
        switch reply.disconnect?.moment {
        case .withinHead(let count): if count > 0 { steps.append(.write(Data(head.prefix(count)))) }
        case .withinBody, nil: planBody(of: reply, head: head, framing: framing)
        }
        if let disconnect = reply.disconnect { steps.append(.breakOff(isReset: disconnect.isReset)) }
        if let unsolicited = reply.unsolicited, !closes, reply.disconnect == nil {
            wait(unsolicited.wait)
            steps.append(.write(unsolicited.bytes))
        }
    }

    private mutating func planBody(of reply: MockReply, head: Data, framing: ReplyFraming) {
        if case .stream(let make) = reply.content, framing != .noContent {
            steps.append(.write(head))
            wait(reply.delays.body)
            let step = StreamStep(
                make: make, isChunked: framing.isChunked, pieceDelay: reply.delays.piece,
                ending: framing.isChunked ? ReplyHead.lastChunk(reply.trailers) : Data(), cutAfter: reply.disconnect?.bodyBytes,
                stall: reply.stall, drip: reply.drip)
            return steps.append(.stream(step))
        }
        var left = reply.disconnect?.bodyBytes ?? .max
        let (pieces, stalled) = framing.pieces(of: reply)
        let body = pieces.map { piece in
            defer { left -= min(left, piece.count) }
            return piece.count <= left ? piece : Data(piece.prefix(left))
        }
        // A small body in one piece is written together with the head: on a kept-alive connection, two writes would be two packets.
        guard case .data = reply.content, reply.delays.body == .zero, stalled == nil, body.reduce(0, { $0 + $1.count }) <= 64 * 1024 else {
            steps.append(.write(head))
            wait(reply.delays.body)
            return write(body, of: reply, stalled: stalled)
        }
        steps.append(.write(body.reduce(into: head) { $0.append($1) }))
    }

    private mutating func write(_ pieces: [Data], of reply: MockReply, stalled: Int?) {
        for (index, piece) in pieces.enumerated() where !piece.isEmpty {
            if index == stalled {
                guard let duration = reply.stall?.duration else { return steps.append(.hold) }
                wait(duration)
            } else if index > 0 {
                wait(reply.delays.piece)
            }
            steps.append(.write(piece))
        }
    }

    private mutating func wait(_ duration: Duration) {
        if duration > .zero { steps.append(.wait(duration)) }
    }
}

extension MockReply {
    /// Returns the server's own reply to a mistake of the test or the client. Faults do not apply to it.
    static func serverError(_ words: String, status: HTTPStatus = 500) -> MockReply {
        var reply = MockReply.text("MockServer: \(words)\n", status: status)
        reply.faults = FaultPlayer(.never)
        return reply
    }
}
