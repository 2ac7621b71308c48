internal import MartletEssentials
internal import MartletSystem

/// A connection: reads requests and responds to them in sequence. Only the server's thread uses it.
final class ServerConnection {
    private enum Phase: Equatable {
        case open
        /// Everything is written. Further bytes of the client are discarded until it ends or `until` has passed. Closing a connection with
        /// unread bytes resets it, and the client could lose the response.
        case lingering(until: ContinuousClock.Instant)
        case closed
    }

    let number: Int
    private let link: ServerLink
    private let control: ServerControl
    private var parser: RequestParser
    private var arrivals: ArrivalLog
    private var phase = Phase.open
    private var hasClientEnded = false
    /// When the connection last began to wait for a request or for its server, or passed on bytes. Reading does not count, so that a
    /// request whose bytes arrive slowly is one wait.
    private var turn: ContinuousClock.Instant

    /// The head of the request that is being received.
    private var head = RequestHead()
    private var headTiming = (firstByte: Duration.zero, head: Duration.zero)
    private var body = Data()
    /// The last complete request.
    private var current: RecordedRequest?

    /// The reply that is being sent, or nil while a request is awaited.
    private var reply: ReplyInProgress?
    /// Whether the request's body is sent back while it is received.
    private var isEchoing = false
    private var output = ServerOutput()
    /// The script of the WebSocket that the connection has become, with its record for the test.
    private var webSocket: (player: WebSocketPlayer, record: ServerWebSocket)?

    init(link: ServerLink, number: Int, control: ServerControl) {
        self.link = link
        self.number = number
        self.control = control
        turn = control.options.time.instant
        arrivals = ArrivalLog(start: control.started, time: control.options.time)
        parser = RequestParser(headLimit: control.options.headBytes, bodyLimit: control.options.bodyBytes)
    }

    var descriptor: Int32 { link.descriptor }
    var isClosed: Bool { phase == .closed }
    var isLingering: Bool { if case .lingering = phase { true } else { false } }

    /// Since when the client has to send a request or to read, or nil while it waits for the server.
    var clientsTurn: ContinuousClock.Instant? { reply == nil || !output.isEmpty || link.hasPending ? turn : nil }

    private var unread: Int { webSocket?.player.unread ?? parser.unread }

    /// The events to poll for.
    var interest: Int16 {
        var events: Int32 = 0
        // While a response is being sent, the server reads no more than pipelined requests may need.
        if !hasClientEnded, isLingering || (unread < 256 * 1024 && webSocket?.player.isReading ?? true) { events |= Int32(POLLIN) }
        if !output.isEmpty || link.hasPending { events |= Int32(POLLOUT) }
        return Int16(events)
    }

    // MARK: Events

    func serve(_ events: Int16, buffer: UnsafeMutableRawBufferPointer) {
        let canRead = Int32(events) & Int32(POLLIN) != 0
        if Int32(events) & Int32(POLLERR | POLLNVAL) != 0 || (!canRead && Int32(events) & Int32(POLLHUP) != 0) {
            // Bytes that the client sent before it disconnected may contain the reason.
            if canRead, link.isShakingHands { read(buffer) }
            return lose("the connection broke")
        }
        if canRead { read(buffer) }
        if link.hasPending { _ = flush() }
        proceed()
    }

    func receive(_ message: ServerControl.Message) {
        guard phase == .open, reply != nil else { return message.drop() }
        noteTurn()
        switch message {
        case .reply(let answer): begin(answer)
        case .resume where webSocket != nil: webSocket?.player.resume()
        case .resume: reply?.isWaiting = false
        case .play(let steps): webSocket?.player.add(steps)
        case .piece(let piece, let written): writePiece(piece, written: written)
        case .bodyEnd: endBody()
        case .bodyFailure: shut()
        }
        proceed()
    }

    func endLingeringWhenDue() {
        if case .lingering(let until) = phase, until <= .now { shut() }
    }

    private func noteTurn() { if control.options.limits != nil { turn = control.options.time.instant } }

    /// Closes the connection immediately and ends all work for it.
    func shut(isReset: Bool = false) {
        guard phase != .closed else { return }
        phase = .closed
        link.shut(isReset: isReset)
        reply?.task?.cancel()
        reply = nil
        output.drop()
        endWebSocket()
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) {
        let arrival = link.receive(buffer) { bytes in
            guard phase == .open else { return }
            if webSocket != nil {
                webSocket?.player.receive(Data(bytes))
                return
            }
            arrivals.note(bytes.count)
            parser.append(bytes)
        }
        switch arrival {
        case .open: break
        case .ended: clientEnded()
        case .failed(let reason): lose(reason)
        }
    }

