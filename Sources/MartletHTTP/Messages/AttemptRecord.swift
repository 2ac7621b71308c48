public import MartletEssentials

/// A record of one attempt of a call by a `RetryInterceptor`: when it began, how it ended, and why it was or was not retried.
///
/// ```swift
/// for attempt in response.metadata.attemptRecords { print(attempt) }
/// // attempt 1: 503 Service Unavailable after 0.2 seconds, retried after 0.5 seconds: the server responded with 503 Service Unavailable
/// // attempt 2: 200 OK after 0.1 seconds: 200 OK is not a status to retry
/// ```
public struct AttemptRecord: Sendable, Hashable {
    /// The outcome of an attempt.
    @nonexhaustive public enum Outcome: Sendable, Hashable {
        /// The server sent a response with this status.
        case status(HTTPStatus)
        /// The connection failed, or was lost before the response was complete.
        case network(NetworkFailure.Kind)
        /// The response did not arrive completely in time, or for a streamed body its head did not.
        case timeout
        /// The task was cancelled.
        case cancelled
        /// Any other error, described for developers and without secrets.
        case failed(String)
    }

    /// The number of the attempt within its call, starting at 1. Attempts before a redirect count.
    public package(set) var number: Int
    /// The start of the attempt on the wall clock.
    public let start: Date
    /// The time from the start until the outcome was known.
    public let duration: Duration
    /// The outcome of the attempt.
    public let outcome: Outcome
    /// The planned wait before the next attempt, or nil if this attempt was the last.
    public let wait: Duration?
    /// Why the attempt was or was not retried.
    public let reason: String
    /// The decisions of other interceptors about the attempt in order, such as a wait of a rate limit or the probe of a circuit breaker.
    public package(set) var decisions: [String]

    package init(
        number: Int = 1, start: Date, duration: Duration, outcome: Outcome, wait: Duration?, reason: String, decisions: [String] = []
    ) {
        self.decisions = decisions
        self.number = number
        self.start = start
        self.duration = duration
        self.outcome = outcome
        self.wait = wait
        self.reason = reason
    }
}

extension AttemptRecord.Outcome: CustomStringConvertible {
    package init(_ error: HTTPError) {
        switch error {
        case .networkError(let failure): self = .network(failure.kind)
        case .timeout: self = .timeout
        case .cancelled: self = .cancelled
        case .statusCode(let response): self = .status(response.status)
        default: self = .failed(error.description)
        }
    }

    /// A short description of the outcome.
    public var description: String {
        switch self {
        case .status(let status): "\(status)"
        case .network(let kind): "network error \(kind.rawValue)"
        case .timeout: "timed out"
        case .cancelled: "cancelled"
        case .failed(let words): words
        }
    }
}

extension AttemptRecord: CustomStringConvertible {
    /// The number, outcome, duration, wait, reason and decisions in one line.
    public var description: String {
        "attempt \(number): \(outcome) after \(duration)" + (wait.map { ", retried after \($0)" } ?? "") + ": \(reason)"
            + decisions.map { "; \($0)" }.joined()
    }
}

extension ResponseMetadata {
    /// The attempts of the call so far, including those before redirects, each with the reason why it was or was not retried.
    ///
    /// `RetryInterceptor` records them. Empty without one, and for a response created by hand.
    public var attemptRecords: [AttemptRecord] { request?.context.attempts?.records ?? [] }
}

extension HTTPError {
    /// The attempts of the call, including those before redirects, each with the reason why it was or was not retried.
    ///
    /// `RetryInterceptor` records them. Empty without one.
    public var attemptRecords: [AttemptRecord] { request?.context.attempts?.records ?? [] }
}
