internal import MartletEssentials
internal import MartletSystem

/// A change to a reply of a test double that makes it slow, broken or wrong. A ``FaultScript`` decides which replies have it.
///
/// ```swift
/// server.faults = .oneIn(3, .drop(atByte: 100), seed: 42)
/// server.on(.get("/feed"), faults: .inOrder(.delay(.seconds(2)), nil, .reset), .json(feed))
/// server.enqueue(.json(feed).with(.slowLoris(bytes: 1, every: .milliseconds(5))))
/// ```
///
/// Delays use the double's `time`. `MockServer` supports every fault. The members document what a double without a socket does differently
/// or omits. Replies of raw bytes and of silence are changed only by ``reply(_:)`` and ``delay(_:)``, raw bytes also by
/// ``slowLoris(bytes:every:)``.
public struct Fault: Sendable, CustomStringConvertible {
    let change: @Sendable (inout MockReply) -> Void
    /// The fault as written in Swift, such as `drop(atByte: 100)`.
    public let description: String

    init(_ description: String, _ change: @escaping @Sendable (inout MockReply) -> Void) {
        self.description = description
        self.change = change
    }

    /// Returns a fault that makes both changes, as in `.delay(.seconds(2)).and(.reset)`.
    public func and(_ other: Fault) -> Fault {
        Fault("\(self).and(\(other))") { [change] reply in
            change(&reply)
            other.change(&reply)
        }
    }

    // MARK: Time

    /// Delays the head of the response by this time, in addition to the reply's own delay.
    public static func delay(_ duration: Duration) -> Fault { Fault("delay(\(duration))") { $0.delays.head += duration } }

    /// Pauses after this number of bytes of the body, for the given time, or with nil for as long as the client waits.
    ///
    /// With 0, the head is sent without any byte of the body. Beyond the end of the body, the fault has no effect. A double without a
    /// socket ignores it.
    public static func stall(atByte count: Int, for duration: Duration? = nil) -> Fault {
        Fault("stall(atByte: \(count), for: \(duration.map { "\($0)" } ?? "ever"))") {
            $0.stall = MockReply.Stall(after: max(0, count), duration: duration)
        }
    }

    /// Sends the response, including its head, in pieces of this number of bytes with a wait between them.
    ///
    /// A double without a socket ignores it.
    public static func slowLoris(bytes: Int = 1, every wait: Duration) -> Fault {
        Fault("slowLoris(bytes: \(bytes), every: \(wait))") { $0.drip = MockReply.Drip(bytes: max(1, bytes), wait: wait) }
    }

    // MARK: Connections

    /// Closes the connection after this number of bytes of the body, or resets it (RST) if `reset` is true. The bytes are counted as in
    /// ``MockReply/disconnecting(afterBodyBytes:reset:)``. Beyond the end of the body, the connection ends after the response.
    public static func drop(atByte count: Int, reset: Bool = false) -> Fault {
        Fault("drop(atByte: \(count)\(reset ? ", reset: true" : ""))") { $0 = $0.disconnecting(afterBodyBytes: count, reset: reset) }
    }

    /// Closes the connection after this number of bytes of the response's head, or resets it (RST) if `reset` is true. Default: 0, without
    /// a response.
    public static func disconnect(afterHeadBytes count: Int = 0, reset: Bool = false) -> Fault {
        Fault("disconnect(afterHeadBytes: \(count), reset: \(reset))") {
            $0 = $0.disconnecting(afterHeadBytes: count, reset: reset)
        }
    }

    /// Resets the connection (RST) without a response.
    public static var reset: Fault { Fault("reset") { $0 = $0.disconnecting(afterHeadBytes: 0, reset: true) } }

    /// Sends this text after the response and a wait, although no request asked for it, and keeps the connection open.
    ///
    /// A client must not take it for the response to its next request (RFC 9112 §9.2). It is not sent if the response ends the connection.
    /// A double without a socket ignores the fault.
    ///
    /// - Parameters:
    ///   - text: The text, such as `HTTP/1.1 408 Request Timeout` and an empty line.
    ///   - wait: The time after the response. Default: none. The text is not part of the last write of the response in any case.
    public static func unsolicited(_ text: String, after wait: Duration = .zero) -> Fault {
        Fault("unsolicited(\(text.utf8.count) bytes, after: \(wait))") {
            $0.unsolicited = MockReply.Unsolicited(bytes: Data(text.utf8), wait: wait)
        }
    }

