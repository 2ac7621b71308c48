/// When a request is sent again, and after what wait: a value that decides without doing anything.
///
/// ```swift
/// var policy = RetryPolicy(maxAttempts: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(5)))
/// policy.statuses.remove(.internalServerError)
/// policy.hook = { $0.response?.headers["X-Do-Not-Retry"] == nil ? .asUsual : .no }
/// ```
///
/// ### What is sent again
/// A request whose method is idempotent (RFC 9110 §9.2.2) or that carries an `Idempotency-Key`, whose body can be replayed, and which was
/// answered with one of ``statuses`` or failed with one of ``failures``, as long as there were fewer than ``maxAttempts``.
///
/// ### How long is waited
/// What the server asks for (`Retry-After`, RFC 9110 §10.2.3, in seconds or as a date; for a 429 without it `RateLimit-Reset`), exactly,
/// neither shorter nor longer. When it asks for nothing, for no wait at all, or for something that can't be read (words, a negative
/// number), ``backoff`` rules. A server that asks for more than ``maxRetryAfter`` gets no further attempt, rather than one that is too early.
///
/// A wait that would reach the call's deadline is not begun: the last outcome is the caller's at once.
public struct RetryPolicy: Sendable {
    /// What may go wrong without an answer and be worth another attempt.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// A connection failed or was lost before the response's head: any `.networkError` except `.other` and ``truncation``.
        case connection
        /// `.timeout` of one attempt. That of the whole call leaves no time for another.
        case timeout
        /// A response whose body was truncated or can't be decoded: `.networkError(.connectionLost)` or `.invalidResponse` with the stage
        /// `.body`. The server has processed the request and processes it again.
        case truncation
        /// `.networkError(.other)`: what the transport has no word for. Not in the default.
        case other
    }

    /// What a hook says about an attempt that has ended.
    public enum Answer: Sendable, Hashable {
        /// Send it again, whatever method, status or failure. The other limits stay: attempts, deadline, budget, and that the body
        /// can be replayed. Saying so for a request that is not idempotent means that its effect may come twice.
        case yes
        /// Don't.
        case no
        /// As the policy would without the hook.
        case asUsual
    }

    /// How often the request is sent in all, the first time included. Default: 3. One or less means never again.
    public var maxAttempts: Int
    /// The wait when the server asks for none. Default: exponential from half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The statuses worth another attempt. Default: 408, 429, 500, 502, 503, 504.
    public var statuses: Set<HTTPStatus>
    /// The failures that are retried. Default: connection failures, timeouts of an attempt, and truncated responses.
    public var failures: Set<Failure>
    /// The methods that may be sent again without an `Idempotency-Key`. Default: the idempotent ones (RFC 9110 §9.2.2).
    public var methods: Set<HTTPMethod>
    /// The longest wait that a server may ask for; past it there is no retry. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// Asked before the policy's own rules, unless the call was cancelled. It must not block. Default: nil.
    public var hook: (@Sendable (RetryAttempt) -> Answer)?

    /// A policy, each rule with its default.
    public init(
        maxAttempts: Int = 3, backoff: Backoff = .exponential(), statuses: Set<HTTPStatus> = RetryPolicy.transientStatuses,
        failures: Set<Failure> = [.connection, .timeout, .truncation], methods: Set<HTTPMethod> = RetryPolicy.idempotentMethods,
        maxRetryAfter: Duration = .seconds(60), hook: (@Sendable (RetryAttempt) -> Answer)? = nil
    ) {
        self.maxAttempts = maxAttempts
        self.backoff = backoff
        self.statuses = statuses
        self.failures = failures
        self.methods = methods
        self.maxRetryAfter = maxRetryAfter
        self.hook = hook
    }

    /// The policy with every default.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// Nothing is sent again.
    public static var never: RetryPolicy { RetryPolicy(maxAttempts: 1) }

    /// The statuses that may be others in a moment: 408, 429, 500, 502, 503, 504.
    public static var transientStatuses: Set<HTTPStatus> {
        [.requestTimeout, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout]
    }

    /// The methods for which twice is as once (RFC 9110 §9.2.2).
    public static var idempotentMethods: Set<HTTPMethod> { [.get, .head, .options, .trace, .put, .delete, "QUERY"] }
}

extension RequestContext {
    /// The retry policy of this call, in place of the interceptor's; nil for that one. Default: nil.
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
