internal import CMartletEngine
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// A connection of HTTP/1.1, and the exchange that it carries.
///
/// The thread that has an exchange to begin writes its request. The engine's thread reads, and writes what could not be written at once.
final class WireConnection: @unchecked Sendable {
    // Proof: `idleSince` is accessed with the team's lock, and the other properties with the connection's own; `announcedTimeout` also
    // while the connection is in the pool, where nothing changes it. A thread that holds the connection's lock may take the team's, never
    // the other way round. The properties of the exchange are not checked for overlapping accesses, of which every call makes dozens (5,000
    // instructions): each access is a read, an assignment, or a method of a value that never reaches the connection.

    let socket: StreamSocket
    /// The poller of the engine, which reports events of the socket.
    private let poller: Int32
    let origin: String
    /// The engine whose thread reads.
    let engine: Int
    let address: IPAddress?
    /// The IP address of the server as text; nil for a Unix domain socket.
    let remoteAddress: String?
    let opened = ContinuousClock.now

    // MARK: The pool

    /// When the last exchange ended.
    var idleSince = ContinuousClock.now
    /// The timeout that the server announced last.
    var announcedTimeout: Duration?

    // MARK: The exchange

    private let lock = Locked(())
    @exclusivity(unchecked) private var exchange: WireExchange?
    /// The attempt to connect, until the connection is open.
    @exclusivity(unchecked) private var dial: Dial?
    @exclusivity(unchecked) private var isClosed = false
    @exclusivity(unchecked) private var hasServed = false
    @exclusivity(unchecked) private var head = ResponseHead()
    @exclusivity(unchecked) private var reader = ResponseReader()
    /// Whether the exchange is the last one on this connection.
    @exclusivity(unchecked) private var isLast = false
    /// Whether the server has closed its side.
    @exclusivity(unchecked) private var hasEnded = false
    /// Received bytes that could not be stored.
    @exclusivity(unchecked) private var held: [UInt8] = []
    @exclusivity(unchecked) private var writer = RequestWriter()
    /// Whether the system has refused to send, which the server's bytes explain.
    @exclusivity(unchecked) private var hasFailed = false
    /// Whether the response is complete, and the rest of the request is still being sent.
    @exclusivity(unchecked) private var isAnswered = false
    /// Whether the exchange waits for its turn. With two entries in the queue, each would add others.
    @exclusivity(unchecked) private var isQueued = false
    /// The exchange that was to be stopped before it began here, and the error.
    @exclusivity(unchecked) private var stopped: (exchange: WireExchange, error: HTTPError)?

    init(_ socket: StreamSocket, to origin: String, address: String, dial: Dial, poller: Int32) {
        self.socket = socket
        self.poller = poller
        self.origin = origin
        self.dial = dial
        engine = dial.exchange.engine
        remoteAddress = address.isEmpty ? nil : address
        self.address = IPAddress(address)
    }

    // MARK: The caller's side

    /// The result of beginning an exchange.
    enum Beginning {
        case begun
        /// The engine's thread must continue with ``resumeSending(_:permits:in:)``.
        case unfinished
        /// The exchange was stopped with this error, and has not begun.
        case stopped(HTTPError)
        /// The connection is closed, and has not taken the exchange.
        case unusable
    }

    /// Begins an exchange: writes its request, or as much as the system accepts.
    func begin(_ new: WireExchange) -> Beginning {
        lock.withLock { _ in
            if let stopped, stopped.exchange === new {
                self.stopped = nil
                return .stopped(stopped.error)
            }
            guard !isClosed else { return .unusable }
            // Bytes of the server would become the response (RFC 9112 §9.2).
            guard !hasServed || IdleInput(peekingAt: socket.descriptor).allowsRequest else {
                close()
                return .unusable
            }
            exchange = new
            new.remoteAddress = remoteAddress
            new.sending.begin(isOnKeptConnection: hasServed)
            (hasServed, hasFailed, isAnswered, isQueued) = (true, false, false, false)
            let limits = new.reception.terms.limits
            head.reset(limit: limits.headBytes, fieldLimit: limits.fieldCount, isHTTP1: true)
            reader.reset()
            let traits = writer.begin(new)
            isLast = traits.contains(.closesConnection)
            new.reception.begin(decodes: !traits.contains(.wantsRawBody), into: BodyBuffer(new.bodies))
            write(new)
            return isWaitingForEngine ? .unfinished : .begun
        }
    }

    /// Whether the engine's thread must act, although no event of the socket calls it.
    private var isWaitingForEngine: Bool {
        switch writer.progress {
        case .unfinished, .failed: true
        case .complete, .waiting, .full, .stalled: hasFailed
        }
    }

    // MARK: The engine's side

    /// What an event has led to.
    enum Outcome {
        case nothing
        /// The connection is open, or could not be opened: the value is an `errno` code, or 0.
        case dialed(Dial, Int32)
        /// The response has begun, or bytes have been stored.
        case progress(WireExchange, isAwaited: Bool)
        /// The exchange has left the connection, which can carry another one or is closed.
        case ended(WireExchange, Result<Void, HTTPError>, isReusable: Bool)
        /// The exchange has left the closed connection, and starts again.
        case startsAgain(WireExchange)
        /// The connection was idle, and is closed.
        case closed
    }

