internal import MartletEssentials

/// One thing that goes wrong with a reply: a pure change of it, which a ``FaultScript`` deals out.
///
/// ```swift
/// server.faults = .oneIn(3, .drop(atByte: 100), seed: 42)
/// server.on(.get("/feed"), faults: .inOrder(.delay(.seconds(2)), nil, .reset), .json(feed))
/// server.enqueue(.json(feed).with(.slowLoris(bytes: 1, every: .milliseconds(5))))
/// ```
///
/// Waits are asked of the double's `time`. `MockServer` plays every fault. Where a double without a socket plays one otherwise, or not,
/// the words beside it say so: what only the socket shows is left out there. Replies of raw bytes and of silence change by
/// ``reply(_:)`` and ``delay(_:)`` alone, raw bytes by ``slowLoris(bytes:every:)`` too.
public struct Fault: Sendable, CustomStringConvertible {
    let change: @Sendable (inout MockReply) -> Void
    /// As it is written: `drop(atByte: 100)`.
    public let description: String

    init(_ description: String, _ change: @escaping @Sendable (inout MockReply) -> Void) {
        self.description = description
        self.change = change
    }

    /// This and another: `.delay(.seconds(2)).and(.reset)`.
    public func and(_ other: Fault) -> Fault {
        Fault("\(self).and(\(other))") { [change] reply in
            change(&reply)
            other.change(&reply)
        }
    }

    // MARK: Time

    /// The head comes later, by a wait that is added to the reply's own.
    public static func delay(_ duration: Duration) -> Fault { Fault("delay(\(duration))") { $0.delays.head += duration } }

    /// So many bytes of the content come; then nothing, for a time or, with nil, for as long as the client waits.
    ///
    /// At 0 the head comes and no byte of the content. Past the end nothing happens. A double without a socket leaves it out.
    public static func stall(atByte count: Int, for duration: Duration? = nil) -> Fault {
        Fault("stall(atByte: \(count), for: \(duration.map { "\($0)" } ?? "ever"))") {
            $0.stall = MockReply.Stall(after: max(0, count), duration: duration)
        }
    }

    /// The answer, its head too, comes so many bytes at a time, with a wait between.
    ///
    /// A double without a socket leaves it out.
    public static func slowLoris(bytes: Int = 1, every wait: Duration) -> Fault {
        Fault("slowLoris(bytes: \(bytes), every: \(wait))") { $0.drip = MockReply.Drip(bytes: max(1, bytes), wait: wait) }
    }

    // MARK: Connections

    /// The connection ends after so many bytes of the body, counted as ``MockReply/Moment/withinBody(after:)`` counts; past the end,
    /// after the answer.
    public static func drop(atByte count: Int) -> Fault {
        Fault("drop(atByte: \(count))") { $0.disconnect = MockReply.Disconnect(moment: .withinBody(after: max(0, count)), isReset: false) }
    }

    /// The connection ends at `moment`, or with `reset` is reset (RST).
    public static func disconnect(_ moment: MockReply.Moment = .beforeHead, reset: Bool = false) -> Fault {
        Fault("disconnect(\(moment), reset: \(reset))") { $0.disconnect = MockReply.Disconnect(moment: moment, isReset: reset) }
    }

    /// The connection is reset (RST) without an answer.
    public static var reset: Fault { Fault("reset") { $0.disconnect = MockReply.Disconnect(moment: .beforeHead, isReset: true) } }

    // MARK: Content

    /// `Content-Length` says more than there is, by so many bytes, or with a negative number less, but never less than 0.
    ///
    /// With too much said the connection ends after the content, as a connection that breaks does. With too little the rest stays in
    /// the connection, where a careless client takes it for the next answer. A body that is made while it is read is left as it is,
    /// unless the reply says a length itself.
    public static func contentLength(offBy difference: Int) -> Fault {
        Fault("contentLength(offBy: \(difference))") { $0.sayLength(offBy: difference) }
    }

    /// The content comes as gzip (RFC 1952) in which one byte is wrong, so that its checksum or its size does not fit.
    ///
    /// `seed` decides which byte, always the same one, and what it becomes. What has a `Content-Encoding` is damaged as it is.
    public static func corruptGzip(seed: UInt64 = 0) -> Fault {
        Fault("corruptGzip(seed: \(seed))") {
            $0.damageGzip { content, isCoded in
                isCoded ? StoredGzip.corrupted(coded: content, seed: seed) : StoredGzip.corrupted(StoredGzip.wrapped(content), seed: seed)
            }
        }
    }

    /// The content comes as gzip that ends after so many bytes, or with nil in its middle, while the framing around it is whole.
    public static func cutGzip(atByte count: Int? = nil) -> Fault {
        Fault("cutGzip(atByte: \(count.map { "\($0)" } ?? "half"))") {
            $0.damageGzip { content, isCoded in
                let gzip = isCoded ? content : StoredGzip.wrapped(content)
                return Data(gzip.prefix(max(0, count ?? gzip.count / 2)))
            }
        }
    }

    // MARK: Anything

    /// Another reply in its place: `.reply(.status(503))`.
    public static func reply(_ other: MockReply) -> Fault {
        Fault("reply(\(other.status.rawValue))") { reply in
            let faults = reply.faults
            reply = other
            reply.faults = faults
        }
    }
}

extension MockReply {
    /// The reply with what goes wrong with it.
    public func with(_ fault: Fault) -> MockReply {
        changed(fault.change)
    }
}
