public import MartletEssentials

/// What happened in a call, step by step: its attempts, waits, redirects, the credentials it waited for, and what the cache decided.
///
/// ```swift
/// let response = try await client.response(for: GetUser(id: 1))
/// print(response.trace)
/// // 0.0 ms: attempt 1, GET https://api.example/users/1: 503 Service Unavailable after 12 ms (HTTP/1.1, new connection)
/// // 12 ms: retried after 500 ms: the server responded with 503 Service Unavailable
/// // 512 ms: attempt 2, GET https://api.example/users/1: 200 OK after 9.0 ms (HTTP/1.1, reused connection)
/// ```
///
/// Every call through an `HTTPClient` records one. An error has it too: ``HTTPError/trace``. Descriptions contain no secrets, but the
/// requests of ``attempts`` may.
public struct CallTrace: Sendable, CustomStringConvertible {
    /// The start of the call on the wall clock.
    public let start: Date
    /// The steps, in the order in which they began: at most 1,000. Of a call with more, such as an event stream that reconnects for days,
    /// the first 100 and the newest are kept.
    public let steps: [Step]
    /// The number of steps that were left out between the first 100 and the others.
    public let omittedSteps: Int

    /// The maximum number of steps that are kept.
    static let maxSteps = 1_000
    /// How many of them are the first steps of the call, which are always kept.
    static let maxFirstSteps = 100

    /// The start of the note on a GraphQL response with errors beside data. Outlines have it, and the inspector's page recognizes it.
    package static let errorsBesideData = "GraphQL errors beside data"

    init(start: Date, steps: [Step] = [], omittedSteps: Int = 0) {
        self.start = start
        self.steps = steps
        self.omittedSteps = omittedSteps
    }

    /// One step of a call.
    public struct Step: Sendable, CustomStringConvertible {
        /// The time from the start of the call to the start of an attempt, or to the moment of any other step.
        public let time: Duration
        /// What happened.
        public internal(set) var kind: Kind

        init(time: Duration, kind: Kind) {
            self.time = time
            self.kind = kind
        }

        /// The time since the start of the call and what happened, in one line.
        public var description: String { Redaction.visible("\(time.shortText): \(kind)") }
    }

    /// What happened in a step.
    @nonexhaustive public enum Kind: Sendable, CustomStringConvertible {
        /// An exchange with the transport. For a streamed body, it ends with the head of the response.
        case attempt(Attempt)
        /// A `RetryInterceptor` decided whether the request is sent again.
        case retry(Retry)
        /// The client follows a redirect.
        case redirect(Redirect)
        /// An `AuthInterceptor` waited for a credential: it renewed a rejected one, or needed a first one or one in place of an expired
        /// one.
        case renewal(Renewal)
        /// A cache decided how to handle the request.
        case cache(CacheStatus)
        /// Another interceptor made a decision, such as a wait for a rate limit or the probe of a circuit breaker.
        case note(String)

        /// What happened, in one line with secrets redacted.
        public var description: String {
            switch self {
            case .attempt(let attempt): "\(attempt)"
            case .retry(let retry): "\(retry)"
            case .redirect(let redirect): "\(redirect)"
            case .renewal(let renewal): "\(renewal)"
            case .cache(let status): "cache: \(status.words)"
            case .note(let text): text
            }
        }
    }

    /// One exchange with the transport.
    public struct Attempt: Sendable, CustomStringConvertible {
        /// The number of the attempt within its call, from 1. Attempts before a redirect count.
        public package(set) var number: Int
        /// The request as the transport got it, without its context.
        public let request: HTTPRequest
        /// The time from the start of the attempt until its outcome was known, or nil while the attempt is running.
        public internal(set) var duration: Duration?
        /// The outcome, or nil while the attempt is running.
        public internal(set) var outcome: Outcome?
        /// The name of the error that ended the attempt, as spans have it, or nil if it ended with a response or is running.
        package internal(set) var errorName: String?
        /// The HTTP version of the response, or nil if it is not known.
        public internal(set) var version: HTTPVersion?
        /// How long each phase took, or nil if the transport does not measure it.
        public internal(set) var timings: ResponseMetadata.Timings?
        /// The IP address of the server or proxy, or nil if it is not known.
        public internal(set) var remoteAddress: String?
        /// Whether the connection had carried an earlier exchange, or nil if it is not known.
        public internal(set) var isConnectionReused: Bool?

