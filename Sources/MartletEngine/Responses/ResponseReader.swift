package import MartletHTTP

/// Reads a response of HTTP/1.1 from the bytes of its connection (RFC 9112). A value without I/O.
///
/// It finds lines and the framing of the body. What they mean is decided by ``ResponseHead`` and ``Reception``.
package struct ResponseReader {
    /// What the bytes so far have led to.
    package enum Step: Hashable {
        /// All bytes are read, and more must follow.
        case more
        /// The final head is complete. Perform the action, and continue unless it stops.
        case head(Reception.Action)
        /// The response is 101. The remaining bytes belong to the upgraded connection.
        case switched
        /// Some bytes can't be stored now. Offer the remaining bytes again later.
        case paused(Reception.Pause)
        case complete
        /// The reception has failed, or wants no more.
        case over
    }

    private enum Framing {
        /// Within the head.
        case none
        case length(Int64)
        case chunks(ChunkedBody)
        /// In the trailers, after the last chunk.
        case trailers
        case untilClose
        case complete
    }

    /// A line whose end has not arrived.
    private var line: [UInt8] = []
    private var framing = Framing.none
    /// Whether a reader waits for bytes that were stored. The owner resets it.
    package var isAwaited = false

    package init() {}

    /// Prepares for another response, and keeps the memory.
    package mutating func reset() {
        line.removeAll(keepingCapacity: true)
        framing = .none
        isAwaited = false
    }

    /// Whether bytes of the response have arrived.
    package var hasBegun: Bool {
        guard case .none = framing else { return true }
        return !line.isEmpty
    }

    /// Whether the end of the connection completes the response.
    package var endsWithConnection: Bool { if case .untilClose = framing { true } else { false } }

    /// The fault of a response whose connection ends now: its first line is not complete and is not that of HTTP.
    package func faultAtEnd(of head: borrowing ResponseHead) -> ResponseHead.Fault? {
        guard case .none = framing, head.isAtStatusLine, !line.isEmpty else { return nil }
        return zip(line, "HTTP/".utf8).allSatisfy({ $0 == $1 }) ? nil : .statusLine
    }

    /// Reads bytes in the order in which they arrive, and removes those that are read.
    ///
    /// - Parameters:
    ///   - pipe: The destination of a streamed body; nil for one that is collected.
    ///   - work: The work that is left of the round.
    ///   - scratch: The memory in which bytes are decoded.
    package mutating func read(
        _ bytes: inout Slice<UnsafeBufferPointer<UInt8>>, _ head: inout ResponseHead, _ reception: inout Reception, into pipe: BodyPipe?,
        within work: inout RoundBudget, scratch: UnsafeMutableRawBufferPointer
    ) -> Step {
        switch framing {
        case .none: readHead(&bytes, &head, &reception)
        case .trailers: readTrailers(&bytes, &head, &reception)
        case .complete: .complete
        case .length, .chunks, .untilClose: readBody(&bytes, &head, &reception, pipe, &work, scratch)
        }
    }

    // MARK: Lines

    private mutating func readHead(
        _ bytes: inout Slice<UnsafeBufferPointer<UInt8>>, _ head: inout ResponseHead, _ reception: inout Reception
    ) -> Step {
        while true {
            var action = Reception.Action.proceed
            guard takeLine(of: &bytes, limit: reception.terms.limits.headBytes, { action = reception.receive(head.add($0), of: &head) })
            else { return .more }
            if action == .stop { return .over }
            guard head.isComplete else { continue }
            if reception.status.rawValue == 101 { return .switched }
            do throws(HTTPError) { framing = try ResponseReader.framing(of: &reception) } catch {
                reception.fail(error)
                return .over
            }
            return .head(action)
        }
    }

    private mutating func readTrailers(
        _ bytes: inout Slice<UnsafeBufferPointer<UInt8>>, _ head: inout ResponseHead, _ reception: inout Reception
    ) -> Step {
        var isEnd = false, action = Reception.Action.proceed
        while !isEnd {
            let hasLine = takeLine(of: &bytes, limit: reception.terms.limits.headBytes) { line in
                isEnd = line.first == UInt8(ascii: "\n") || line.first == UInt8(ascii: "\r") && line.count == 2
                action = reception.receive(head.add(line), of: &head)
            }
            guard hasLine else { return .more }
            if action == .stop { return .over }
        }
        framing = .complete
        return .complete
    }

    /// Calls `body` with the next line, including its line feed. Returns false if the line is not complete, and keeps its bytes.
    private mutating func takeLine(
        of bytes: inout Slice<UnsafeBufferPointer<UInt8>>, limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            line.append(contentsOf: bytes)
            bytes = bytes.suffix(0)
            // The head refuses a line that exceeds its limit.
            guard line.count > limit else { return false }
            line.withUnsafeBufferPointer(body)
            return true
        }
        let part = bytes[...end]
        bytes = bytes[(end + 1)...]
        // Most lines arrive in one piece, and are not copied.
        guard !line.isEmpty else {
            body(UnsafeBufferPointer(rebasing: part))
            return true
        }
        line.append(contentsOf: part)
        line.withUnsafeBufferPointer(body)
        line.removeAll(keepingCapacity: true)
        return true
    }

    // MARK: The body

    /// Determines the length of the body (RFC 9112 §6.3).
    private static func framing(of reception: inout Reception) throws(HTTPError) -> Framing {
        guard !reception.terms.isHead, !reception.status.forbidsContent else { return .complete }
        if reception.headers.contains(.transferEncoding) {
            guard reception.version != .http10 else {
                let words = "the response is of HTTP/1.0 and has a transfer coding, so its framing is faulty (RFC 9112 §6.1)"
                throw .invalidResponse(Explanation(words, context: ErrorContext(stage: .exchange)))
            }
            let isChunked = reception.headers[.transferEncoding].map { $0.equalsIgnoringCase("chunked") } ?? false
            return isChunked ? .chunks(ChunkedBody()) : .untilClose
        }
        guard let length = reception.declaredLength else { return .untilClose }
        return length == 0 ? .complete : .length(length)
    }

    private mutating func readBody(
        _ bytes: inout Slice<UnsafeBufferPointer<UInt8>>, _ head: inout ResponseHead, _ reception: inout Reception, _ pipe: BodyPipe?,
        _ work: inout RoundBudget, _ scratch: UnsafeMutableRawBufferPointer
    ) -> Step {
        while !bytes.isEmpty {
            do throws(ChunkedBody.Malformed) {
                let count = try nextPart(of: &bytes)
                if count > 0 {
                    let part = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix(count)))
                    let received = reception.receive(part, into: pipe, within: &work, scratch: scratch)
                    if received.isAwaited { isAwaited = true }
                    switch received.receipt {
                    case .taken: take(count)
                    case .paused(let pause): return .paused(pause)
                    case .stopped: return .over
                    }
                    bytes = bytes.dropFirst(count)
                }
            } catch {
                let context = ErrorContext(stage: .body)
                reception.fail(.invalidResponse(Explanation("the chunks of the body are malformed (RFC 9112 §7.1)", context: context)))
                return .over
            }
            switch framing {
            case .complete: return .complete
            case .trailers: return readTrailers(&bytes, &head, &reception)
            case .none, .length, .chunks, .untilClose: continue
            }
        }
        return .more
    }

    /// Removes framing, and returns the number of bytes of content that follow. ``take(_:)`` records them when they are stored.
    private mutating func nextPart(of bytes: inout Slice<UnsafeBufferPointer<UInt8>>) throws(ChunkedBody.Malformed) -> Int {
        switch framing {
        case .length(let left): return min(bytes.count, Int(clamping: left))
        case .chunks(var body):
            let count = try body.skipFraming(of: &bytes)
            framing = body.isComplete ? .trailers : .chunks(body)
            return count
        case .untilClose: return bytes.count
        case .none, .trailers, .complete: return 0
        }
    }

    private mutating func take(_ count: Int) {
        switch framing {
        case .length(let left): framing = left > Int64(count) ? .length(left - Int64(count)) : .complete
        case .chunks(var body):
            body.take(count)
            framing = .chunks(body)
        case .none, .trailers, .untilClose, .complete: break
        }
    }
}