    /// Closes a connection that the client or invalid data has ended.
    private func lose(_ reason: String) {
        if phase == .open, link.isShakingHands {
            control.failedHandshakes.append((connection: number, reason: reason))
        }
        shut()
    }

    private func clientEnded() {
        hasClientEnded = true
        guard !link.isShakingHands else { return lose("the client disconnected before the handshake was complete") }
        // The client no longer waits for a response. If one is being written, writing continues, and the kernel reports the lost
        // connection.
        if isLingering || reply == nil || reply?.isWaiting == true { shut() }
    }

    /// Proceeds until it has to wait for bytes of the client, space for the server's bytes, or a task.
    private func proceed() {
        while phase == .open {
            guard flush() else { return }
            if webSocket != nil {
                guard playWebSocket() else { return }
                continue
            }
            guard let waits = reply?.isWaiting else {
                guard readRequest() else { return }
                continue
            }
            if waits { return }
            takeStep()
        }
    }

    // MARK: Requests

    /// Reads the next part of a request. Returns false if more bytes are needed.
    private func readRequest() -> Bool {
        switch parser.next() {
        case nil:
            if hasClientEnded { shut() }
            return false
        case .head(let head): begin(head)
        case .body(let bytes):
            bytes.withUnsafeBufferPointer { body.append($0) }
            if isEchoing { output.append(ReplyHead.chunk(Data(bytes))) }
        case .end(let trailers): isEchoing ? endEcho(record(trailers: trailers)) : answer(record(trailers: trailers))
        case .refused(let refusal): refuse(refusal)
        }
        return true
    }

