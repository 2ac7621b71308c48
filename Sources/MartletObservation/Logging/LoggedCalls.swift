internal import MartletClient
internal import MartletEssentials
internal import MartletSystem

/// The running calls of a ``LoggingObserver``.
struct LoggedCalls {
    /// The start of the body of an attempt's response.
    struct Body {
        let headers: HTTPFields
        /// The maximum number of bytes that are kept.
        let reach: Int
        var start = Data()
        /// The number of bytes that arrived.
        var count = 0
        var isLogged = false
    }

    /// One call.
    struct Logged {
        let number: Int
        let request: HTTPRequest?
        let sink: LogSink
        fileprivate let began: ContinuousClock.Instant?
        /// The bodies of the last attempts, because some may run in parallel.
        fileprivate var bodies = BoundedMap<Int, Body>(limit: 4)
        /// The body whose start is to be logged now, or nil.
        fileprivate(set) var bodyToLog: Body?

        /// The time since the start of the call by its clock, or zero if the call has no request.
        var elapsed: Duration {
            guard let began, let request else { return .zero }
            return began.duration(to: request.context.time.instant)
        }

        /// Returns the body that arrived for a response of this call, or nil if the response is from a cache or another call.
        func body(of head: HTTPResponse<Void>) -> Body? {
            guard head.metadata.cacheStatus?.isFromCache != true, let context = head.metadata.request?.context,
                context.record === request?.context.record
            else { return nil }
            return bodies[context.attempt]
        }
    }

    private var count = 0
    private var running: [UInt64: Logged] = [:]

    /// A running call, or nil if it is not known.
    subscript(call: CallInfo) -> Logged? { running[call.id] }

    /// Counts one more call or exchange.
    mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    mutating func begin(_ call: CallInfo, _ request: HTTPRequest?, to sink: LogSink) -> Logged {
        let logged = Logged(number: nextNumber(), request: request, sink: sink, began: request?.context.time.instant)
        running[call.id] = logged
        return logged
    }

    /// Begins the body of an attempt's response.
    mutating func received(_ headers: HTTPFields, of attempt: Int, in call: CallInfo, reach: Int) {
        running[call.id]?.bodies.insert(Body(headers: headers, reach: reach), for: attempt) { .inOrder($0.key) }
    }

    /// Appends bytes to the body of an attempt. The returned call has a body to log once enough of a stream has arrived.
    mutating func received(_ bytes: Data, of attempt: Int, in call: CallInfo) -> Logged? {
        let body = running[call.id]?.bodies.use(attempt) { body -> Body? in
            body.count += bytes.count
            if body.start.count < body.reach { body.start.append(bytes.prefix(body.reach - body.start.count)) }
            guard call.isStreamed, !body.isLogged, body.reach > 0, body.start.count >= body.reach else { return nil }
            body.isLogged = true
            return body
        }
        guard let body = body ?? nil else { return nil }
        var logged = running[call.id]
        logged?.bodyToLog = body
        return logged
    }

    /// Removes a call. The returned call has a body to log if it is a stream whose start was not logged yet.
    mutating func end(_ call: CallInfo) -> Logged? {
        guard var logged = running.removeValue(forKey: call.id) else { return nil }
        if call.isStreamed, let last = logged.bodies.elements.max(by: { $0.key < $1.key })?.value, !last.isLogged, !last.start.isEmpty {
            logged.bodyToLog = last
        }
        return logged
    }
}

extension CallInfo {
    /// Whether the body is read as it arrives.
    package var isStreamed: Bool {
        switch kind {
        case .stream, .events, .download: true
        default: false
        }
    }
}
