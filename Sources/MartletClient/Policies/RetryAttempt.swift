public import MartletEssentials

/// An attempt that has ended: all that a ``RetryPolicy`` decides by.
public struct RetryAttempt: Sendable {
    /// How an attempt ended.
    public enum Outcome: Sendable {
        /// With a response, whose body is left out.
        case response(HTTPResponse<Void>)
        /// With an error.
        case failure(HTTPError)
    }

    /// The request that was sent.
    public let request: HTTPRequest
    /// How it ended.
    public let outcome: Outcome
    /// Which attempt it was: 1 for the first.
    public let number: Int
    /// How long was waited before it; zero before the first.
    public let previousWait: Duration
    /// The time on the wall clock, against which dates are measured.
    public let now: Date
    /// How much is left until the call's deadline; nil when it has none.
    public let remaining: Duration?

    /// An attempt that has ended.
    public init(
        request: HTTPRequest, outcome: Outcome, number: Int = 1, previousWait: Duration = .zero, now: Date, remaining: Duration? = nil
    ) {
        self.request = request
        self.outcome = outcome
        self.number = number
        self.previousWait = previousWait
        self.now = now
        self.remaining = remaining
    }

    /// The response, when there was one.
    public var response: HTTPResponse<Void>? { if case .response(let response) = outcome { response } else { nil } }

    /// The error, when there was no response.
    public var error: HTTPError? { if case .failure(let error) = outcome { error } else { nil } }
}

/// What follows an attempt, and why.
public enum RetryDecision: Sendable, Hashable {
    /// Another one, after this wait.
    case retry(after: Duration, reason: String)
    /// None: the outcome is the caller's.
    case stop(reason: String)

    /// How long to wait for the next attempt; nil when there is none.
    public var wait: Duration? { if case .retry(let wait, _) = self { wait } else { nil } }

    /// Why, in words for developers, without secrets.
    public var reason: String {
        switch self {
        case .retry(_, let reason), .stop(let reason): reason
        }
    }
}
