internal import MartletCodings
package import MartletEssentials
package import MartletHTTP

/// The reception of one response: a value that decides, without I/O, what happens with the lines and bytes that arrive.
///
/// The transfer passes on what arrives, performs the ``Action`` that a method returns, and asks for the result when the exchange
/// has ended. The first error is the result: it is more exact than what the connection reports afterwards.
package struct Reception {
    /// What the request requires of its response.
    package struct Terms {
        package let limits: ResponseLimits
        /// Whether the response is returned with its head, and its body as it arrives.
        package let isStreamed: Bool
        /// Whether the response has no body, because the method is HEAD.
        package let isHead: Bool
        /// Whether the client follows redirects, whose bodies it discards.
        package let followsRedirects: Bool
        /// Whether the request waits for the server's permission to send its body (RFC 9110 §10.1.1).
        package let expectsContinue: Bool
        package let maxContentCodings: Int

        /// - Parameters:
        ///   - sendsBody: Whether the request has a body.
        ///   - expectsContinue: Whether it waits for the server's permission to send it.
        package init(_ request: borrowing HTTPRequest, sendsBody: Bool, expectsContinue: Bool, maxContentCodings: Int) {
            limits = request.context.limits
            isStreamed = request.context.streamsBody
            isHead = request.method == .head && !sendsBody
            followsRedirects = request.context.followsRedirects
            self.expectsContinue = expectsContinue
            self.maxContentCodings = max(1, maxContentCodings)
        }
    }

    /// The progress of the response.
    package enum State {
        /// No line has arrived. A transfer that ends in this state may start again.
        case waiting
        /// A line has arrived, but not yet the end of the final head.
        case head
        /// The body is collected in memory. It ends after `cut` bytes if it will be discarded.
        case collecting(cut: Int?)
        /// The response has been returned, and the body goes to its reader.
        case streaming
        /// The response is complete, whatever follows, because the rest of its body is not wanted.
        case cutOff
        case failed(HTTPError)
    }

    /// What the transfer does after a line.
    package enum Action: Hashable {
        case proceed
        /// Return the response, whose body is streamed. The length is nil if it is unknown.
        case respond(hasBody: Bool, length: Int64?)
        /// Return the response without its body, and stop.
        case respondAndStop
        case stop
    }

    /// What the transfer waits for before it offers refused bytes of the body again.
    package enum Pause {
        /// The reader makes room.
        case untilRoom
        /// A later round of the engine, because the transfer has used up its share of this one.
        case untilTurn
    }

    package let terms: Terms
    package private(set) var state = State.waiting
    package private(set) var status: HTTPStatus = 0
    package private(set) var version: HTTPVersion?
    /// The fields of the final head.
    package private(set) var headers = HTTPFields()
    /// The length of the body that the head declares; nil if it declares none, or chunks.
    package private(set) var declaredLength: Int64?
    /// Whether the head declares a length and a transfer coding, which is ambiguous (RFC 9112 §6.3).
    package private(set) var hasAmbiguousLength = false
    /// The keep-alive timeout that the server announces, if any.
    package private(set) var keepAliveTimeout: Duration?
    /// Whether content codings were removed from the body.
    package private(set) var wasCoded = false
    package var pause: Pause?

    /// Whether content codings are decoded.
    private var decodes = true
    /// Decodes the body; nil if it has no content coding.
    private var decoder: ContentDecoder?
    /// The number of bytes of a refused offer that were already decoded. The bytes are offered again.
    private var decodedOfOffer = 0
    /// The transfer's share of the engine's round.
    private var share = RoundBudget.Share()
    /// The collected body.
    package private(set) var body = BodyBuffer()

    package init(_ terms: Terms) { self.terms = terms }

    /// Begins with the first line of a response.
    ///
    /// - Parameters:
    ///   - decodes: Whether content codings are decoded.
    ///   - body: The memory of the collected body.
    package mutating func begin(decodes: Bool, into body: BodyBuffer) {
        self.decodes = decodes
        self.body = body
        pause = nil
    }

    // MARK: The progress

    // Inlined: another module would copy the reception to ask for it.

    /// Whether a line has arrived, or the reception has failed.
    @inlinable package var hasBegun: Bool { if case .waiting = state { false } else { true } }

    /// Whether the final head has arrived, and nothing has failed since.
    @inlinable package var isHeadComplete: Bool {
        switch state {
        case .collecting, .streaming, .cutOff: true
        case .waiting, .head, .failed: false
        }
    }

    /// Whether the result is known, and the rest of the response is not wanted.
    @inlinable package var isOver: Bool {
        switch state {
        case .cutOff, .failed: true
        case .waiting, .head, .collecting, .streaming: false
        }
    }

    /// The error of an exchange that is cancelled now.
    package var cancellation: HTTPError {
        let stage: ErrorContext.Stage = if case .streaming = state { .body } else { .exchange }
        return .cancelled(ErrorContext(stage: stage))
    }

    // MARK: The head

    /// Receives a line of the head, of an interim response (1xx) or of the trailers.
    package mutating func receive(_ line: ResponseHead.Progress, of head: inout ResponseHead) -> Action {
        if case .waiting = state { state = .head }
        return switch line {
        case .more: .proceed
        case .complete: complete(&head)
        case .malformed(let fault): fail(.invalidResponse(Explanation(fault.rawValue, context: ErrorContext(stage: .exchange))))
        case .tooLarge: fail(tooLarge(.head, terms.limits.headBytes))
        case .tooManyFields: fail(tooLarge(.fields, terms.limits.fieldCount))
        }
    }

    /// Receives a line of a proxy's response to `CONNECT`, to which the limits on heads apply too.
    package mutating func receiveTunnel(_ line: ResponseHead.Progress) -> Action {
        switch line {
        case .more, .complete: return .proceed
        case .malformed(let fault):
            let context = ErrorContext(stage: .connect)
            return fail(.networkError(NetworkFailure(.proxyFailed, "the proxy's response: \(fault.rawValue)", context: context)))
        case .tooLarge: return fail(tooLarge(.head, terms.limits.headBytes))
        case .tooManyFields: return fail(tooLarge(.fields, terms.limits.fieldCount))
        }
    }

    private func tooLarge(_ subject: SizeLimitFailure.Subject, _ limit: Int) -> HTTPError {
        .responseTooLarge(SizeLimitFailure(subject, limit: limit))
    }

    /// The error for a body that exceeds the limit.
    private var bodyTooLarge: HTTPError { tooLarge(.body, terms.limits.bodyBytes) }

    private mutating func complete(_ head: inout ResponseHead) -> Action {
        status = head.status
        version = head.version
        headers = head.takeFields()
        keepAliveTimeout = headers.keepAliveTimeout
        // After a 417 libcurl would ignore the body and send the request again without calling back.
        if terms.expectsContinue, status.rawValue == 417 {
            state = .cutOff
            return terms.isStreamed ? .respondAndStop : .stop
        }
        do throws(HTTPError) {
            let canHaveBody = !terms.isHead && !status.forbidsContent
            declaredLength = try headers.declaredContentLength()
            hasAmbiguousLength = declaredLength == nil && headers.contains(.contentLength)
            var length = declaredLength
            if canHaveBody {
                try headers.checkTransferCoding()
                if try decodesBody() { length = nil }
            }
            guard !terms.isStreamed else {
                state = .streaming
                return .respond(hasBody: canHaveBody, length: length)
            }
            try collect(canHaveBody ? length : nil)
            return .proceed
        } catch { return fail(error) }
    }

    /// Whether the body has content codings that are decoded. The fields that describe the coded body are then removed.
    private mutating func decodesBody() throws(HTTPError) -> Bool {
        guard decodes else { return false }
        decoder = try ContentDecoder(takingCodingsFrom: &headers, atMost: terms.maxContentCodings)
        wasCoded = decoder != nil
        return wasCoded
    }

    /// Prepares for a body that is collected, of a length that is known or not.
    private mutating func collect(_ length: Int64?) throws(HTTPError) {
        let isDiscarded = terms.followsRedirects && status.isRedirect && headers.contains(.location)
        state = .collecting(cut: isDiscarded ? terms.limits.redirectBodyBytes : nil)
        guard !isDiscarded, let length else { return }
        guard length <= Int64(terms.limits.bodyBytes) else { throw bodyTooLarge }
        body.announce(Int(length))
    }

    // MARK: The body

    /// What becomes of bytes that were offered.
    package enum Receipt: Hashable {
        case taken
        /// The same bytes must be offered again when the transfer is resumed.
        case paused(Pause)
        case stopped
    }

    /// The result of receiving bytes of a body.
    package struct Received {
        package var receipt = Receipt.taken
        /// Whether a reader waits for the stored bytes.
        package var isAwaited = false
    }

    /// Receives bytes of the body, limited by the available space and by the transfer's share of the round.
    ///
    /// - Parameters:
    ///   - stream: The destination of a streamed body; nil for one that is collected.
    ///   - work: The work that is left of the round.
    ///   - scratch: The memory in which bytes are decoded.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into stream: BodyPipe?, within work: inout RoundBudget, scratch: UnsafeMutableRawBufferPointer
    ) -> Received {
        receive(bytes, intoSink: stream, within: &work, scratch: scratch)
    }

    // Not called from other modules, where a generic function would look up the metadata of its types.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, intoSink stream: (some BodySink)?, within work: inout RoundBudget,
        scratch: UnsafeMutableRawBufferPointer
    ) -> Received {
        guard !isOver else { return Received(receipt: .stopped) }
        let allowed = work.allowance(of: share)
        guard allowed > 0 else { return refuse(.untilTurn) }
        var left = allowed
        let received =
            if let decoder { decode(bytes, with: decoder, into: stream, scratch, &left) } else { store(bytes, into: stream) }
        work.spend(RoundBudget.perCall + allowed - left, of: &share)
        return received
    }

    private mutating func decode(
        _ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder, into stream: (some BodySink)?,
        _ scratch: UnsafeMutableRawBufferPointer, _ work: inout Int
    ) -> Received {
        var isAwaited = false
        var input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(decodedOfOffer))
        do throws(ContentDecoder.Fault) {
            while true {
                // Bytes are decoded only if they can be stored.
                let room = stream?.room() ?? scratch.count
                guard room > 0, work > 0 else {
                    decodedOfOffer = bytes.count - input.count
                    return refuse(room > 0 ? .untilTurn : .untilRoom, isAwaited: isAwaited)
                }
                let target = UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(room))
                let count = try decoder.read(from: &input, into: target, work: &work)
                if count > 0 {
                    let stored = store(UnsafeRawBufferPointer(rebasing: scratch[..<count]), into: stream)
                    isAwaited = isAwaited || stored.isAwaited
                    guard stored.receipt == .taken else { return Received(receipt: stored.receipt, isAwaited: isAwaited) }
                }
                if count == 0, work > 0 { break }
            }
        } catch {
            fail(error.error)
            return Received(receipt: .stopped, isAwaited: isAwaited)
        }
        decodedOfOffer = max(0, decodedOfOffer - bytes.count)
        return Received(isAwaited: isAwaited)
    }

    private mutating func store(_ bytes: UnsafeRawBufferPointer, into stream: (some BodySink)?) -> Received {
        if let stream {
            return switch stream.write(bytes) {
            case .stored: Received()
            case .awaited: Received(isAwaited: true)
            case .refused: refuse(.untilRoom)
            }
        }
        let total = body.count + bytes.count
        if case .collecting(let cut?) = state, total > cut {
            state = .cutOff
            return Received(receipt: .stopped)
        }
        guard total <= terms.limits.bodyBytes else {
            fail(bodyTooLarge)
            return Received(receipt: .stopped)
        }
        body.append(bytes)
        return Received()
    }

    private mutating func refuse(_ pause: Pause, isAwaited: Bool = false) -> Received {
        self.pause = pause
        return Received(receipt: .paused(pause), isAwaited: isAwaited)
    }

    // MARK: Pauses

    /// Whether bytes are offered again because the reader has made room. A transfer that has used up its share waits for its turn.
    package mutating func readerMadeRoom() -> Bool {
        if case .untilTurn = pause { return false }
        pause = nil
        return true
    }

    /// Records that the transfer continues in a new round.
    package mutating func beginTurn() { pause = nil }

    // MARK: The end

    /// Ends the reception with an error, unless there is an earlier one.
    @discardableResult
    package mutating func fail(_ error: HTTPError) -> Action {
        if !isOver { state = .failed(error) }
        return .stop
    }

    /// Ends the reception when the exchange has ended, and returns its result.
    ///
    /// The first that holds is the result: the body was cut off, an error was found, the connection's error, incomplete coded data, an
    /// incomplete head.
    package mutating func end(_ result: Result<Void, HTTPError>) -> Result<Void, HTTPError> {
        let result = outcome(after: result)
        decoder = nil
        if case .failure = result { body = BodyBuffer() }
        return result
    }

    private func outcome(after result: Result<Void, HTTPError>) -> Result<Void, HTTPError> {
        switch state {
        case .cutOff: return .success(())
        case .failed(let error): return .failure(error)
        case .waiting, .head:
            guard case .success = result else { return result }
            // libcurl reports success if the connection ends directly after a status line.
            let words = "the connection ended within the head of the response"
            return .failure(.networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .exchange))))
        case .collecting, .streaming:
            guard case .success = result, let decoder else { return result }
            do throws(ContentDecoder.Fault) {
                try decoder.finish()
                return result
            } catch { return .failure(error.error) }
        }
    }

    /// Removes and returns the collected body.
    package mutating func takeBody() -> Data {
        defer { body = BodyBuffer() }
        return body.take()
    }
}

/// The destination of a streamed body, as a reception fills it.
protocol BodySink {
    /// Returns the number of bytes that can be written now.
    func room() -> Int
    /// Stores bytes, or refuses them until the reader has made room.
    func write(_ bytes: UnsafeRawBufferPointer) -> BodyPipe.Written
}

extension BodyPipe: BodySink {}
