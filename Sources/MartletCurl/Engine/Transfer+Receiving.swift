internal import MartletEssentials
internal import MartletHTTP

// The path of a response body from libcurl's callback to memory or to a reader.
extension Transfer {
    /// Takes bytes of the body, limited by the available space and by the transfer's share of the round.
    func receive(_ bytes: UnsafeRawBufferPointer, in round: EngineRound) -> Received {
        let allowed = round.work.allowance(of: share)
        guard allowed > 0 else { return .yielding }
        var work = allowed
        let received = decoder.map { decode(bytes, with: $0, round.scratch, &work) } ?? store(bytes)
        round.work.spend(RoundBudget.perCall + allowed - work, of: &share)
        return received
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder, _ scratch: UnsafeMutableRawBufferPointer, _ work: inout Int
    ) -> Received {
        var received = Received()
        var input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(decodedOfOffer))
        do throws(ContentDecoder.Fault) {
            while true {
                // Bytes are decoded only if they can be stored.
                let room = pipe?.room() ?? scratch.count
                guard room > 0, work > 0 else {
                    decodedOfOffer = bytes.count - input.count
                    received.isRefused = true
                    received.isYielding = room > 0
                    return received
                }
                let target = UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(room))
                let count = try decoder.read(from: &input, into: target, work: &work)
                if count > 0 { received.add(store(UnsafeRawBufferPointer(rebasing: scratch[..<count]))) }
                if received.isRefused { return received }
                if count == 0, work > 0 { break }
            }
        } catch {
            failure = broken(error)
            received.isRefused = true
        }
        decodedOfOffer = max(0, decodedOfOffer - bytes.count)
        return received
    }

    private func store(_ bytes: UnsafeRawBufferPointer) -> Received {
        if let pipe { return Received(pipe.write(bytes)) }
        if let cut, body.count + bytes.count > cut {
            isCut = true
            return Received(.refused)
        }
        guard body.count + bytes.count <= limits.bodyBytes else {
            failure = .responseTooLarge(SizeLimitFailure(.body, limit: limits.bodyBytes))
            return Received(.refused)
        }
        body.append(bytes)
        return Received(.stored)
    }

    func hasTooManyCodings(_ count: Int) -> HTTPError {
        let words = "the response has \(count) content codings; the transport accepts at most \(maxContentCodings) (maxContentCodings)"
        return .invalidResponse(Explanation(words, context: ErrorContext(stage: .body)))
    }

    func broken(_ fault: ContentDecoder.Fault) -> HTTPError {
        .invalidResponse(Explanation(fault.description, context: ErrorContext(stage: .body, underlying: fault)))
    }
}

/// The result of receiving bytes of a body.
struct Received {
    /// Whether libcurl must offer the bytes again, or the transfer has failed.
    var isRefused = false
    /// Whether libcurl must offer the remaining bytes again in a later round.
    var isYielding = false
    /// Whether a reader waits for the stored bytes.
    var isAwaited = false

    init() {}

    /// The result when nothing was taken because the transfer's share of the round is used up.
    static var yielding: Received {
        var received = Received()
        received.isRefused = true
        received.isYielding = true
        return received
    }

    init(_ written: BodyPipe.Written) {
        isRefused = written == .refused
        isAwaited = written == .awaited
    }

    mutating func add(_ other: Received) {
        isRefused = other.isRefused
        isAwaited = isAwaited || other.isAwaited
    }
}