/// The framing of a body in chunks, up to the last chunk (RFC 9112 §7.1). Extensions are skipped.
///
/// A line may end with a line feed alone. A carriage return that no line feed follows is malformed, and so are control characters in an
/// extension: readers disagree about them.
package struct ChunkedBody {
    package struct Malformed: Error {}

    /// The maximum number of bytes between two pieces of content, which keeps a server from sending extensions forever.
    static let maxSkipped = 1 << 20

    private enum State {
        /// In the digits of a size.
        case size(UInt64, digits: Int)
        /// After the digits, up to the end of the line.
        case afterSize(UInt64, isExtension: Bool)
        /// After the carriage return of the line of a size.
        case sizeEnd(UInt64)
        case content(UInt64)
        /// The end of the line after the content, of which a carriage return may have been read.
        case afterContent(hasReturn: Bool)
        case complete
    }

    private var state = State.size(0, digits: 0)
    private var skipped = 0

    package init() {}

    /// Whether the last chunk has been read. Trailers follow it.
    package var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Removes framing, and returns the number of bytes of content that follow; 0 if all bytes are read or the body is complete.
    package mutating func skipFraming(of bytes: inout Slice<UnsafeBufferPointer<UInt8>>) throws(Malformed) -> Int {
        while let byte = bytes.first, !isComplete {
            if case .content(let left) = state { return min(bytes.count, Int(clamping: left)) }
            bytes = bytes.dropFirst()
            skipped += 1
            guard skipped <= ChunkedBody.maxSkipped else { throw Malformed() }
            try read(byte)
        }
        return 0
    }

    /// Records that content has been read.
    package mutating func take(_ count: Int) {
        guard case .content(let left) = state, count > 0 else { return }
        skipped = 0
        state = left > UInt64(count) ? .content(left - UInt64(count)) : .afterContent(hasReturn: false)
    }

    private mutating func read(_ byte: UInt8) throws(Malformed) {
        let isEnd = byte == UInt8(ascii: "\n"), isReturn = byte == UInt8(ascii: "\r")
        switch state {
        case .size(let size, let digits):
            if let digit = ChunkedBody.digit(byte) {
                guard digits < 15 else { throw Malformed() }
                state = .size(size << 4 | digit, digits: digits + 1)
            } else {
                guard digits > 0, isEnd || isReturn || Token.isWhitespace(byte) || byte == UInt8(ascii: ";") else { throw Malformed() }
                state = .afterSize(size, isExtension: false)
                try read(byte)
            }
        case .afterSize(let size, let isExtension):
            if isReturn { return state = .sizeEnd(size) }
            if isEnd { return endSize(size) }
            if byte == UInt8(ascii: ";") { return state = .afterSize(size, isExtension: true) }
            guard isExtension ? Token.isFieldContent(byte) : Token.isWhitespace(byte) else { throw Malformed() }
        case .sizeEnd(let size):
            guard isEnd else { throw Malformed() }
            endSize(size)
        case .afterContent(let hasReturn):
            guard isEnd || isReturn && !hasReturn else { throw Malformed() }
            state = isEnd ? .size(0, digits: 0) : .afterContent(hasReturn: true)
        case .content, .complete: break
        }
    }

    private mutating func endSize(_ size: UInt64) { state = size > 0 ? .content(size) : .complete }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
