internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP

/// The sending of one request: its body, and whether it may be sent again.
struct WireSending {
    /// Whether the request is idempotent.
    let isIdempotent: Bool
    /// Whether the request waits for the server's permission to send its body (RFC 9110 §10.1.1).
    let expectsContinue: Bool
    /// The body, until the exchange has ended.
    private(set) var upload: Upload?
    /// Whether the connection has carried an exchange before.
    private(set) var isOnKeptConnection = false
    /// Whether the body may be sent now, or there is none.
    private(set) var mayBegin = false
    /// Whether bytes of the body have been requested.
    private(set) var hasBegun = false
    /// Whether all of the request has been sent.
    var isComplete = false
    /// Whether the rest of the body is not sent.
    private(set) var isAbandoned = false
    private var attempts = 0

    init(_ request: borrowing HTTPRequest, _ upload: Upload?) {
        isIdempotent = request.isIdempotent
        // A request without content must not wait for permission to send it (RFC 9110 §10.1.1).
        expectsContinue = upload != nil && upload?.length != 0 && request.expectsContinue
        self.upload = upload
    }

    /// Whether the body is a file, whose bytes follow without the app.
    var readsFile: Bool { if case .file? = upload?.source { true } else { false } }

    /// How the length of the body is announced.
    var framing: RequestHead.Framing {
        guard let upload else { return .none }
        return upload.length.map { .length($0) } ?? .chunks
    }

    /// Begins an attempt.
    mutating func begin(isOnKeptConnection: Bool) {
        self.isOnKeptConnection = isOnKeptConnection
        attempts += 1
        mayBegin = !expectsContinue
        isComplete = false
    }

    /// Records the server's permission, or the end of the time for it.
    mutating func permit() { if !isAbandoned { mayBegin = true } }

    /// Gives up the rest of the body, because the server has responded and does not want it.
    mutating func abandon() { if !isComplete { isAbandoned = true } }

    /// Copies bytes of the body into a buffer.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        let outcome = upload?.read(into: buffer) ?? .bytes(0)
        if case .bytes(let count) = outcome, count > 0 { hasBegun = true }
        return outcome
    }

    /// The number of bytes that a body in memory still has; 0 without a body, and nil for another body.
    var rest: Int? { upload == nil ? 0 : upload?.bufferedRest }

    /// Passes the rest of a body in memory to `send`. Returns the number of bytes that this has sent.
    mutating func readBuffered(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
        hasBegun = true
        return upload?.readBuffered(send) ?? 0
    }

    /// Stops the source of the body and releases its bytes.
    mutating func close() {
        upload?.close()
        upload = nil
    }

    /// Whether the request is sent again on a new connection, after a kept-alive one has ended before the response (RFC 9112 §9.3.1).
    ///
    /// A request that is not idempotent is sent again only if nothing of it was sent. Throws if it must not be.
    mutating func startsAgain(hasSent: Bool) throws(HTTPError) -> Bool {
        guard isOnKeptConnection, attempts == 1 else { return false }
        guard isIdempotent || !hasSent else {
            throw .lost(
                "the connection ended before the response. Nothing proves that the server did not process the request, so it was not sent "
                    + "again. With an Idempotency-Key field, it is")
        }
        guard hasBegun else { return true }
        guard upload?.rewind() ?? true else { throw .lostWithStream }
        return true
    }
}
