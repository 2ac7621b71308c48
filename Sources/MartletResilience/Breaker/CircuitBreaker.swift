internal import MartletSystem

/// An interceptor that stops sending to a server that fails, so that calls fail immediately and the server can recover.
///
/// ```swift
/// let breaker = CircuitBreaker(.init(failureShare: 0.5, minimumCalls: 20, openDuration: .seconds(10)))
/// let client = HTTPClient(baseURL: url, interceptors: [RetryInterceptor(), breaker])
/// print(breaker.states)  // ["https://api.example": closed]
/// ```
///
/// - **Closed**: Requests pass. If at least ``Rules/minimumCalls`` requests ended in the last ``Rules/window``, and
///   ``Rules/failureShare`` of them failed or ``Rules/slowShare`` of them were slow, the circuit opens.
/// - **Open**: Requests throw `HTTPError.circuitOpen` and nothing is sent. `HTTPError.retryAfter` is the time until the next probe, and the
///   trace of the call names the circuit.
/// - **Half open**: After ``Rules/openDuration``, at most ``Rules/probes`` requests pass as probes. If all succeed, the circuit closes. If
///   one fails or is slow, or they do not end within the longer of ``Rules/openDuration`` and ``Rules/slowDuration``, it opens again.
///
/// Network failures, timeouts, invalid responses and statuses from 500 to 599 are failures by default. All other responses are successes,
/// also 429. Cancelled requests, `.offline` and all other errors do not count. A request that is cancelled because its deadline has passed
/// counts as a timeout, unless it was still waiting in the queue of a limit inside. Durations end with the response, for a streamed one
/// with its head, and leave out waits of the limits inside.
///
/// A ``SharedTrafficState`` lets the processes of a fleet share their circuits.
///
/// `RetryInterceptor` does not retry `.circuitOpen`. Share one breaker among the clients of one service. Place it inside retry and outside
/// the limits.
public final class CircuitBreaker: Interceptor, CredentialAddingInterceptor {
    /// The numbers that decide when a circuit opens and closes.
    public struct Rules: Sendable, Hashable {
        /// The share of failed requests at which the circuit opens. Default: 0.5.
        public var failureShare: Double
        /// The share of slow requests at which the circuit opens. Default: 0.8.
        public var slowShare: Double
        /// The duration from which a successful request is slow. Default: 30 seconds.
        public var slowDuration: Duration
        /// The number of requests in the window from which the shares count. Default: 20.
        public var minimumCalls: Int
        /// The period over which requests are counted, at least 10 ms. Default: 30 seconds.
        public var window: Duration
        /// How long the circuit stays open before probes pass. Default: 10 seconds.
        public var openDuration: Duration
        /// The number of probes, all of which must succeed. Default: 3. Less than 1 counts as 1.
        public var probes: Int

        /// Creates rules. Each parameter has the default of its property.
        public init(
            failureShare: Double = 0.5, slowShare: Double = 0.8, slowDuration: Duration = .seconds(30), minimumCalls: Int = 20,
            window: Duration = .seconds(30), openDuration: Duration = .seconds(10), probes: Int = 3
        ) {
            self.failureShare = failureShare
            self.slowShare = slowShare
            self.slowDuration = slowDuration
            self.minimumCalls = minimumCalls
            self.window = window
            self.openDuration = openDuration
            self.probes = max(1, probes)
        }
    }

    /// The state of a circuit.
    public enum State: Sendable, Hashable {
        /// Requests pass.
        case closed
        /// Requests are rejected until the instant of the next probe.
        case open(nextProbe: ContinuousClock.Instant)
        /// A limited number of requests passes as probes.
        case halfOpen
    }

    /// The numbers that decide when a circuit opens and closes.
    public let rules: Rules
    private let scope: TrafficScope
    private let isFailure: @Sendable (Result<HTTPResponse<Void>, HTTPError>) -> Bool
    private let time: InheritedTime
    private let circuits: Locked<ScopedStates<Circuit>>
    private let shared: SharedCircuits?

    /// Creates a circuit breaker with closed circuits, for this process.
    ///
    /// - Parameters:
    ///   - rules: The numbers that decide when a circuit opens and closes.
    ///   - scope: The requests that share a circuit. Default: those of one origin. At most 1,000 circuits are kept.
    ///   - time: The clock. Default: nil, the client's.
    ///   - isFailure: Decides whether an outcome is a failure of the server. It is not called for cancelled requests. Default:
    ///     ``isServerFailure(_:)``.
    public convenience init(
        _ rules: Rules = Rules(), scope: TrafficScope = .origin, time: (any TimeSource)? = nil,
        isFailure: @escaping @Sendable (Result<HTTPResponse<Void>, HTTPError>) -> Bool = CircuitBreaker.isServerFailure
    ) {
        self.init(rules, scope, time, isFailure, shared: nil)
    }

