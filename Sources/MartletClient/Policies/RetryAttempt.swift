public import MartletEssentials

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
    /// Whether another attempt follows, and the reason.
    public enum Decision: Sendable, Hashable {
        /// Another attempt follows after this wait.
        case retry(after: Duration, reason: String)
        /// No attempt follows, and the caller receives the outcome.
        case stop(reason: String)

        /// The wait before the next attempt, or nil if none follows.
        public var wait: Duration? { if case .retry(let wait, _) = self { wait } else { nil } }

        /// The reason, for developers, without secrets.
        public var reason: String {
            switch self {
            case .retry(_, let reason), .stop(let reason): reason
            }
        }
    }
}
