public import MartletEssentials

/// The rules by which a `RetryInterceptor` decides whether a request is sent again, and after which wait.
///
/// ```swift
/// var policy = RetryPolicy(maxAttempts: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(5)))
/// policy.statuses.remove(.internalServerError)
/// policy.hook = { $0.response?.headers["X-Do-Not-Retry"] == nil ? .applyRules : .stop }
/// ```
///
/// ### When a request is sent again
/// All of these must be true: its method is idempotent (RFC 9110 §9.2.2) or it has an `Idempotency-Key`; its body can be replayed; it
/// received one of ``statuses`` or failed with one of ``failures``; and there were fewer than ``maxAttempts`` attempts.
///
/// ### Implement a rule of your own
/// A retry is decided in this order, and the first step that refuses it ends the call:
///
/// 1. A cancelled call is never sent again.
/// 2. ``hook`` decides: `.stop` ends the call, `.retryRegardless` skips the rules of the next step. A hook looks only at the attempt, does
///    not block, and returns `.retryRegardless` for a request that is not idempotent only if it may take effect twice.
/// 3. The rules: ``statuses`` or ``failures``, then ``methods`` or an `Idempotency-Key`.
/// 4. The body can be replayed, and ``maxAttempts`` is not reached.
/// 5. The wait is at most ``maxRetryAfter`` if the server asks for it, and ends before the call's deadline.
/// 6. The interceptor's `RetryBudget` has room.
///
/// The article "Retrying failed requests" of the module `Martlet` shows a hook. A retry interceptor of your own calls
/// ``decision(after:random:)``, which takes steps 1 to 5, after each attempt.
///
/// ### How long the wait is
/// The wait is exactly the one that the server asks for with `Retry-After` (RFC 9110 §10.2.3, in seconds or as a date), or for a 429
/// without it with `RateLimit-Reset` or `X-RateLimit-Reset`. If the server asks for no wait, or with a malformed value (words, a negative
/// number), ``backoff`` determines the wait. If the server asks for more than ``maxRetryAfter``, the request is not sent again, because a
/// shorter wait would be too early.
///
/// If the wait would reach the call's deadline, the call ends immediately with the last outcome.
public struct RetryPolicy: Sendable {
    /// A kind of failure without a complete response that a policy can retry.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// The connection failed, or was lost before the response's head arrived. It is any `.networkError` except `.other` and
        /// ``truncation``.
        case connection
        /// The response to one attempt did not arrive in time. The timeout of the whole call leaves no time for another attempt.
        case timeout
        /// The body of the response was truncated, or its content coding could not be decoded. It is `.networkError(.connectionLost)` or
        /// `.invalidResponse` with the stage `.body`. The server has processed the request and will process it again.
        case truncation
        /// The network failed in a way that the transport can't classify (`.networkError(.other)`). It is not in the default.
        case other
    }

    /// What a ``hook`` decides about an attempt.
    public enum HookDecision: Sendable, Hashable {
        /// The rules of the policy decide, as without a hook.
        case applyRules
        /// The request is not sent again; the caller receives the outcome.
        case stop
        /// The request is sent again, regardless of its method and of its outcome, which may be a success.
        ///
        /// A request that is not idempotent may take effect twice. The number of attempts, the deadline, the budget, and a body that can't
        /// be replayed still prevent a retry.
        case retryRegardless
    }

    /// What follows an attempt.
    public struct Decision: Sendable, Hashable {
        /// The wait before the next attempt, or nil if none follows.
        public let wait: Duration?
        /// The reason, for developers and without secrets.
        public let reason: String

        package init(_ wait: Duration?, _ reason: String) {
            self.wait = wait
            self.reason = reason
        }
    }

    /// The maximum number of attempts, including the first. Default: 3. With one or less, the request is never sent again.
    public var maxAttempts: Int
    /// The delays before further attempts if the server asks for no wait. Default: exponential from half a second, full jitter, at most 20
    /// seconds.
    public var backoff: Backoff
    /// The response statuses after which a request is sent again. Default: 408, 429, 500, 502, 503, 504.
    public var statuses: Set<HTTPStatus>
    /// The kinds of failure after which a request is sent again. Default: connection failures, timeouts of an attempt, and truncated
    /// responses.
    public var failures: Set<Failure>
    /// The methods whose requests are sent again without an `Idempotency-Key`. Default: ``idempotentMethods``.
    public var methods: Set<HTTPMethod>
    /// The longest wait that a server may ask for; if it asks for more, the request is not sent again. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// A closure that decides before the policy's rules about each ended attempt, except cancelled ones. It must not block. Default: nil.
    public var hook: (@Sendable (RetryAttempt) -> HookDecision)?

    /// Creates a retry policy. A rule that is left out has its default.
    public init(
        maxAttempts: Int = 3, backoff: Backoff = .exponential(), statuses: Set<HTTPStatus> = RetryPolicy.transientStatuses,
        failures: Set<Failure> = [.connection, .timeout, .truncation], methods: Set<HTTPMethod> = RetryPolicy.idempotentMethods,
        maxRetryAfter: Duration = .seconds(60), hook: (@Sendable (RetryAttempt) -> HookDecision)? = nil
    ) {
        self.maxAttempts = maxAttempts
        self.backoff = backoff
        self.statuses = statuses
        self.failures = failures
        self.methods = methods
        self.maxRetryAfter = maxRetryAfter
        self.hook = hook
    }

    /// The default policy, with at most three attempts of an idempotent request.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// The policy that never sends a request again.
    public static var never: RetryPolicy { RetryPolicy(maxAttempts: 1) }

    /// The statuses of failures that may be temporary, which are 408, 429, 500, 502, 503 and 504.
    public static var transientStatuses: Set<HTTPStatus> {
        [.requestTimeout, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout]
    }

    /// The idempotent methods, which may be sent again, namely GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110 §9.2.2), and QUERY.
    public static var idempotentMethods: Set<HTTPMethod> { [.get, .head, .options, .trace, .put, .delete, "QUERY"] }
}