    /// Creates a circuit breaker whose circuits the processes of a fleet share in a store.
    ///
    /// - Parameters:
    ///   - rules: The numbers that decide when a circuit opens and closes.
    ///   - name: The name of the breaker in the store. All processes use the same name and the same rules; breakers with different rules
    ///     need different names.
    ///   - state: The store.
    ///   - refreshInterval: The time after which a request causes the shared state to be read again, at least 10 ms. Default: 1 second.
    ///   - scope: The requests that share a circuit. Default: those of one origin. At most 1,000 circuits are kept.
    ///   - time: The clock. Default: nil, the client's.
    ///   - isFailure: Decides whether an outcome is a failure of the server. It is not called for cancelled requests. Default:
    ///     ``isServerFailure(_:)``.
    public convenience init(
        _ rules: Rules = Rules(), sharedAs name: String, in state: any SharedTrafficState, refreshInterval: Duration = .seconds(1),
        scope: TrafficScope = .origin, time: (any TimeSource)? = nil,
        isFailure: @escaping @Sendable (Result<HTTPResponse<Void>, HTTPError>) -> Bool = CircuitBreaker.isServerFailure
    ) {
        self.init(rules, scope, time, isFailure, shared: (state, name, refreshInterval))
    }

    private init(
        _ rules: Rules, _ scope: TrafficScope, _ time: (any TimeSource)?,
        _ isFailure: @escaping @Sendable (Result<HTTPResponse<Void>, HTTPError>) -> Bool,
        shared: (state: any SharedTrafficState, name: String, refreshInterval: Duration)?
    ) {
        self.rules = rules
        self.scope = scope
        self.isFailure = isFailure
        let time = InheritedTime(time), circuits = Locked(ScopedStates(retention: { circuit, _ in circuit.retention }) { Circuit(rules) })
        self.time = time
        self.circuits = circuits
        self.shared = shared.map { SharedCircuits($0.state, $0.name, $0.refreshInterval, rules, circuits, time) }
    }

    /// The states of all circuits that were used, by the names of their groups (``TrafficScope``).
    public var states: [String: State] {
        let instant = time.instant
        return circuits.withLock { $0.all }.mapValues { $0.state(at: instant) }
    }

    /// Returns the state of the circuit of a request.
    public func state(for request: HTTPRequest) -> State { states[scope.name(for: request)] ?? .closed }

    /// Returns whether an outcome is a failure by default: a network failure other than `.offline`, a timeout, an invalid response, or a
    /// status from 500 to 599.
    public static func isServerFailure(_ outcome: Result<HTTPResponse<Void>, HTTPError>) -> Bool {
        switch outcome {
        case .success(let response): response.status.kind == .serverError
        case .failure(.networkError(let failure)): failure.kind != .offline
        case .failure(.timeout), .failure(.invalidResponse): true
        case .failure: false
        }
    }

    /// Whether the interceptor waits only for `next`: it does unless its circuits are shared with other processes.
    public var endsByDeadline: Bool { shared == nil }

    /// Sends the request if the circuit admits it, and records its outcome. Throws `.circuitOpen` otherwise.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        time.adopt(request.context)
        let group = scope.name(for: request)
        let began = time.instant
        let pass: Circuit.Pass, probe: Int64?
        var admission = circuits.withLock { $0.with(group, at: began) { $0.admit(at: began) } }
        if let shared { (admission, probe) = await shared.admission(admission, group) } else { probe = nil }
        switch admission {
        case .rejected(let until): throw rejection(of: request, group, until: until, at: began)
        case .admitted(let admitted): pass = admitted
        }
        if pass.isProbe { request.context.record?.note("a probe of the open circuit of \(group)") }
        var request = request
        let limitWait = LimitWait()
        request.context.limitWait = limitWait
        let outcome: Result<HTTPResponse<HTTPBody>, HTTPError>
        do throws(HTTPError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
        let ended = time.instant
        let seen = observation(
            outcome.map { $0.map { _ in } }, began.duration(to: ended) - limitWait.total, hasExpired: request.context.hasExpired)
        let hasOpened = circuits.withLock { $0.withKnown(group) { $0.finish(pass, seen, at: ended) } } ?? false
        shared?.report(group, seen, hasOpened: hasOpened, probe: probe)
        return try outcome.get()
    }

    private func observation(
        _ outcome: Result<HTTPResponse<Void>, HTTPError>, _ duration: Duration, hasExpired: Bool
    ) -> Circuit.Observation {
        var outcome = outcome
        if case .failure(.cancelled) = outcome {
            // The client cancels the attempt that is running at the deadline.
            guard hasExpired else { return .none }
            outcome = .failure(.timeout)
        }
        if isFailure(outcome) { return .failure }
        if case .success = outcome { return .success(duration) }
        return .none
    }

    /// Returns the error for a request that is not sent, and notes in the trace which circuit is open.
    private func rejection(
        of request: HTTPRequest, _ group: String, until: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) -> HTTPError {
        let wait = max(.zero, now.duration(to: until)), group = Redaction.line(group, limit: 200)
        request.context.record?.note(
            "not sent, because the circuit of \(group) is open; the next probe is possible after \(wait.shortText)")
        return .circuitOpen(
            Explanation(
                "\(group) failed too often; the next probe is possible after \(wait.shortText)",
                context: ErrorContext(stage: .interceptor, retryAfter: wait)))
    }
}

/// The time that a request has waited in queues of limits, which is not the server's.
final class LimitWait: Sendable {
    private let sum = Locked(Duration.zero)

    var total: Duration { sum.withLock { $0 } }

    func add(_ duration: Duration) { sum.withLock { $0 += duration } }
}

extension RequestContext {
    /// The object that counts the time in queues, if an interceptor needs it.
    var limitWait: LimitWait? {
        get { self[only: LimitWait.self] }
        set { self[only: LimitWait.self] = newValue }
    }
}