    /// Handles an event of the socket.
    func handle(canRead: Bool, canWrite: Bool, hasEnded ended: Bool, in round: WireRound) -> Outcome {
        lock.withLock { _ in
            guard !isClosed else { return .nothing }
            if ended { hasEnded = true }
            if let dial { return .dialed(dial, socket.connectionFailure()) }
            guard let exchange else {
                guard !IdleInput(peekingAt: socket.descriptor).allowsRequest else { return .nothing }
                close()
                return .closed
            }
            if canWrite, case .full = writer.progress, let outcome = continueWriting(exchange, round) { return outcome }
            return canRead || ended ? read(exchange, round) : .nothing
        }
    }

    /// Records that the connection is open.
    func connected() { lock.withLock { _ in dial = nil } }

    /// Continues to read: the reader of the body has made room.
    func resumeReceiving(_ current: WireExchange, in round: WireRound) -> Outcome {
        lock.withLock { _ in
            guard exchange === current, current.reception.readerMadeRoom() else { return .nothing }
            return read(current, round)
        }
    }

    /// Continues to send: the source of the body has more bytes, or the server's permission is not awaited any longer.
    func resumeSending(_ current: WireExchange, permits: Bool, in round: WireRound) -> Outcome {
        lock.withLock { _ in
            guard exchange === current else { return .nothing }
            if permits { current.sending.permit() }
            return continueWriting(current, round) ?? (hasFailed ? read(current, round) : .nothing)
        }
    }

    /// Continues an exchange that had used up its share of a round.
    func takeTurn(_ current: WireExchange, in round: WireRound) -> Outcome {
        lock.withLock { _ in
            guard exchange === current else { return .nothing }
            isQueued = false
            if case .unfinished = writer.progress, let outcome = continueWriting(current, round) { return outcome }
            guard case .untilTurn = current.reception.pause else { return .nothing }
            current.reception.beginTurn()
            return read(current, round)
        }
    }

    /// Closes the connection and takes its exchange away. Returns false if the exchange has not begun here: it will not.
    func abort(_ current: WireExchange, _ error: HTTPError) -> Bool {
        lock.withLock { _ in
            guard exchange === current else {
                stopped = (current, error)
                return false
            }
            exchange = nil
            close()
            return true
        }
    }

    /// Removes and returns the error with which the engine wanted to stop an exchange that did not begin here.
    func takeStop(of exchange: WireExchange) -> HTTPError? {
        lock.withLock { _ in
            guard let stopped, stopped.exchange === exchange else { return nil }
            self.stopped = nil
            return stopped.error
        }
    }

