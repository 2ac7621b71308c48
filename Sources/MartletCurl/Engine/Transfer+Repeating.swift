internal import CMartletCurl
internal import MartletHTTP

// Whether a request is sent again after its connection ended, or its stream was refused, before the response.
extension Transfer {
    /// The number of times that the engine starts a transfer again after libcurl has given it up, which it does after five dead connections.
    private static let maxRestarts = 3

    /// Whether the request may be sent again. If it may not, the transfer fails with the reason.
    ///
    /// An idempotent request may. Any other may if the server provably did not process it (RFC 9113 §6.8).
    func mayRepeat(_ delivery: DeliveryProof) -> Bool {
        if mayBeSentAgain || delivery.isUnprocessed { return true }
        fail(
            "\(delivery.wasRetired ? "the server retired the connection" : "the connection ended, or its stream was refused,") "
                + "before the response. Nothing proves that the server did not process the request, so it was not sent again. With an "
                + "Idempotency-Key field, it is")
        return false
    }

    /// Returns to the start of the body. If the body cannot be replayed, the transfer fails with the reason.
    func rewind() -> Bool {
        if upload?.rewind() == true { return true }
        fail("the connection ended before the response, and the body cannot be sent again, because it is a stream")
        return false
    }

    private func fail(_ words: String) {
        let context = ErrorContext(stage: .exchange)
        if failure == nil { failure = .networkError(NetworkFailure(.connectionLost, words, context: context)) }
    }

    /// Whether a transfer that libcurl has given up starts again: after several dead connections, or on a connection that the server has
    /// retired.
    func startsAgain(_ handle: EasyHandle, _ code: Int) -> Bool {
        guard failure == nil, !handle.head.hasBegun, restarts < Transfer.maxRestarts, isGivenUp(handle, code),
            mayRepeat(handle.delivery), upload == nil || rewind()
        else { return false }
        restarts += 1
        wasAskedForBody = false
        isSendingPaused = false
        isReceivingPaused = false
        return true
    }

    private func isGivenUp(_ handle: EasyHandle, _ code: Int) -> Bool {
        switch code {
        case CURLE_SEND_ERROR.code, CURLE_RECV_ERROR.code: return handle.words.hasPrefix("Connection died, tried")
        case CURLE_HTTP2.code:
            // libcurl took the connection just before its GOAWAY arrived, and does not repeat the request by itself.
            handle.delivery.died(handle.round.retired)
            return handle.delivery.wasRetired
        default: return false
        }
    }
}
