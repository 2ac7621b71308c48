package import MartletEssentials

/// A call as a ``CallLog`` keeps it: its attempts with the start of their bodies, its steps and its outcome.
package struct LoggedCall: Sendable {
    /// How a call ended. It does not keep the error, which keeps the call's request and context.
    package struct End: Sendable {
        /// The name of the error's case, or nil for a success.
        let failure: String?
        let stage: ErrorContext.Stage?
        /// The texts of the error for an outline and for more detail.
        let outline: String
        let text: String
        let duration: Duration
    }

    /// An event of a stream.
    package struct Event: Sendable {
        let at: Double
        let type: String
        let id: String?
        let data: String
    }

    /// What was removed from a running call to limit its size: attempts after the first one, and the oldest steps.
    struct Omitted: Sendable {
        var attempts = 0
        var steps = 0
        /// The bytes of the bodies of these attempts.
        var sent = 0
        var received = 0
    }

    package let info: CallInfo
    /// Grows with each change of any call of the log.
    var revision = 0
    /// The method and URL of the first request, or nil if none could be created.
    var target: (method: HTTPMethod, url: String)?
    var attempts: [LoggedAttempt] = []
    /// The steps except the attempts.
    var steps: [CallTrace.Step] = []
    /// What was removed from a call with many attempts or steps.
    var omitted = Omitted()
    var status: HTTPStatus?
    package internal(set) var end: End?
    /// The last events of a stream, and their number since its start.
    package internal(set) var events: [Event] = []
    package internal(set) var eventCount = 0
    var parser: (any EventParsing)?
    /// The approximate number of bytes that the call takes.
    var cost = 1_000

    init(info: CallInfo) { self.info = info }

    /// The number of bytes of the bodies that were sent.
    var sent: Int { attempts.reduce(omitted.sent) { $0 + $1.sent.size } }

    /// The number of bytes of the bodies that were received.
    var received: Int { attempts.reduce(omitted.received) { $0 + $1.received.size } }
}

/// An exchange with the transport as a ``CallLog`` keeps it.
struct LoggedAttempt: Sendable {
    /// The start of a body, and the size of the whole.
    struct Content: Sendable {
        var bytes = Data()
        var size = 0
        /// Whether bytes beyond the limit, or bytes of a body that is not in memory, are missing.
        var isTruncated: Bool { bytes.count < size }

        /// The bytes without an incomplete UTF-8 sequence at their end, where the limit or a running transfer cut them: secrets are only
        /// found in text.
        var readable: Data {
            for count in 0..<min(4, bytes.count) {
                let start = bytes.dropLast(count)
                if String(validUTF8: start) != nil { return Data(start) }
            }
            return bytes
        }
    }

    let number: Int
    /// The seconds from the start of the call.
    var at: Double
    let method: HTTPMethod
    let url: String
    let headers: HTTPFields
    var sent = Content()
    var status: HTTPStatus?
    var answer: HTTPFields = [:]
    var trailers: HTTPFields = [:]
    var wasContentCoded = false
    var isEventStream = false
    var received = Content()
    /// The seconds from the start of the call to the last bytes of a streamed body.
    var lastBytes: Double?
    /// The attempt of the trace, without its request, or nil while it is running.
    var ended: Facts?

    /// What the trace says about an attempt that has ended.
    struct Facts: Sendable {
        let outcome: CallTrace.Outcome
        let duration: Duration
        let version: HTTPVersion?
        let timings: ResponseMetadata.Timings?
        let address: String?
        let isReused: Bool?
    }

    /// The approximate number of bytes that the attempt takes.
    var cost: Int

    init(_ number: Int, _ request: HTTPRequest, at: Double, limit: Int) {
        self.number = number
        self.at = at
        method = request.method
        url = request.url.absoluteString
        headers = request.headers
        if let bytes = request.body?.buffered { sent.append(bytes, limit: limit) } else { sent.size = Int(request.body?.length ?? 0) }
        cost = 800 + url.utf8.count + sent.bytes.count + headers.memory
    }
}

extension LoggedAttempt.Content {
    mutating func append(_ data: Data, limit: Int) {
        size += data.count
        let room = limit - bytes.count
        guard room > 0 else { return }
        // A start is copied, so that it does not keep the whole.
        if data.count <= room, bytes.isEmpty { bytes = data } else { bytes.append(Data(data.prefix(room))) }
    }
}

/// Reads the events of a stream from the pieces of its body.
package protocol EventParsing: Sendable {
    mutating func events(in piece: Data) -> [(type: String, id: String?, data: String)]
}