    /// Closes a connection that carries no exchange.
    func shut() { lock.withLock { _ in close() } }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        dial = nil
        held = []
        // A child program may hold a copy of the descriptor for a moment: the poller and the server must not wait for it.
        cengine_poller_forget(poller, socket.descriptor)
        _ = shutdown(socket.descriptor, Int32(SHUT_RDWR))
        socket.shut()
    }

    private func leave(_ exchange: WireExchange, _ result: Result<Void, HTTPError>, isReusable: Bool = false) -> Outcome {
        self.exchange = nil
        exchange.trailers = head.takeFields()
        if isReusable { writer.trim() } else { close() }
        return .ended(exchange, result, isReusable: isReusable)
    }

    // MARK: Writing

    private func write(_ exchange: WireExchange) {
        writer.write(&exchange.sending) { bytes in
            switch socket.send(bytes) {
            case .bytes(let count): return count
            case .wouldBlock: return 0
            case .failed:
                // What the server has sent before decides.
                hasFailed = true
                return 0
            }
        }
    }

    /// Writes on the engine's thread. Returns the outcome if the exchange has ended.
    private func continueWriting(_ exchange: WireExchange, _ round: WireRound) -> Outcome? {
        write(exchange)
        switch writer.progress {
        case .failed(let error): return leave(exchange, .failure(error))
        case .unfinished: queue(exchange, round)
        case .complete: if isAnswered { return complete(exchange) }
        case .stalled: if isAnswered, !exchange.sending.readsFile { return complete(exchange) }
        case .waiting, .full: break
        }
        return nil
    }

    // MARK: Reading

    /// Reads until no bytes are left, the response is complete, or its reader has no room.
    private func read(_ exchange: WireExchange, _ round: WireRound) -> Outcome {
        guard exchange.reception.pause == nil else { return .nothing }
        guard !isAnswered else { return readAfterResponse(exchange) }
        if !held.isEmpty {
            let bytes = held
            held = []
            if let outcome = bytes.withUnsafeBufferPointer({ feed($0, exchange, round) }) { return outcome }
        }
        var left = WireRound.perTurn
        while exchange.reception.pause == nil, !isAnswered {
            guard left > 0 else {
                exchange.reception.pause = .untilTurn
                queue(exchange, round)
                break
            }
            guard let buffer = round.buffer(forRoom: exchange.pipe?.room()) else {
                exchange.reception.pause = .untilRoom
                break
            }
            switch socket.receive(into: buffer) {
            case .bytes(0): return endOfConnection(exchange, 0)
            case .bytes(let count):
                left -= count
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
                if let outcome = feed(bytes, exchange, round) { return outcome }
                // The next bytes are announced by another event, but for the end of the connection that this one may have announced too.
                if count < buffer.count, !hasEnded { return progress(exchange) }
            case .wouldBlock: return hasFailed ? endOfConnection(exchange, EPIPE) : progress(exchange)
            case .failed(let code): return endOfConnection(exchange, code)
            }
        }
        return progress(exchange)
    }

    /// Looks at the connection while the rest of a request is sent whose response is complete.
    private func readAfterResponse(_ exchange: WireExchange) -> Outcome {
        guard hasFailed || !IdleInput(peekingAt: socket.descriptor).allowsRequest else { return .nothing }
        isLast = true
        return complete(exchange)
    }

    private func progress(_ exchange: WireExchange) -> Outcome {
        let isAwaited = reader.isAwaited
        reader.isAwaited = false
        return isAwaited || exchange.hasEarlyAnswer ? .progress(exchange, isAwaited: isAwaited) : .nothing
    }

    /// Reads received bytes. Returns the outcome if the exchange has ended.
    private func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ exchange: WireExchange, _ round: WireRound) -> Outcome? {
        if exchange.time.firstByte == nil { exchange.time.firstByte = .now }
        var rest = bytes[...]
        while true {
            switch reader.read(&rest, &head, &exchange.reception, into: exchange.pipe, within: &round.work, scratch: round.scratch) {
            case .more:
                guard head.hasContinue, !exchange.sending.mayBegin else { return nil }
                exchange.sending.permit()
                return continueWriting(exchange, round)
            case .head(let action):
                if let outcome = beginBody(exchange, round) { return outcome }
                if !exchange.perform(action) { return leave(exchange, .success(())) }
            case .paused(let pause):
                held = Array(rest)
                if pause == .untilTurn { queue(exchange, round) }
                return nil
            case .complete:
                if !rest.isEmpty { isLast = true }
                // libcurl does so too: the server may read the whole body, and expects it on a connection that stays open.
                guard isLast || hasEnded || hasFailed || !isSending(exchange) else {
                    isAnswered = true
                    return nil
                }
                return complete(exchange)
            case .over, .switched: return leave(exchange, .success(()))
            }
        }
    }

    /// Whether the rest of the request is to be sent although the response is complete. Not the rest of a stream that has no bytes now: its
    /// source may wait for the response.
    private func isSending(_ exchange: WireExchange) -> Bool {
        guard !exchange.sending.isAbandoned else { return false }
        return switch writer.progress {
        case .full, .unfinished: true
        case .stalled: exchange.sending.readsFile
        case .complete, .waiting, .failed: false
        }
    }

    private func queue(_ exchange: WireExchange, _ round: WireRound) {
        guard !isQueued else { return }
        isQueued = true
        round.turns.append(exchange)
    }

    /// Decides, with the final head, about the rest of the request and the connection. Returns the outcome if the exchange has ended.
    private func beginBody(_ exchange: WireExchange, _ round: WireRound) -> Outcome? {
        if !exchange.reception.keepsConnection { isLast = true }
        guard exchange.sending.upload != nil, !exchange.sending.isComplete else { return nil }
        // The server has refused the body, or responds without having asked for it.
        let isPermitted = exchange.sending.mayBegin || head.hasContinue
        if exchange.reception.status.rawValue >= 300 || !isPermitted { exchange.sending.abandon() }
        guard isPermitted, !exchange.sending.mayBegin else { return nil }
        exchange.sending.permit()
        return continueWriting(exchange, round)
    }

    private func complete(_ exchange: WireExchange) -> Outcome {
        let isReusable =
            !isLast && !hasEnded && !hasFailed && exchange.sending.isComplete && !exchange.reception.isOver && !reader.endsWithConnection
        announcedTimeout = exchange.reception.keepAliveTimeout ?? announcedTimeout
        return leave(exchange, .success(()), isReusable: isReusable)
    }

    private func endOfConnection(_ exchange: WireExchange, _ code: Int32) -> Outcome {
        if code == 0, reader.endsWithConnection { return leave(exchange, .success(())) }
        let stage: ErrorContext.Stage = exchange.reception.isHeadComplete ? .body : .exchange
        if let fault = reader.faultAtEnd(of: head) {
            return leave(exchange, .failure(.invalidResponse(Explanation(fault.rawValue, context: ErrorContext(stage: .exchange)))))
        }
        if !exchange.reception.hasBegun, !reader.hasBegun {
            do throws(HTTPError) {
                if try exchange.sending.startsAgain(hasSent: writer.hasSent) {
                    self.exchange = nil
                    close()
                    return .startsAgain(exchange)
                }
            } catch { return leave(exchange, .failure(error)) }
        }
        let words = code == 0 ? "the server closed the connection before the end of the response" : SystemFailure.words(code)
        return leave(exchange, .failure(.networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: stage)))))
    }
}