extension RequestContext {
    /// The retry policy of this call, used instead of the interceptor's. Default: nil, the interceptor's policy.
    ///
    /// ```swift
    /// var options = CallOptions()
    /// options.retryPolicy = .never
    /// ```
    public var retryPolicy: RetryPolicy? {
        get { self[only: RetryPolicy.self] }
        set { self[only: RetryPolicy.self] = newValue }
    }
}

/// An attempt that has ended: the input of a ``RetryPolicy``.
public struct RetryAttempt: Sendable {
    /// The request that was sent.
    public let request: HTTPRequest
    /// The response without its body, whatever its status, or the error.
    public let outcome: Result<HTTPResponse<Void>, HTTPError>
    /// The number of the attempt, 1 for the first. Each hop of a redirect counts from 1 again.
    public let number: Int
    /// The wait before this attempt; zero for the first.
    public let previousWait: Duration
    /// The current time, with which dates in the response are compared.
    public let now: Date
    /// The time until the call's deadline, or nil if the call has none.
    public let remaining: Duration?

    /// Creates the description of an attempt that has ended, for your own retry interceptor or a test of a policy.
    public init(
        request: HTTPRequest, outcome: Result<HTTPResponse<Void>, HTTPError>, number: Int = 1, previousWait: Duration = .zero, now: Date,
        remaining: Duration? = nil
    ) {
        self.request = request
        self.outcome = outcome
        self.number = number
        self.previousWait = previousWait
        self.now = now
        self.remaining = remaining
    }

    /// The response, or nil if the attempt failed without one.
    public var response: HTTPResponse<Void>? { if case .success(let response) = outcome { response } else { nil } }

    /// The error, or nil if there is a response.
    public var error: HTTPError? { if case .failure(let error) = outcome { error } else { nil } }
}

extension RetryPolicy {
    /// Returns what follows an attempt that has ended: another one after a wait, or none. It sends nothing. Use it in your own retry
    /// interceptor and in tests of a policy.
    ///
    /// The decision depends only on the attempt and the random numbers for the jitter. It does not take a `RetryBudget` into account.
    public func decision(after attempt: RetryAttempt, random: any RandomSource = .system) -> Decision {
        if case .failure(.cancelled) = attempt.outcome {
            let hasExpired = attempt.remaining.map { $0 <= .zero } ?? false
            return Decision(nil, hasExpired ? "the call reached its deadline" : "the call was cancelled")
        }
        let ruling = hook?(attempt) ?? .applyRules
        if ruling == .stop { return Decision(nil, "the policy's hook said no") }
        let cause = ruling == .retryRegardless ? "the policy's hook said yes" : cause(of: attempt)
        guard let cause else { return Decision(nil, RetryPolicy.noCause(attempt)) }
        if ruling != .retryRegardless, !mayRepeat(attempt.request) {
            return Decision(
                nil, "\(Redaction.line(attempt.request.method.rawValue, limit: 40)) is not idempotent and has no Idempotency-Key")
        }
        guard attempt.request.isReplayable else { return Decision(nil, "the body is a stream and can't be sent again") }
        guard attempt.number < maxAttempts else { return Decision(nil, "it was the last of \(max(1, maxAttempts)) attempts") }
        return wait(for: attempt, cause, random)
    }

