internal import MartletEssentials

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
                guard String(validUTF8: start) != nil else { continue }
                // Bytes that begin no sequence are not text that was cut.
                return count == 0 || (0xC2...0xF4).contains(bytes[start.endIndex]) ? Data(start) : bytes
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

extension LoggedAttempt {
    mutating func receive(_ head: HTTPResponse<Void>) {
        cost += head.headers.memory - answer.memory
        status = head.status
        answer = head.headers
        trailers = head.metadata.trailers
        wasContentCoded = head.metadata.wasContentCoded
        isEventStream = answer[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
    }

    mutating func receive(_ piece: Data, at: Double, limit: Int) {
        let before = received.bytes.count
        received.append(piece, limit: limit)
        cost += received.bytes.count - before
        lastBytes = at
    }
}