    private func begin(_ head: RequestHead) {
        self.head = head
        headTiming = arrivals.takeHead(of: head.received.count, unread: parser.unread)
        body = Data()
        if head.framing != .none, let early = control.script.replyBeforeBody(to: { self.request(trailers: [:]) }) {
            if early.isEcho { return beginEcho(early) }
            _ = record(trailers: [:])
            reply = ReplyInProgress(ReplyPlan(early, method: head.method, version: head.version, keepsAlive: false))
            return
        }
        // A client that has begun to send the body needs no 100.
        if head.expectsContinue, parser.unread == 0 { output.append(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        if case .length(let length) = head.framing { body.reserveCapacity(min(length, 1 << 20)) }
    }

    /// Sends the head of a reply and its content. The request's body is sent back while it is read.
    private func beginEcho(_ reply: MockReply) {
        isEchoing = true
        output.append(ReplyHead.bytes(of: reply, framing: .chunked, version: head.version, closes: !head.keepsAlive))
        if let content = reply.wholeContent, !content.isEmpty { output.append(ReplyHead.chunk(content)) }
    }

    private func endEcho(_ request: RecordedRequest) {
        isEchoing = false
        reply = ReplyInProgress(ReplyPlan(ending: ReplyHead.lastChunk(request.trailers), closes: !head.keepsAlive))
    }

    private func request(trailers: HTTPFields) -> RecordedRequest {
        let timing = (firstByte: headTiming.firstByte, head: headTiming.head, body: arrivals.lastTaken(unread: parser.unread))
        return RecordedRequest(
            head: head, body: body, trailers: trailers, connection: number, timing: timing, clientCertificate: link.clientCertificate)
    }

    private func record(trailers: HTTPFields) -> RecordedRequest {
        let request = request(trailers: trailers)
        current = request
        body = Data()
        control.record(request)
        return request
    }

    private func answer(_ request: RecordedRequest) {
        switch control.script.answer(to: request) {
        case .reply(let reply): begin(reply)
        case .none(let report):
            control.recordUnexpected(request)
            begin(.serverError(report))
        case .handler(let handler):
            reply = ReplyInProgress()
            reply?.task = control.run { [control, number] in
                do { control.post(.reply(try await handler()), to: number) } catch {
                    control.post(.reply(.serverError("the handler threw \(error)")), to: number)
                }
            }
        }
    }

    private func refuse(_ refusal: RequestRefusal) {
        reply = ReplyInProgress(ReplyPlan(.serverError(refusal.words, status: refusal.status), keepsAlive: false))
    }

    // MARK: Replies

    private func begin(_ answer: MockReply) {
        var answer = control.script.faulted(answer)
        if case .webSocket(let script) = answer.kind {
            answer = script.accepting(answer, method: head.method, headers: head.fields)
        }
        reply = ReplyInProgress(ReplyPlan(answer, method: head.method, version: head.version, keepsAlive: head.keepsAlive))
    }

    private func takeStep() {
        guard let step = reply?.nextStep() else { return endReply() }
        switch step {
        case .write(let bytes), .drip(let bytes, _): output.append(bytes)
        case .breakOff(let isReset): shut(isReset: isReset)
        case .hold: reply?.isWaiting = true
        case .webSocket(let script, let head, let cut): beginWebSocket(script, head: head, cut: cut)
        case .wait(let duration): sleep(duration)
        case .stream(let step):
            reply?.stream = StreamInProgress(step)
            wait { [control, number] in await BodyPump(step: step, control: control, connection: number).run() }
        }
    }

    private func sleep(_ duration: Duration) {
        wait { [control, number] in
            do { try await control.options.time.sleep(for: duration) } catch { return }
            control.post(.resume, to: number)
        }
    }

    private func wait(for operation: @escaping @Sendable () async -> Void) {
        reply?.isWaiting = true
        reply?.task = control.run(operation)
    }

    private func endReply() {
        let closes = reply?.closes ?? true
        reply = nil
        noteTurn()
        if closes { endSending() }
    }

    private func endSending() {
        guard !hasClientEnded else { return shut() }
        link.endSending()
        phase = .lingering(until: .now + .seconds(2))
    }

    private func writePiece(_ piece: Data, written: OneShot<Bool>) {
        guard var stream = reply?.stream else {
            written.set(false)
            return
        }
        output.append(stream.wire(piece), written: written)
        reply?.stream = stream
        guard stream.isCut else { return }
        // Once these bytes are written, the next step of the plan breaks the connection.
        reply?.isWaiting = false
    }

    private func endBody() {
        guard let stream = reply?.stream else { return }
        output.append(stream.ending)
        reply?.stream = nil
        reply?.isWaiting = false
    }

    // MARK: WebSockets

    private func beginWebSocket(_ script: WebSocketScript, head: Data, cut: MockReply.Disconnect?) {
        guard let current else { return shut() }
        reply?.isWaiting = true
        let record = ServerWebSocket(request: current, agreement: script.agreement) { [control, number] in
            control.post(.play($0), to: number)
        }
        var player = script.player(messageBytes: control.options.bodyBytes, cut: cut)
        player.receive(Data(parser.takeUnread()))
        webSocket = (player, record)
        // Before the client can know of it.
        if control.options.keepsRequests { control.webSockets.append(record) }
        output.append(head)
    }

    /// Performs the next action of the script. Returns false if it has to wait.
    private func playWebSocket() -> Bool {
        let action = webSocket?.player.next()
        recordWebSocket()
        switch action {
        case nil: return false
        case .write(let bytes): output.append(bytes)
        case .breakOff(let isReset): shut(isReset: isReset)
        case .wait(let duration): sleep(duration)
        case .end:
            endWebSocket()
            reply = nil
            endSending()
        }
        return true
    }

    /// Passes what has happened to the test.
    private func recordWebSocket() {
        guard let notes = webSocket?.player.takeNotes(), control.options.keepsRequests else { return }
        for note in notes { webSocket?.record.record(note) }
    }

    /// Ends the script after all bytes of the client.
    private func endWebSocket() {
        guard webSocket != nil else { return }
        webSocket?.player.clientEnded()
        recordWebSocket()
        webSocket?.record.recordEnd()
        webSocket = nil
    }

    /// Passes the output to the kernel. Returns false if it did not accept everything.
    private func flush() -> Bool {
        let before = control.options.limits == nil ? 0 : control.written.count
        switch output.flush(to: link, count: control.written) {
        case .all: return true
        case .some:
            if control.options.limits != nil, control.written.count != before { noteTurn() }
            return false
        case .failed:
            lose("the connection broke")
            return false
        }
    }
}

/// Records when the bytes of a connection arrived, because pipelined requests are read later.
struct ArrivalLog {
    /// A position in the received bytes and its time of arrival.
    private struct Mark {
        let end: Int
        let moment: Duration
    }

    private let start: ContinuousClock.Instant
    private let time: any TimeSource
    private var marks: ArraySlice<Mark> = []
    private var received = 0
    private var last = Duration.zero

    init(start: ContinuousClock.Instant, time: any TimeSource) {
        self.start = start
        self.time = time
    }

    /// Records that this number of bytes has arrived now.
    mutating func note(_ count: Int) {
        received += count
        marks.append(Mark(end: received, moment: time.instant - start))
    }

    /// Returns when the first and the last byte of a head that was just read arrived. `unread` bytes arrived after it.
    mutating func takeHead(of count: Int, unread: Int) -> (firstByte: Duration, head: Duration) {
        let end = received - unread
        return (moment(of: end - count), moment(of: end - 1))
    }

    /// Returns when the last byte that was read arrived. `unread` bytes arrived after it.
    mutating func lastTaken(unread: Int) -> Duration { moment(of: received - unread - 1) }

    /// Returns when the byte at a position arrived. Marks of earlier bytes are removed.
    private mutating func moment(of place: Int) -> Duration {
        while let first = marks.first, first.end <= place {
            last = first.moment
            marks.removeFirst()
        }
        return marks.first?.moment ?? last
    }
}
