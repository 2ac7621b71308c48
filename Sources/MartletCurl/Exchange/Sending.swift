internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP

/// The sending of one request: its body, the attempts to deliver it, and whether it may be sent again.
struct Sending {
    /// Whether the request is idempotent.
    let isIdempotent: Bool
    /// Whether the request waits for the server's permission to send its body (RFC 9110 §10.1.1).
    let expectsContinue: Bool
    /// The body, until the exchange has ended.
    private(set) var upload: Upload?
    /// Whether libcurl has begun to read the body.
    private(set) var hasBegun = false
    /// Whether libcurl waits for bytes of the body.
    private(set) var isPaused = false
    /// What libcurl tells about the delivery of the request, since the transfer was started last.
    var delivery = DeliveryProof()
    /// Whether the engine has started the transfer again, on a new connection.
    private(set) var isRestarted = false
    /// Whether the last attempt was stopped before anything was sent, because it must be on a new connection.
    private(set) var needsNewConnection = false

    init(_ request: borrowing HTTPRequest, _ upload: Upload?) {
        isIdempotent = request.isIdempotent
        expectsContinue = upload != nil && request.expectsContinue
        self.upload = upload
    }

    /// Begins with the first attempt after a start.
    mutating func begin() {
        hasBegun = false
        isPaused = false
        needsNewConnection = false
        delivery = DeliveryProof()
    }

    // MARK: The body

    /// Copies bytes of the body into libcurl's buffer.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        guard upload != nil else { return .bytes(0) }
        hasBegun = true
        let outcome = upload?.read(into: buffer) ?? .bytes(0)
        if case .stalled = outcome { isPaused = true }
        return outcome
    }

    /// Records that libcurl asks for bytes again.
    mutating func resume() { isPaused = false }

    /// Whether the announced body has not been sent, because the server's permission is missing.
    var isWithheld: Bool { expectsContinue && !hasBegun }

    /// Stops the source of the body and releases its bytes.
    mutating func close() {
        upload?.close()
        upload = nil
    }

    // MARK: Another attempt

    /// Why the request may not be sent again; nil if it may.
    ///
    /// An idempotent request may. Any other may if the server provably did not process it (RFC 9113 §6.8).
    var objection: HTTPError? {
        if isIdempotent || delivery.isUnprocessed { return nil }
        return .lost(
            "\(delivery.wasRetired ? "the server retired the connection" : "the connection ended, or its stream was refused,") "
                + "before the response. Nothing proves that the server did not process the request, so it was not sent again. With an "
                + "Idempotency-Key field, it is")
    }

    /// Records that libcurl is about to send the request, on a kept-alive connection or on a new one. Returns why it must not be sent; nil
    /// if it may, unless it ``needsNewConnection``.
    mutating func beginAttempt(isReused: Bool) -> HTTPError? {
        let next = delivery.next(isReused: isReused, isRestarted: isRestarted)
        guard !delivery.begins(isReused: isReused) else { return nil }
        if let objection { return objection }
        switch next {
        case .allowed: return nil
        case .onNewConnection:
            refuseConnection()
            return nil
        case .futile: return .lost("the server refused the request, or ended its connection, before the response, and did so again")
        }
    }

    /// Records that the request is not sent on the connection that libcurl has chosen. The transfer may start again with a new one.
    mutating func refuseConnection() { needsNewConnection = true }

    /// Whether an attempt may have reached the server.
    var wasAttempted: Bool { delivery.hasBegun || hasBegun }

    /// Returns to the start of the body. Returns why the body cannot be sent again; nil if it can.
    mutating func rewind() -> HTTPError? {
        // libcurl 8.7 and later rewind the body of a failed transfer when the handle's next transfer begins.
        guard hasBegun else { return nil }
        return objection ?? rewindBody()
    }

    /// Whether the transfer may start again: it needs a new connection, or libcurl has given it up after several dead connections or on a
    /// connection that the server has retired. It starts again once.
    ///
    /// - Parameter isReused: whether all its attempts were on kept-alive connections. If one was not, the server itself ends connections or
    ///   refuses requests, and the caller decides whether to try again.
    mutating func isGivenUp(
        _ code: Int, _ text: @autoclosure () -> String, isReused: Bool, _ retired: RetiredConnections
    ) -> Bool {
        guard !isRestarted else { return false }
        switch code {
        case CURLE_ABORTED_BY_CALLBACK.code: return needsNewConnection
        case CURLE_SEND_ERROR.code, CURLE_RECV_ERROR.code: return isReused && text().hasPrefix("Connection died, tried")
        case CURLE_HTTP2.code:
            // libcurl took the connection just before its GOAWAY arrived, and does not repeat the request by itself.
            delivery.died(retired)
            return delivery.wasRetired && !delivery.isFutile
        default: return false
        }
    }

    /// Records another start, which sends the body from its first byte. Returns why the request may not be sent again; nil if it may.
    mutating func restart() -> HTTPError? {
        // Nothing of a request was sent or read if it was refused its first connection.
        if !(needsNewConnection && !wasAttempted), let objection = objection ?? rewindBody() { return objection }
        isRestarted = true
        return nil
    }

    private mutating func rewindBody() -> HTTPError? {
        if upload?.rewind() ?? true { return nil }
        return .lostWithStream
    }

}

/// A request with what libcurl needs to send it.
struct OutgoingRequest {
    let request: HTTPRequest
    let url: String
    let route: Route
    /// The scheme, host and port, or the proxy: requests with the same value share a queue.
    let origin: String

    init(_ request: borrowing HTTPRequest, url: String, route: Route) {
        // libcurl counts all plain-http connections to a proxy together, whatever the origin.
        let ownOrigin = request.checkedOrigin?.text ?? url.originPart
        origin = route.proxy.map { ownOrigin.hasPrefix("http:") ? "via \($0.url.absoluteString)" : ownOrigin } ?? ownOrigin
        self.request = copy request
        self.url = url
        self.route = route
    }
}

extension Upload {
    /// Whether a request with this body may use a kept-alive connection although it is not idempotent.
    ///
    /// - Parameter asks: Whether libcurl asks before each attempt. Earlier versions ask only before they rewind a body, and never for a
    ///   request without bytes.
    func mayUseKeptConnection(asks: Bool) -> Bool {
        // On a connection that has ended, a stream would be lost: it can't be sent again.
        if case .stream = source { return false }
        return asks || length != 0
    }
}
