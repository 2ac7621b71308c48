public import MartletEssentials

/// What became of one attempt of a call: when it began, how it ended, what was decided then, and why.
///
/// ```swift
/// for attempt in response.metadata.attemptRecords { print(attempt) }
/// // attempt 1: 503 Service Unavailable after 0.2 seconds, retried after 0.5 seconds: the server answered 503 Service Unavailable
/// // attempt 2: 200 OK after 0.1 seconds: 200 OK is not a status to retry
/// ```
public struct AttemptRecord: Sendable, Hashable {
    /// How an attempt ended.
    @nonexhaustive public enum Outcome: Sendable, Hashable {
        /// With a response.
        case status(HTTPStatus)
        /// The network or the other side failed.
        case network(NetworkFailure.Kind)
        /// No answer in time.
        case timeout
        /// The task was cancelled.
        case cancelled
        /// Any other error, in words for developers, without secrets.
        case failed(String)
    }

    /// Which attempt of its call it was, those before a redirect counted: 1 for the first.
    public package(set) var number: Int
    /// When it began, on the wall clock.
    public let start: Date
    /// How long it took until its outcome was known.
    public let duration: Duration
    /// How it ended.
    public let outcome: Outcome
    /// How long was to be waited after it for the next attempt; nil when it was the last.
    public let wait: Duration?
    /// Why another attempt was made, or was not.
    public let reason: String

    package init(number: Int = 1, start: Date, duration: Duration, outcome: Outcome, wait: Duration?, reason: String) {
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

    /// The outcome in a few words.
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
    /// Number, outcome, times and reason in one line.
    public var description: String {
        "attempt \(number): \(outcome) after \(duration)" + (wait.map { ", retried after \($0)" } ?? "") + ": \(reason)"
    }
}

extension ResponseMetadata {
    /// The attempts of the call so far, redirects included, with why each was or was not followed by another.
    ///
    /// Kept by `RetryInterceptor`; empty without one, and for a response that was made by hand.
    public var attemptRecords: [AttemptRecord] { request?.context.attempts?.records ?? [] }
}

extension HTTPError {
    /// The attempts of the call, redirects included, with why each was or was not followed by another.
    ///
    /// Kept by `RetryInterceptor`; empty without one.
    public var attemptRecords: [AttemptRecord] { request?.context.attempts?.records ?? [] }
}
