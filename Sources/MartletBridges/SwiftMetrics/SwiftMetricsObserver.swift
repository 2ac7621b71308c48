#if SwiftMetrics
public import MartletObservation
public import Metrics
internal import MartletSystem

/// An observer that measures calls and their requests with swift-metrics, by OpenTelemetry's names for HTTP clients.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, observers: [SwiftMetricsObserver(client: "payments")])
/// ```
///
/// A request is one exchange with the transport: a call that is retried or redirected has several.
///
/// | metric | kind | of |
/// |---|---|---|
/// | `http.client.request.duration` | timer, shown in seconds | each request, up to the head of a streamed response |
/// | `http.client.active_requests` | meter | the requests that are running, with the bodies of their streamed responses |
/// | `http.client.request.body.size` | recorder | each request with a body of known length, in bytes |
/// | `http.client.response.body.size` | recorder | each response, in bytes after the removal of content codings |
/// | `martlet.client.call.duration` | timer, shown in seconds | each call, from its start to its outcome |
/// | `martlet.client.cache.requests` | counter | the requests that a cache saw, by `martlet.cache.result` |
///
/// The dimensions of all are `martlet.client`, `http.request.method`, `url.template`, `graphql.operation.name`, `server.address` and
/// `server.port`; those of durations and of the size of responses are also `http.response.status_code`, `error.type` and `martlet.outcome`
/// (the class of the status such as `2xx`, or the kind of error: see `MetricsObserver`). A dimension without a value is empty, because some
/// backends require the same dimensions of all values.
///
/// Dimensions contain no values of requests, and the number of their combinations is bounded: after `maxRoutes` different methods,
/// templates, operations and servers together, further ones are `_OTHER`.
public final class SwiftMetricsObserver: CallObserver {
    /// A running call.
    private final class Running: Sendable {
        let meters: RequestMeters
        let route: String
        /// The metrics of the call, those of its first request.
        let target: TargetMeters
        let method: HTTPMethod?
        let origin: Origin?
        let time: (any TimeSource)?
        /// The attempts that this call began. Those of another call whose response it shares are not among them.
        private let attempts = Locked(Attempts())

        init(
            _ meters: RequestMeters, _ route: String, _ target: TargetMeters, _ method: HTTPMethod?, _ origin: Origin?,
            _ time: (any TimeSource)?
        ) {
            self.meters = meters
            self.route = route
            self.target = target
            self.method = method
            self.origin = origin
            self.time = time
        }

        /// Adds an attempt, and removes and returns those whose streamed responses are not read any more. Returns nil if it is known.
        func begin(_ attempt: Attempt, _ number: Int) -> [Attempt]? {
            attempts.withLock { attempts in
                guard attempts.index(of: number) == nil else { return nil }
                let ended = attempts.removeEnded()
                attempts.running.append((number, attempt))
                return ended
            }
        }

        func received(_ count: Int, of number: Int) {
            attempts.withLock { attempts in
                if let index = attempts.index(of: number) { attempts.running[index].attempt.receivedBytes += count }
            }
        }

        /// Notes the result of an attempt, and removes it unless its body is still read. Returns nil if it is not of this call.
        func end(_ number: Int, _ result: RequestResult, isReading: Bool) -> Attempt? {
            attempts.withLock { attempts in
                guard let index = attempts.index(of: number) else { return nil }
                attempts.running[index].attempt.result = result
                return isReading ? attempts.running[index].attempt : attempts.running.remove(at: index).attempt
            }
        }

        /// Removes and returns the attempts that have not ended.
        func end() -> [Attempt] { attempts.withLock { exchange(&$0.running, with: []).map(\.attempt) } }
    }

    private struct Attempt {
        let target: TargetMeters
        let began: ContinuousClock.Instant?
        let sentBytes: Int64
        var receivedBytes = 0
        /// How it ended, or nil while it is running.
        var result: RequestResult?
    }

    /// The attempts of a call with their numbers. A list, because there are few.
    private struct Attempts {
        var running: [(number: Int, attempt: Attempt)] = []

        func index(of number: Int) -> Int? { running.firstIndex { $0.number == number } }

        mutating func removeEnded() -> [Attempt] {
            guard running.contains(where: { $0.attempt.result != nil }) else { return [] }
            let ended = running.filter { $0.attempt.result != nil }
            running.removeAll { $0.attempt.result != nil }
            return ended.map(\.attempt)
        }
    }

    private let factory: (any MetricsFactory)?
    private let client: String
    private let known: KnownTargets
    private let route: (@Sendable (CallInfo) -> String)?
    /// The metrics of the latest factory.
    private let meters = Locked<RequestMeters?>(nil)

