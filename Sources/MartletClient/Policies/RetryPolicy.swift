/// The rules by which a `RetryInterceptor` decides whether a request is sent again, and after which wait.
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
/// ### Implement a rule of your own
/// A retry is decided in this order, and the first step that refuses it ends the call:
///
/// 1. A cancelled call is never sent again.
/// 2. ``hook`` decides: `.no` ends the call, `.yes` skips the rules of the next step. A hook looks only at the attempt, does not block, and
///    says `.yes` for a request that is not idempotent only if it may take effect twice.
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

    /// The decision of the policy's ``hook`` about an attempt that has ended.
    public enum Answer: Sendable, Hashable {
        /// The request is sent again, regardless of the method, the status or the failure, if attempts and time are left.
        ///
        /// The number of attempts, the deadline, the budget, and a body that can't be replayed still prevent a retry. A request that is not
        /// idempotent may take effect twice.
        case yes
        /// The request is not sent again, and the caller receives the outcome.
        case no
        /// The rules of the policy decide.
        case asUsual
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
    public var hook: (@Sendable (RetryAttempt) -> Answer)?

    /// Creates a retry policy. A rule that is left out has its default.
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
