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

    /// An event of a stream, or a message of a WebSocket.
    package struct Event: Sendable {
        enum Content: Sendable {
            case event(type: String, id: String?, data: String)
            case message(LoggedMessage)
        }

        /// The seconds from the start of the call.
        let at: Double
        let content: Content

        /// The approximate number of bytes that the event takes.
        var cost: Int {
            switch content {
            case .event(_, _, let data): data.utf8.count + 100
            case .message(let message): message.content.bytes.count + 150
            }
        }
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
    /// The method and URL of the first request, also of one that was refused, or nil if none could be created.
    var target: (method: HTTPMethod, url: String)?
    var attempts: [LoggedAttempt] = []
    /// The steps except the attempts.
    var steps: [CallTrace.Step] = []
    /// What was removed from a call with many attempts or steps.
    var omitted = Omitted()
    var status: HTTPStatus?
    package internal(set) var end: End?
    /// The last events of a stream or messages of a WebSocket, and their number since its start.
    package internal(set) var events: [Event] = []
    package internal(set) var eventCount = 0
    var parser: (any EventParsing)?
    /// The approximate number of bytes that the call takes.
    var cost = 1_000

    init(info: CallInfo) { self.info = info }

    /// The bytes of the messages that were sent and received.
    private var messageBytes = (sent: 0, received: 0)

    /// The number of bytes of the bodies and messages that were sent.
    var sent: Int { attempts.reduce(omitted.sent + messageBytes.sent) { $0 + $1.sent.size } }

    /// The number of bytes of the bodies and messages that were received.
    var received: Int { attempts.reduce(omitted.received + messageBytes.received) { $0 + $1.received.size } }

    mutating func add(_ event: Event) {
        events.append(event)
        eventCount += 1
        cost += event.cost
        guard case .message(let message) = event.content else { return }
        if message.direction == .sent { messageBytes.sent += message.content.size } else { messageBytes.received += message.content.size }
    }

    mutating func add(_ attempt: LoggedAttempt) {
        attempts.append(attempt)
        cost += attempt.cost
    }

    /// Changes the last attempt with this number.
    mutating func change(_ number: Int, _ change: (inout LoggedAttempt) -> Void) {
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return }
        cost -= attempts[index].cost
        change(&attempts[index])
        cost += attempts[index].cost
        status = attempts[index].status ?? status
    }

    mutating func add(_ step: CallTrace.Step, limit: Int) {
        guard case .attempt(let attempt) = step.kind else {
            steps.append(step)
            cost += LoggedCall.stepCost
            return
        }
        // The attempts of another call, whose response this call shares, were not seen. Earlier ones were removed.
        if attempt.number > attempts.last?.number ?? 0 {
            add(LoggedAttempt(attempt.number, attempt.request, at: step.time.inSeconds, limit: limit))
        }
        change(attempt.number) { logged in
            logged.at = step.time.inSeconds
            guard let outcome = attempt.outcome else { return }
            logged.ended = LoggedAttempt.Facts(
                outcome: outcome, duration: attempt.duration ?? .zero, version: attempt.version, timings: attempt.timings,
                address: attempt.remoteAddress, isReused: attempt.isConnectionReused)
            if case .status(let status) = outcome { logged.status = status }
        }
    }

    private static let stepCost = 500
    private static let maxAttempts = 200
    private static let maxSteps = 500

    /// Removes the oldest attempts after the first one, and the oldest steps, beyond limits for their numbers and bytes.
    ///
    /// A quarter of them is removed at a time, because each removal moves the rest.
    mutating func shorten(upTo bytes: Int) {
        let maxSteps = min(LoggedCall.maxSteps, max(8, bytes / 4 / LoggedCall.stepCost))
        if steps.count > maxSteps {
            let count = steps.count - maxSteps + maxSteps / 4
            steps.removeFirst(count)
            cost -= count * LoggedCall.stepCost
            omitted.steps += count
        }
        while attempts.count > 2, attempts.count > LoggedCall.maxAttempts || cost > bytes {
            let range = 1..<(1 + max(1, (attempts.count - 2) / 4))
            for attempt in attempts[range] {
                cost -= attempt.cost
                omitted.attempts += 1
                omitted.sent += attempt.sent.size
                omitted.received += attempt.received.size
            }
            attempts.removeSubrange(range)
        }
    }

    mutating func finish(_ outcome: CallOutcome, after duration: Duration) {
        parser = nil
        // The end of an attempt that outlives its call is not reported.
        let interrupted = if case .failure(.timeout) = outcome { CallTrace.Outcome.timeout } else { CallTrace.Outcome.cancelled }
        for index in attempts.indices where attempts[index].ended == nil {
            attempts[index].ended = LoggedAttempt.Facts(
                outcome: interrupted, duration: max(.zero, duration - .seconds(attempts[index].at)), version: nil, timings: nil,
                address: nil, isReused: nil)
        }
        switch outcome {
        case .success(let head):
            status = head?.status ?? status
            end = End(failure: nil, stage: nil, outline: "", text: "", duration: duration)
        case .failure(let error):
            status = error.status ?? status
            end = End(
                failure: error.caseName, stage: error.stage, outline: error.outline, text: error.failureText, duration: duration)
            cost += end?.text.utf8.count ?? 0
        }
    }

    /// What the last cache decided.
    var cache: CacheStatus? { steps.reversed().lazy.compactMap { if case .cache(let status) = $0.kind { status } else { nil } }.first }

    /// What the caller got, in a few words, or nil if it is not known.
    var outcome: String? {
        switch info.kind {
        case .request:
            guard let type = info.valueType else { return nil }
            if type == Void.self || type == EmptyResponse.self { return "no value" }
            return type == Data.self || type == Data?.self ? "the body as Data" : "decoded \(typeName(type))"
        case .stream: return "the body was read to its end"
        case .events: return eventCount == 1 ? "1 event" : "\(eventCount) events"
        case .webSocket: return eventCount == 1 ? "1 message" : "\(eventCount) messages"
        case .download: return "saved to a file"
        case .upload: return "uploaded"
        default: return nil
        }
    }

    /// The members of the progress of a running transfer: `done`, and `total` if it is known. Nil for other calls.
    var progress: [String: JSONValue]? {
        guard end == nil, let attempt = attempts.last else { return nil }
        if info.kind == .upload { return uploadProgress }
        guard info.kind == .download || info.kind == .stream else { return nil }
        let range = attempt.status == .partialContent ? attempt.answer["Content-Range"].flatMap { ContentRange($0) } : nil
        let start = range?.bounds?.lowerBound ?? 0
        var members: [String: JSONValue] = ["done": .integer(start + Int64(attempt.received.size))]
        // The length of a coded body is not that of the decoded one.
        let length = attempt.wasContentCoded ? nil : attempt.answer[.contentLength].flatMap { Int64($0) }
        if let total = range?.total ?? length.map({ start + $0 }) { members["total"] = .integer(total) }
        return info.kind == .stream && members["total"] == nil ? nil : members
    }

    /// The offset that the server confirmed last, and the length that the first request announced (tus 1.0).
    private var uploadProgress: [String: JSONValue] {
        let offset = attempts.reversed().lazy.compactMap { $0.answer["Upload-Offset"].flatMap { Int64($0) } }.first
        var members: [String: JSONValue] = ["done": .integer(offset ?? 0)]
        let total = attempts.lazy.compactMap { $0.headers["Upload-Length"].flatMap { Int64($0) } }.first
        if let total { members["total"] = .integer(total) }
        return members
    }
}

/// Reads the events of a stream from the pieces of its body.
package protocol EventParsing: Sendable {
    mutating func events(in piece: Data) -> [(type: String, id: String?, data: String)]
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Returns the name of a type in the notation of source code: `[Bird]` for an array, `Bird?` for an optional.
func typeName(_ type: Any.Type) -> String {
    var name = "\(type)", suffix = ""
    while name.hasPrefix("Optional<"), name.hasSuffix(">") {
        name = String(name.dropFirst(9).dropLast())
        suffix += "?"
    }
    guard name.hasPrefix("Array<"), name.hasSuffix(">") else { return name + suffix }
    return "[\(name.dropFirst(6).dropLast())]" + suffix
}

extension CacheStatus {
    /// The verdict, in the words of the page.
    var verdict: String {
        if isStale { return "stale" }
        if wasValidated { return "revalidated" }
        if isHit { return "hit" }
        return [.bypass, .method].contains(forwardReason) ? "bypassed" : "miss"
    }
}
