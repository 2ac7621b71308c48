internal import MartletHTTP

/// The destination of a streamed body, as a reception fills it.
protocol BodySink {
    /// Returns the number of bytes that can be written now.
    func room() -> Int
    /// Stores bytes, or refuses them until the reader has made room.
    func write(_ bytes: UnsafeRawBufferPointer) -> BodyPipe.Written
}

extension BodyPipe: BodySink {}

// The path of a body's bytes from libcurl to memory or to a reader.
extension Reception {
    /// What libcurl is told about the bytes that it offered.
    enum Receipt: Hashable {
        case taken
        /// libcurl must offer the same bytes again when the transfer is resumed.
        case paused(Pause)
        case stopped
    }

    /// The result of receiving bytes of a body.
    struct Received {
        var receipt = Receipt.taken
        /// Whether a reader waits for the stored bytes.
        var isAwaited = false
    }

    /// Receives bytes of the body, limited by the available space and by the transfer's share of the round.
    ///
    /// - Parameters:
    ///   - stream: the destination of a streamed body; nil for one that is collected.
    ///   - work: the work that is left of the round.
    ///   - scratch: the memory in which bytes are decoded.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into stream: (some BodySink)?, within work: inout RoundBudget,
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
            fail(broken(error))
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

    /// The error for corrupt or incomplete coded data.
    func broken(_ fault: ContentDecoder.Fault) -> HTTPError {
        .invalidResponse(Explanation(fault.description, context: ErrorContext(stage: .body, underlying: fault)))
    }
}
