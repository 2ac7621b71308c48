/// The rules that decide whether a request is sent again, and after which wait.
///
/// ```swift
/// var policy = RetryPolicy(maxAttempts: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(5)))
/// policy.statuses.remove(.internalServerError)
/// policy.hook = { $0.response?.headers["X-Do-Not-Retry"] == nil ? .asUsual : .no }
/// ```
///
/// ### When a request is sent again
/// All of these must be true: its method is idempotent (RFC 9110 §9.2.2) or it has an `Idempotency-Key`; its body can be replayed; it
/// received one of ``statuses`` or failed with one of ``failures``; and there were fewer than ``maxAttempts`` attempts.
///
/// ### How long the wait is
/// The wait is exactly the one that the server asks for with `Retry-After` (RFC 9110 §10.2.3, in seconds or as a date), or for a 429
/// without it with `RateLimit-Reset` or `X-RateLimit-Reset`. If the server asks for no wait, or with a malformed value (words, a negative
/// number), ``backoff`` determines the wait. If the server asks for more than ``maxRetryAfter``, the request is not sent again, because a
/// shorter wait would be too early.
///
/// If the wait would reach the call's deadline, the call ends immediately with the last outcome.
public struct RetryPolicy: Sendable {
    /// A kind of failure that a retry may resolve. No complete response was received.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// A connection failed or was lost before the response's head: any `.networkError` except `.other` and ``truncation``.
        case connection
        /// `.timeout` of one attempt. The timeout of the whole call leaves no time for another attempt.
        case timeout
        /// A response whose body was truncated or can't be decoded: `.networkError(.connectionLost)` or `.invalidResponse` with the stage
        /// `.body`. The server has processed the request and will process it again.
        case truncation
        /// `.networkError(.other)`: a failure that the transport can't classify. It is not in the default.
        case other
    }

    /// The decision of a hook about an attempt that has ended.
    public enum Answer: Sendable, Hashable {
        /// Retry, regardless of the method, the status or the failure.
        ///
        /// The number of attempts, the deadline, the budget, and a body that can't be replayed still prevent a retry. A request that is not
        /// idempotent may take effect twice.
        case yes
        /// Do not retry.
        case no
        /// Apply the rules of the policy.
        case asUsual
    }

    /// The maximum number of attempts, including the first. Default: 3. With one or less, the request is never sent again.
    public var maxAttempts: Int
    /// The delays if the server asks for no wait. Default: exponential from half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The statuses that are retried. Default: 408, 429, 500, 502, 503, 504.
    public var statuses: Set<HTTPStatus>
    /// The failures that are retried. Default: connection failures, timeouts of an attempt, and truncated responses.
    public var failures: Set<Failure>
    /// The methods that are retried without an `Idempotency-Key`. Default: the idempotent ones (RFC 9110 §9.2.2).
    public var methods: Set<HTTPMethod>
    /// The longest wait that a server may ask for. A longer wait means no retry. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// A closure that decides before the policy's rules, unless the call was cancelled. It must not block. Default: nil.
    public var hook: (@Sendable (RetryAttempt) -> Answer)?

    /// Creates a policy. A rule that is left out has its default.
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

    /// The policy that never sends a request again.
    public static var never: RetryPolicy { RetryPolicy(maxAttempts: 1) }

    /// The statuses of errors that may pass: 408, 429, 500, 502, 503, 504.
    public static var transientStatuses: Set<HTTPStatus> {
        [.requestTimeout, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout]
    }

    /// The methods that have the same effect when a request is repeated (RFC 9110 §9.2.2).
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