    /// Whether every response with this status is final: below 400, not in ``statuses``, and without a hook. Nothing is recorded for it.
    package func delivers(_ status: HTTPStatus) -> Bool { hook == nil && status.rawValue < 400 && !statuses.contains(status) }

    private func wait(for attempt: RetryAttempt, _ cause: String, _ random: any RandomSource) -> Decision {
        let asked = attempt.response.flatMap { ServerWait.asked(by: $0, now: attempt.now) } ?? .zero
        guard asked <= maxRetryAfter else {
            return Decision(nil, "the server asks for a wait of \(asked.shortText), longer than the allowed \(maxRetryAfter.shortText)")
        }
        let isAsked = asked > .zero
        let wait = isAsked ? asked : backoff.delay(afterAttempt: attempt.number, previous: attempt.previousWait, random: random)
        if let remaining = attempt.remaining, wait >= remaining {
            return Decision(nil, "a wait of \(wait.shortText) would reach the deadline, \(max(.zero, remaining).shortText) away")
        }
        return Decision(wait, isAsked ? cause + ", and asks for this wait" : cause)
    }

    private func mayRepeat(_ request: HTTPRequest) -> Bool {
        request.context.isIdempotent ?? (methods.contains(request.method) || request.headers.hasIdempotencyKey)
    }

    /// Returns the reason why the attempt can be retried, or nil if it can't.
    private func cause(of attempt: RetryAttempt) -> String? {
        switch attempt.outcome {
        case .success(let response): return statuses.contains(response.status) ? "the server responded with \(response.status)" : nil
        case .failure(let error):
            guard let failure = Failure(error), failures.contains(failure) else { return nil }
            switch failure {
            case .timeout: return "the attempt timed out"
            case .truncation: return "the response was cut short"
            case .connection, .other: return "the network failed: \(CallTrace.Outcome(error))"
            }
        }
    }

    private static func noCause(_ attempt: RetryAttempt) -> String {
        switch attempt.outcome {
        // Not reported, and by far the most common: creating a text would cost more than the rest of the decision.
        case .success(let response) where response.status.rawValue < 400: "it succeeded"
        case .success(let response): "\(response.status) is not a status to retry"
        case .failure: "it is not a failure to retry"
        }
    }
}

extension RetryPolicy.Failure {
    /// Classifies an error, or returns nil for an error of another kind.
    fileprivate init?(_ error: HTTPError) {
        switch error {
        case .networkError(let failure) where failure.kind == .connectionLost && error.stage == .body: self = .truncation
        case .networkError(let failure): self = failure.kind == .other ? .other : .connection
        case .timeout: self = .timeout
        case .invalidResponse where error.stage == .body: self = .truncation
        default: return nil
        }
    }
}

/// Reads the wait that a server asks for.
package enum ServerWait {
    /// Returns the wait in `Retry-After` (RFC 9110 §10.2.3); for a 429 without it, that in `RateLimit-Reset` or `X-RateLimit-Reset`.
    /// Returns nil if the field is missing or malformed.
    ///
    /// Other responses also report their quota, but it does not say when the failure passes.
    package static func asked(by response: HTTPResponse<Void>, now: Date) -> Duration? {
        // A date is relative to the server's own clock if the response has a `Date`.
        let clock = response.headers[.date].flatMap { HTTPDate($0, now: now)?.date } ?? now
        if let wait = response.headers.retryAfter(now: clock) { return wait }
        guard response.status == .tooManyRequests else { return nil }
        return ["RateLimit-Reset", "X-RateLimit-Reset"].lazy
            .compactMap { name in response.headers.values(for: name).compactMap { reset($0, clock) }.max() }.first
    }

    /// Numbers from this one on are seconds since 1970. As a time span it would be 31 years.
    private static let firstMoment: Int64 = 1_000_000_000

    /// Reads seconds from now (draft-ietf-httpapi-ratelimit-headers-07 §5.3), or seconds since 1970, which some servers send.
    private static func reset(_ field: String, _ now: Date) -> Duration? {
        guard let seconds = HTTPFields.seconds(field) else { return nil }
        guard seconds < Int64(Int32.max) * 2 else { return .seconds(Int32.max) }
        guard seconds >= firstMoment else { return .seconds(seconds) }
        let rest = Double(seconds) - now.timeIntervalSince1970
        return .milliseconds(Int64((min(max(0, rest), Double(Int32.max)) * 1000).rounded(.up)))
    }
}
