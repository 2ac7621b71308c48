internal import MartletClient
internal import MartletEssentials
internal import MartletSystem

/// The start of the body of an attempt's response.
struct LoggedBody {
    let headers: HTTPFields
    /// The maximum number of bytes that are kept.
    let reach: Int
    var start = Data()
    /// The number of bytes that arrived.
    var count = 0
    var isLogged = false

    /// Returns the body if it is to be logged now.
    fileprivate mutating func append(_ bytes: Data, isStreamed: Bool) -> LoggedBody? {
        count += bytes.count
        if start.count < reach { start.append(bytes.prefix(reach - start.count)) }
        guard isStreamed, !isLogged, reach > 0, start.count >= reach else { return nil }
        isLogged = true
        return self
    }
}

/// A running call of a ``LoggingObserver``.
final class LoggedCall: Sendable {
    /// The number of bodies that are kept: those of the last attempts, because some may run in parallel.
    private static let maxBodies = 4

    let number: Int
    let request: HTTPRequest?
    let sink: LogSink
    private let began: ContinuousClock.Instant?
    private let bodies = Locked<[(attempt: Int, body: LoggedBody)]>([])

    init(_ number: Int, _ request: HTTPRequest?, _ sink: LogSink) {
        self.number = number
        self.request = request
        self.sink = sink
        began = request?.context.time.instant
    }

    /// The time since the start of the call by its clock, or zero if the call has no request.
    var elapsed: Duration {
        guard let began, let request else { return .zero }
        return began.duration(to: request.context.time.instant)
    }

    /// Returns the body that arrived for a response of this call, or nil if the response is from a cache or another call.
    func body(of head: HTTPResponse<Void>) -> LoggedBody? {
        guard head.metadata.cacheStatus?.isFromCache != true, let context = head.metadata.request?.context,
            context.record === request?.context.record
        else { return nil }
        return bodies.withLock { $0.last { $0.attempt == context.attempt }?.body }
    }

    /// Begins the body of an attempt's response.
    func received(_ headers: HTTPFields, of attempt: Int, reach: Int) {
        bodies.withLock { bodies in
            bodies.append((attempt, LoggedBody(headers: headers, reach: reach)))
            guard bodies.count > LoggedCall.maxBodies else { return }
            let first = bodies.map(\.attempt).min()
            bodies.removeAll { $0.attempt == first }
        }
    }

    /// Appends bytes to the body of an attempt. Returns it if it is to be logged now, because enough of a stream has arrived.
    func received(_ bytes: Data, of attempt: Int, isStreamed: Bool) -> LoggedBody? {
        bodies.withLock { bodies in
            guard let index = bodies.lastIndex(where: { $0.attempt == attempt }) else { return nil }
            return bodies[index].body.append(bytes, isStreamed: isStreamed)
        }
    }

    /// The body of a stream whose start was not logged before its end, or nil.
    var unloggedBody: LoggedBody? {
        let last = bodies.withLock { $0.max { $0.attempt < $1.attempt }?.body }
        guard let last, !last.isLogged, !last.start.isEmpty else { return nil }
        return last
    }
}

extension CallInfo {
    /// Whether the body, or the messages of a WebSocket, are read as they arrive.
    package var isStreamed: Bool {
        switch kind {
        case .stream, .events, .download, .webSocket: true
        default: false
        }
    }
}
