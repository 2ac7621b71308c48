public import MartletEssentials

/// What happened in a call, step by step: its attempts, waits, redirects, renewed credentials, and what the cache decided.
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
public struct CallTrace: Sendable {
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

    init(start: Date, steps: [Step] = [], omittedSteps: Int = 0) {
        self.start = start
        self.steps = steps
        self.omittedSteps = omittedSteps
    }

    /// One step of a call.
    public struct Step: Sendable {
        /// The time from the start of the call to the start of an attempt, or to the moment of any other step.
        public let time: Duration
        /// What happened.
        public internal(set) var kind: Kind

        init(time: Duration, kind: Kind) {
            self.time = time
            self.kind = kind
        }
    }

    /// What happened in a step.
    @nonexhaustive public enum Kind: Sendable {
        /// An exchange with the transport. For a streamed body, it ends with the head of the response.
        case attempt(Attempt)
        /// A `RetryInterceptor` decided whether the request is sent again.
        case retry(Retry)
        /// The client follows a redirect.
        case redirect(Redirect)
        /// An `AuthInterceptor` renewed a rejected credential, or tried to.
        case renewal(Renewal)
        /// A cache decided how to handle the request.
        case cache(CacheStatus)
        /// Another interceptor made a decision, such as a wait for a rate limit or the probe of a circuit breaker.
        case note(String)
    }

    /// One exchange with the transport.
    public struct Attempt: Sendable {
        /// The number of the attempt within its call, from 1. Attempts before a redirect count.
        public package(set) var number: Int
        /// The request as the transport got it, without its context.
        public let request: HTTPRequest
        /// The time from the start of the attempt until its outcome was known, or nil while the attempt is running.
        public internal(set) var duration: Duration?
        /// The outcome, or nil while the attempt is running.
        public internal(set) var outcome: Outcome?
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
    }

    /// How an attempt ended.
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

    /// The decision whether a request is sent again. There is none for a response with a status below 400 that is not sent again.
    public struct Retry: Sendable, Hashable {
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
    }

    /// A redirect that the client follows.
    public struct Redirect: Sendable, Hashable {
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
    }

    /// The renewal of a credential that the server rejected.
    public struct Renewal: Sendable, Hashable {
        /// How long the call waited for the new credential.
        public let duration: Duration
        /// Why there is no new credential, for developers and without secrets, or nil if there is one.
        public let failure: String?

        package init(duration: Duration, failure: String? = nil) {
            self.duration = duration
            self.failure = failure
        }
    }
}

extension CallTrace {
    /// The exchanges with the transport, in the order in which they began.
    public var attempts: [Attempt] { steps.compactMap { if case .attempt(let attempt) = $0.kind { attempt } else { nil } } }

    /// The decisions of a `RetryInterceptor`, in order: one after each attempt that failed, or that is sent again.
    public var retries: [Retry] { steps.compactMap { if case .retry(let retry) = $0.kind { retry } else { nil } } }

    /// The redirects that were followed, in order.
    public var redirects: [Redirect] { steps.compactMap { if case .redirect(let redirect) = $0.kind { redirect } else { nil } } }

    /// The renewals of a credential, in order.
    public var renewals: [Renewal] { steps.compactMap { if case .renewal(let renewal) = $0.kind { renewal } else { nil } } }

    /// The decisions of caches, in order, one for each request that a redirect led to.
    public var cacheStatuses: [CacheStatus] { steps.compactMap { if case .cache(let status) = $0.kind { status } else { nil } } }

    /// The decisions of other interceptors, in order.
    public var notes: [String] { steps.compactMap { if case .note(let text) = $0.kind { text } else { nil } } }
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
}