        init(number: Int, request: HTTPRequest) {
            self.number = number
            self.request = request
        }

        /// The number, the request, the outcome, the duration and facts about the connection, in one line with secrets redacted.
        public var description: String {
            let end = outcome.map { "\($0) after \((duration ?? .zero).shortText)" } ?? "not ended"
            let connection = isConnectionReused.map { $0 ? "reused connection" : "new connection" }
            let facts = [version?.rawValue, connection, remoteAddress, timings?.shortText].compactMap(\.self)
            return "attempt \(number), \(request): \(end)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
    }

    /// How an attempt ended.
    @nonexhaustive public enum Outcome: Sendable, Hashable, CustomStringConvertible {
        /// The server sent a response with this status.
        case status(HTTPStatus)
        /// The connection failed, or was lost before the response was complete.
        case network(NetworkFailure.Kind)
        /// The response did not arrive completely in time, or for a streamed body its head did not: within the attempt timeout, or by the
        /// deadline of the call.
        case timeout
        /// The task was cancelled, or the attempt was not needed any more.
        case cancelled
        /// Any other error, described for developers and without secrets.
        case failed(String)

        package init(_ error: HTTPError) {
            switch error {
            case .networkError(let failure): self = .network(failure.kind)
            case .timeout: self = .timeout
            case .cancelled: self = .cancelled
            case .statusCode(let response): self = .status(response.status)
            default: self = .failed(error.failureText)
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

    /// The decision whether a request is sent again. There is none for a response with a status below 400 that is not sent again.
    public struct Retry: Sendable, Hashable, CustomStringConvertible {
        /// The outcome of the attempt, as the interceptor saw it: interceptors inside may have rejected the request.
        public let outcome: Outcome
        /// The planned wait before the next attempt, or nil if the request is not sent again.
        public let wait: Duration?
        /// Why the request is or is not sent again.
        public let reason: String

        package init(outcome: Outcome, wait: Duration?, reason: String) {
            self.outcome = outcome
            self.wait = wait
            self.reason = reason
        }

        /// The wait and the reason, in one line.
        public var description: String { (wait.map { "retried after \($0.shortText): " } ?? "not retried: ") + reason }
    }

    /// A redirect that the client follows.
    public struct Redirect: Sendable, Hashable, CustomStringConvertible {
        /// The status of the redirect.
        public let status: HTTPStatus
        /// The URL that sent the redirect.
        public let source: URL
        /// The URL of the next request.
        public let target: URL
        /// The names of the fields that the next request does not have, such as credentials for another origin.
        public let removedFields: [HTTPFieldName]

        package init(_ status: HTTPStatus, from request: HTTPRequest, to next: HTTPRequest) {
            self.status = status
            source = request.url
            target = next.url
            removedFields = request.headers.reduce(into: []) { names, field in
                if !next.headers.contains(field.name), !names.contains(field.name) { names.append(field.name) }
            }
        }

        /// The status, the target and the removed fields, in one line with secrets redacted.
        public var description: String {
            let removed = removedFields.map(\.description).joined(separator: ", ")
            return "\(status) redirects to \(Redaction.url(target))" + (removed.isEmpty ? "" : ", without \(removed)")
        }
    }

    /// The wait for a credential. It ends at the time of its step.
    ///
    /// A credential that the provider returns within a millisecond, as from memory, leaves no step.
    public struct Renewal: Sendable, Hashable, CustomStringConvertible {
        /// How long the call waited for the credential.
        public let duration: Duration
        /// Whether the server had rejected the call's credential. Otherwise the call had none yet, or it had expired.
        public let followsRejection: Bool
        /// Why no credential could be obtained, for developers and without secrets, or nil if one was.
        public let failure: String?

        package init(duration: Duration, followsRejection: Bool = true, failure: String? = nil) {
            self.duration = duration
            self.followsRejection = followsRejection
            self.failure = failure
        }

        /// Whether a credential was obtained, without the reason if none was.
        package var outline: String {
            switch (followsRejection, failure == nil) {
            case (true, true): "the credential was renewed"
            case (true, false): "the credential was not renewed"
            case (false, true): "a credential was obtained"
            case (false, false): "no credential was obtained"
            }
        }

        /// Whether a credential was obtained, how long that took, and why none was.
        public var description: String {
            failure.map { "\(outline) (\(duration.shortText)): \($0)" } ?? "\(outline) in \(duration.shortText)"
        }
    }

    /// The exchanges with the transport, in the order in which they began.
    public var attempts: [Attempt] { steps.compactMap { if case .attempt(let attempt) = $0.kind { attempt } else { nil } } }

    /// The decisions of a `RetryInterceptor`, in order: one after each attempt that failed, or that is sent again.
    public var retries: [Retry] { steps.compactMap { if case .retry(let retry) = $0.kind { retry } else { nil } } }

    /// The redirects that were followed, in order.
    public var redirects: [Redirect] { steps.compactMap { if case .redirect(let redirect) = $0.kind { redirect } else { nil } } }

    /// The waits for a credential, in order: for a first one, for one in place of an expired one, and for one in place of a rejected one.
    public var renewals: [Renewal] { steps.compactMap { if case .renewal(let renewal) = $0.kind { renewal } else { nil } } }

    /// The decisions of caches, in order, one for each request that a redirect led to.
    public var cacheStatuses: [CacheStatus] { steps.compactMap { if case .cache(let status) = $0.kind { status } else { nil } } }

    /// The decisions of other interceptors, in order.
    public var notes: [String] { steps.compactMap { if case .note(let text) = $0.kind { text } else { nil } } }

    /// The steps, each in a line with its time since the start of the call, with secrets redacted. A line says how many were left out.
    public var description: String {
        var lines = steps.map(\.description)
        if omittedSteps > 0 { lines.insert("\(omittedSteps) steps left out", at: min(CallTrace.maxFirstSteps, lines.count)) }
        return lines.joined(separator: "\n")
    }
}

extension HTTPResponse {
    /// What happened in the call, or an empty trace for a response that was created by hand.
    public var trace: CallTrace { metadata.trace }
}

extension ResponseMetadata {
    /// What happened in the call so far, or an empty trace for a response that was created by hand.
    public var trace: CallTrace { request?.context.record?.trace ?? CallTrace(start: .distantPast) }
}

extension HTTPError {
    /// What happened in the call before the error, or an empty trace if no request is known.
    public var trace: CallTrace { request?.context.record?.trace ?? CallTrace(start: .distantPast) }

    /// The status of the response because of which the call failed, also if only its body could not be used, as for a digest that does not
    /// match; nil if no response was the reason.
    package var causingStatus: HTTPStatus? {
        if let known = status ?? aboveHTTP?.head?.status { return known }
        guard let stage, [.body, .validation, .decoding].contains(stage), case .status(let last)? = trace.attempts.last?.outcome else {
            return nil
        }
        return last
    }
}

extension ResponseMetadata.Timings {
    fileprivate var shortText: String? {
        let phases = [("queued", queued), ("DNS", nameLookup), ("connect", connect), ("TLS", tls), ("first byte", firstByte)]
        let parts = phases.compactMap { name, duration in duration.flatMap { $0 < .microseconds(100) ? nil : "\(name) \($0.shortText)" } }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Duration {
    /// The duration in milliseconds, or in seconds from one second, as in `1.5 ms`, `120 ms` or `2.50 s`.
    package var shortText: String {
        let components = components
        let microseconds = max(0, components.seconds) * 1_000_000 + max(0, components.attoseconds) / 1_000_000_000_000
        switch microseconds {
        case ..<10_000: return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
        case ..<1_000_000: return "\(microseconds / 1_000) ms"
        default:
            let hundredths = microseconds % 1_000_000 / 10_000
            return "\(microseconds / 1_000_000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
        }
    }
}