    /// Creates an observer that records with a factory.
    ///
    /// - Parameters:
    ///   - factory: The factory. Default: nil, `MetricsSystem.factory` when a call begins: from swift-metrics 2.10 on that of the task
    ///     (`withMetricsFactory`), else that of the process. If it is not a class, each call asks it for its handlers again.
    ///   - client: The value of `martlet.client`, such as `payments`. Default: empty.
    ///   - maxRoutes: The maximum number of combinations of a method, a template, an operation and a server. Default: 200.
    ///   - route: Returns the `url.template` of a call, which must not contain values such as IDs. Default: nil, the template of its path,
    ///     as in spans and logs.
    public init(
        factory: (any MetricsFactory)? = nil, client: String = "", maxRoutes: Int = 200,
        route: (@Sendable (CallInfo) -> String)? = nil
    ) {
        self.factory = factory
        self.client = client
        known = KnownTargets(limit: max(0, maxRoutes))
        self.route = route
    }

    /// Records what an event says about a call.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        switch event {
        case .started(let request): started(request, call)
        case .attemptStarted(let number, let request): attemptStarted(number, request, call)
        case .bodyReceived(let number, let bytes): running(call)?.received(bytes.count, of: number)
        case .step(let step): stepEnded(step.kind, call)
        case .ended(let outcome, let time): ended(outcome, after: time, call)
        default: break
        }
    }

    private func running(_ call: CallInfo) -> Running? { call.state(of: self) as? Running }

    private func started(_ request: HTTPRequest?, _ call: CallInfo) {
        let meters = currentMeters, method = request?.method ?? call.method, origin = request?.origin
        let route = route?(call) ?? HTTPConventions.template(call.pathTemplate)
        let target = meters.meters(for: Target(client: client, method: method, origin: origin, template: route, of: call))
        let running = Running(meters, route, target, method, origin, request?.context.time)
        // A client may have this observer twice.
        call.keep(running, of: self)
    }

    /// The metrics of the factory for a call that begins in this task.
    private var currentMeters: RequestMeters {
        if factory != nil, let meters = meters.withLock({ $0 }) { return meters }
        let isFixed = self.factory != nil, factory = factory ?? MetricsSystem.factory
        return meters.withLock { latest in
            if let meters = latest, isFixed || meters.areMade(by: factory) { return meters }
            let meters = RequestMeters(factory, known)
            latest = meters
            return meters
        }
    }

    private func attemptStarted(_ number: Int, _ request: HTTPRequest, _ call: CallInfo) {
        guard let running = running(call) else { return }
        let method = request.method, origin = request.origin
        // Most requests go where the first one of their call goes.
        let target =
            method == running.method && origin == running.origin
            ? running.target
            : running.meters.meters(for: Target(client: client, method: method, origin: origin, template: running.route, of: call))
        let attempt = Attempt(target: target, began: running.time?.instant, sentBytes: request.body?.length ?? 0)
        guard let ended = running.begin(attempt, number) else { return }
        for attempt in ended { finish(attempt) }
        target.requestStarted()
    }

    private func stepEnded(_ kind: CallTrace.Kind, _ call: CallInfo) {
        switch kind {
        case .attempt(let attempt): attemptEnded(attempt, call)
        case .cache(let status): running(call)?.target.cacheRequest(status)
        default: break
        }
    }

    private func attemptEnded(_ attempt: CallTrace.Attempt, _ call: CallInfo) {
        guard let outcome = attempt.outcome else { return }
        let result = RequestResult(outcome, named: attempt.errorName), isReading = call.isStreamed && result.status != nil
        // The body of a streamed response follows.
        guard let ended = running(call)?.end(attempt.number, result, isReading: isReading) else { return }
        ended.target.meters(for: result).requestDuration(attempt.duration ?? .zero)
        if !isReading { finish(ended) }
    }

    /// Records what is known when no more bytes of an attempt arrive.
    private func finish(_ attempt: Attempt) {
        attempt.target.requestEnded()
        if attempt.sentBytes > 0 { attempt.target.requestBody(attempt.sentBytes) }
        if let result = attempt.result, result.status != nil { attempt.target.meters(for: result).responseBody(attempt.receivedBytes) }
    }

    private func ended(_ outcome: CallOutcome, after time: Duration, _ call: CallInfo) {
        guard let running = call.endState(of: self) as? Running else { return }
        for var attempt in running.end() {
            if attempt.result == nil {
                // Observers do not see the end of an attempt that the end of its call interrupts.
                let result = RequestResult(interruptedBy: outcome)
                attempt.result = result
                let duration = attempt.began.flatMap { began in running.time.map { began.duration(to: $0.instant) } }
                attempt.target.meters(for: result).requestDuration(duration ?? .zero)
            }
            finish(attempt)
        }
        running.target.meters(for: RequestResult(outcome)).callDuration(time)
    }
}
#endif