    // MARK: Content

    /// Makes `Content-Length` too large by this number of bytes, or too small if it is negative, but never below 0.
    ///
    /// If the length is too large, the connection ends after the body, like a broken connection. If it is too small, the rest stays in the
    /// connection, and a careless client takes it for the next response. A body that is created while it is read is not changed, unless the
    /// reply declares a length.
    public static func contentLength(offBy difference: Int) -> Fault {
        Fault("contentLength(offBy: \(difference))") { $0.sayLength(offBy: difference) }
    }

    /// Sends the content as gzip (RFC 1952) with one wrong byte, so that its checksum or size does not match.
    ///
    /// `seed` determines the byte and its value. Content that has a `Content-Encoding` is damaged directly.
    public static func corruptGzip(seed: UInt64 = 0) -> Fault {
        Fault("corruptGzip(seed: \(seed))") {
            $0.damageGzip { content, isCoded in
                isCoded ? StoredGzip.corrupted(coded: content, seed: seed) : StoredGzip.corrupted(StoredGzip.wrapped(content), seed: seed)
            }
        }
    }

    /// Sends the content as gzip that is truncated after this number of bytes, or in the middle if nil. The framing around it is complete.
    public static func cutGzip(atByte count: Int? = nil) -> Fault {
        Fault("cutGzip(atByte: \(count.map { "\($0)" } ?? "half"))") {
            $0.damageGzip { content, isCoded in
                let gzip = isCoded ? content : StoredGzip.wrapped(content)
                return Data(gzip.prefix(max(0, count ?? gzip.count / 2)))
            }
        }
    }

    // MARK: Anything

    /// Sends another reply in place of the scripted one, as in `.reply(.status(503))`.
    public static func reply(_ other: MockReply) -> Fault {
        Fault("reply(\(other.status.rawValue))") { reply in
            let faults = reply.faults
            reply = other
            reply.faults = faults
        }
    }
}

extension MockReply {
    /// Returns the reply with the change that a fault makes.
    public func with(_ fault: Fault) -> MockReply {
        changed(fault.change)
    }

    /// A pause within the body.
    struct Stall: Sendable {
        /// The number of bytes of the body before the pause.
        let after: Int
        /// The length of the pause, or nil for a pause without an end.
        let duration: Duration?
    }

    /// Slow sending: a number of bytes, a wait, and so on.
    struct Drip: Sendable {
        let bytes: Int
        let wait: Duration
    }

    /// Bytes after the response, and the wait before them.
    struct Unsolicited: Sendable {
        let bytes: Data
        let wait: Duration
    }

    mutating func sayLength(offBy difference: Int) {
        guard case .response = kind, difference != 0 else { return }
        let actual = wholeContent?.count
        guard let length = headers[.contentLength].flatMap({ Int($0) }) ?? actual else { return }
        headers.remove(.transferEncoding)
        headers[.contentLength] = "\(max(0, difference > 0 && length > Int.max - difference ? Int.max : length + difference))"
        if difference > 0, disconnect == nil, let actual { disconnect = Disconnect(moment: .withinBody(after: actual), isReset: false) }
    }

    /// Replaces the content with damaged gzip. `damage` receives the content and whether it already has a content coding.
    mutating func damageGzip(_ damage: @escaping @Sendable (Data, _ isCoded: Bool) -> Data) {
        guard case .response = kind else { return }
        let isCoded = headers.contains(.contentEncoding)
        let damaged = { @Sendable (content: Data) in damage(content, isCoded) }
        if !isCoded { headers[.contentEncoding] = "gzip" }
        // A length in the reply is that of the content before coding.
        headers.remove(.contentLength)
        switch content {
        case .data(let data): content = .data(damaged(data))
        case .pieces(let pieces): content = .pieces([damaged(pieces.reduce(into: Data()) { $0.append($1) })])
        case .stream(let make): content = .stream { MockReply.body(of: make(), changedBy: damaged) }
        }
    }

    /// Returns a body that is changed as a whole and sent in one piece.
    private static func body(of source: HTTPBody, changedBy change: @escaping @Sendable (Data) -> Data) -> HTTPBody {
        let isRead = Locked(false)
        return HTTPBody {
            let wasRead = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead
            }
            return wasRead ? nil : change(try await source.collect())
        }
    }
}
